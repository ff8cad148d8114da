package org.diperf.analyzer.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.StageTally;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.count.TesterTally;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.Windows;
import org.diperf.analyzer.result.ClockText;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.LevelRule;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.stats.OverheadLimits;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.core.clock.ClockEvent;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether the numbers of a run can be trusted, and says why not.
 *
 * <p>{@code failed}: no call succeeded, or the run failed. {@code suspect}: the generator was the limit, as
 * {@code docs/suspect-runs.md} says; more than 0.1 % of the planned calls were dropped (of the measured part, where levels
 * were tried out); a tester was lost or did not start; a clock is unknown or its error bound above
 * 10 ms; samples are damaged or missing; or the controller says so. An
 * interrupted run only warns: its numbers hold for what was measured.
 */
public final class RunVerdict {

    private static final double WORTH_SAYING_SECONDS = 2;
    private static final double REFUSED_SHARE = 0.001;
    private static final double DROPPED_SHARE = 0.001;
    private static final double BOUND_MICROS = 10_000;
    private static final int MAX_LISTED = 10;
    private static final int MAX_NOTES = 3;

    private final RunRecord run;
    private final PlannedLoad offered;
    private final Windows windows;
    private final Tally tally;
    private final ClockFile clocks;
    private final CallCounts calls;
    private final List<TesterRow> testers;
    private final GeneratorLimits limits;
    private final List<StageSummary> stages;
    private final List<Warning> warnings = new ArrayList<>();
    private final List<Warning> clockWarnings = new ArrayList<>();

    public RunVerdict(
            RunRecord run,
            PlannedLoad offered,
            Windows windows,
            Tally tally,
            ClockFile clocks,
            CallCounts calls,
            List<TesterRow> testers,
            GeneratorLimits limits,
            List<StageSummary> stages) {
        this.run = run;
        this.offered = offered;
        this.windows = windows;
        this.tally = tally;
        this.clocks = clocks;
        this.calls = calls;
        this.testers = testers;
        this.limits = limits;
        this.stages = stages;
    }

    /**
     * @param drops of the measured part where load was tried out, else of the whole run
     * @param throughput of the measured part
     */
    public RunVerdict judge(ScopeTally measured, long measuredTo, CallCounts drops, @Nullable Throughput throughput) {
        warnings.addAll(run.warnings());
        judgeEnd();
        judgePeak();
        warnings.addAll(windows.warnings());
        judgeGenerator(measured, measured.from / 1e9, measuredTo / 1e9, throughput);
        judgeDrops(drops);
        judgeStages();
        judgeTesters();
        judgeKnownClocks();
        judgeSamples();
        return this;
    }

    private void judgePeak() {
        boolean isWanted = run.measure().window().equals("peak");
        if (offered.peak() == null && (isWanted || !run.cameByImport())) {
            note(
                    Subject.LOAD,
                    "there is no peak" + (run.cameByImport() ? "" : ": " + whyNoPeak())
                            + (isWanted ? "; the whole run is measured instead" : ""));
        }
    }

    private String whyNoPeak() {
        SearchRecord search = run.search();
        if (search != null && search.found() == null) {
            return "no value was found that meets the conditions of the search";
        }
        if (stages.stream().anyMatch(stage -> stage.level() != null && LevelRule.isDoubtful(stage))) {
            return "no level was measured reliably";
        }
        return offered.isClosed()
                ? "the clients were never all active at the same time (run-for is shorter than the ramp)"
                : "the rate was never constant";
    }

    /** Adds what others found. */
    public RunVerdict add(List<Warning> found) {
        warnings.addAll(found);
        return this;
    }

    private void note(Subject subject, String text) {
        warnings.add(Warning.note(subject, text));
    }

    private void suspect(Subject subject, String text) {
        warnings.add(Warning.suspect(subject, text));
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }

    private void judgeEnd() {
        if (run.end() == End.INTERRUPTED || run.end() == End.ABORTED) {
            note(
                    Subject.RUN,
                    "the run was cut short (" + run.end().name().toLowerCase(Locale.ROOT)
                            + "): the numbers cover only what was measured until then");
        } else if (run.end() == End.UNDER_WAY) {
            note(
                    Subject.RUN,
                    "the run record was never closed: the run is still running, or its controller was killed");
        } else if (run.end() == End.FAILED) {
            note(Subject.RUN, "the run could not be completed");
        }
    }

    private void judgeGenerator(ScopeTally measured, double from, double to, @Nullable Throughput throughput) {
        double all = Math.max(1e-9, to - from);
        double marked = limits.markedSeconds(from, to);
        if (calls.ok() > 0 && limits.doubts(from, to)) {
            suspect(
                    Subject.GENERATOR,
                    format(
                            "the load generator was the limit for %.1f %% of the measured time: %s; %s",
                            100 * limits.seconds(from, to) / all, limits.mainReason(from, to), remedy()));
        } else if (calls.ok() > 0 && marked >= WORTH_SAYING_SECONDS && !measured.isBounded()) {
            note(
                    Subject.GENERATOR,
                    format(
                            "the load generator was the limit for %.1f s of the measured time: %s",
                            marked, limits.why(from, to)));
        }
        if (measured.isBounded()) {
            judgeAdded(measured, limits.mainReason(from, to), throughput);
        } else if (calls.ok() > 0 && GeneratorLimits.isLate(measured)) {
            suspect(
                    Subject.GENERATOR,
                    format(
                            "more than 5 %% of the calls were sent late, by at least %.1f ms, which the response times "
                                    + "include; %s",
                            GeneratorLimits.lateMillis(measured), remedy()));
        }
        if (calls.ok() > 0) {
            judgeStalls(measured, measured.response.quantileMillis(0.5), all);
        }
        long refused = tally.ends.failed(measured, Fault.GENERATOR);
        if (refused > REFUSED_SHARE * measured.lag.count()) {
            suspect(
                    Subject.GENERATOR,
                    some(refused, "call")
                            + " failed because of limits of the load generator, not of the service, mostly: "
                            + tally.ends.main(measured, Fault.GENERATOR));
        } else if (refused > 0) {
            note(
                    Subject.GENERATOR,
                    some(refused, "call") + " failed because of limits of the load generator, not of the service: "
                            + tally.ends.main(measured, Fault.GENERATOR));
        }
        long unusable = tally.ends.failed(measured, Fault.EXPERIMENT);
        if (unusable > REFUSED_SHARE * measured.lag.count()) {
            suspect(
                    Subject.LOAD,
                    some(unusable, "call")
                            + " failed because of the experiment, not the service: a file, program or data that it refers to "
                            + "is missing or unusable; see the list of failures");
        } else if (unusable > 0) {
            note(Subject.LOAD, some(unusable, "call") + " failed because of the experiment, not the service");
        }
    }

    private static String leftOut(long count) {
        return count == 1 ? "; it is excluded" : "; they are excluded";
    }

    private static String some(long count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    /**
     * Says how much of the numbers that everybody reads the load generator may have added, where that shows. Where it may be most of one,
     * somebody would decide wrongly, unless thresholds decide.
     */
    private void judgeAdded(ScopeTally measured, String why, @Nullable Throughput throughput) {
        List<String> parts = new ArrayList<>();
        boolean isTooMuch = false;
        for (Statistic statistic : List.of(Statistic.P50, Statistic.P99)) {
            double high = statistic.of(measured.response.millis());
            double added = high - measured.response.lowMillis(statistic, measured.least);
            if (OverheadLimits.isLimiting(added / high, added)) {
                parts.add(format(high < 1e3 ? "%.3g of the %.3g ms of " : "%.0f of the %.0f ms of ", added, high)
                        + statistic.path());
                isTooMuch |= OverheadLimits.isTooMuch(
                        added / high, added, run.report().maxAddedMillis());
            }
        }
        List<String> found = new ArrayList<>();
        if (!parts.isEmpty()) {
            found.add("up to " + String.join(" and ", parts) + " may be the load generator's");
        }
        if (throughput != null && throughput.atLeast()) {
            found.add(format(
                    throughput.most() < 1e3
                            ? "without the load generator's delays throughput could be up to %.3g calls/s"
                            : "without the load generator's delays throughput could be up to %,.0f calls/s",
                    throughput.most()));
        }
        if (!found.isEmpty()) {
            String text = String.join(", and ", found) + (why.isEmpty() ? "" : " (" + why + ")") + "; " + remedy();
            warnings.add(
                    isTooMuch && run.thresholds().isEmpty()
                            ? Warning.suspect(Subject.GENERATOR, text)
                            : Warning.note(Subject.GENERATOR, text));
        }
    }

    /** Says what would make the load generator add less, by whether its machines had a processor to spare. */
    private String remedy() {
        boolean isKnown = false;
        boolean isFree = true;
        for (TesterRow row : testers) {
            double cores = cores(row.tester());
            double busy = row.watch().hostCpu();
            if (!Double.isNaN(cores - busy)) {
                isKnown = true;
                isFree &= cores - busy >= 1;
            }
        }
        return !isKnown
                ? "use more testers or less load"
                : isFree
                        ? "use more testers: a processor was free"
                        : "no processor was free: offer less load, or run the testers on another machine";
    }

    private double cores(int tester) {
        return run.testers().stream()
                .filter(each -> each.number() == tester)
                .map(each -> each.facts().get("cores"))
                .filter(cores -> cores != null && cores.matches("[0-9]{1,6}"))
                .mapToDouble(Double::parseDouble)
                .findFirst()
                .orElse(Double.NaN);
    }

    private void judgeStalls(ScopeTally measured, double response, double all) {
        for (TesterRow row : testers) {
            double longest = row.watch().hiccupMaxMillis();
            double sum = row.watch().stalledMillis();
            boolean matters = GeneratorLimits.beyond(
                    longest, GeneratorLimits.HICCUP_MILLIS, GeneratorLimits.HICCUP_SHARE * response);
            boolean isMuch = longest > GeneratorLimits.STALL_MILLIS
                    || sum > GeneratorLimits.STALLED_SHARE * 1e3 * all && !measured.isBounded();
            if (matters && isMuch) {
                String text = format(
                        "tester %d paused for %.0f ms in total, up to %.0f ms at a time%s; check what else was running there",
                        row.tester(),
                        sum > longest ? sum : longest,
                        longest,
                        measured.isBounded() ? ", which calls that were due then include" : "");
                warnings.add(
                        measured.isBounded()
                                ? Warning.note(Subject.GENERATOR, text)
                                : Warning.suspect(Subject.GENERATOR, text));
            }
        }
    }

    private void judgeStages() {
        List<String> doubtful = stages.stream()
                .filter(stage -> stage.level() != null && stage.warnings() != null)
                .map(stage -> format("%.6g", stage.level()).replaceFirst("\\.?0+$", ""))
                .distinct()
                .toList();
        if (!doubtful.isEmpty()) {
            note(
                    Subject.LOAD,
                    format(
                            "at %s the load generator was the limit, or a tester was lost: these levels are marked, and "
                                    + "findings ignore them",
                            String.join(", ", doubtful.subList(0, Math.min(MAX_LISTED, doubtful.size())))
                                    + (doubtful.size() > MAX_LISTED
                                            ? " and " + (doubtful.size() - MAX_LISTED) + " more levels"
                                            : "")));
        }
        if (run.stages().size() > StageTally.MOST) {
            note(
                    Subject.LOAD,
                    format(
                            "only the first %d of %d stages are reported separately",
                            StageTally.MOST, run.stages().size()));
        }
    }

    private void judgeDrops(CallCounts drops) {
        if (drops.dropped() == 0) {
            return;
        }
        double share = (double) drops.dropped() / Math.max(1, drops.planned());
        String text = format(
                "%d calls (%.3g %%) were dropped because max-in-flight was reached", drops.dropped(), 100 * share);
        if (share > DROPPED_SHARE) {
            suspect(Subject.LOAD, text);
        } else {
            note(Subject.LOAD, text);
        }
    }

    private void judgeTesters() {
        for (TesterRecord tester : run.testers()) {
            Long lost = tester.lostNanos();
            String reason = tester.lostReason() == null ? "" : " (" + tester.lostReason() + ")";
            if (lost != null) {
                suspect(
                        Subject.TESTER,
                        format("tester %d was lost at %.1f s%s%s", tester.number(), lost / 1e9, reason, since(tester)));
            } else if (!tester.started() && tester.slot() == 0) {
                note(
                        Subject.TESTER,
                        "tester " + tester.number() + " did not take part" + reason
                                + "; the others generated the full load");
            } else if (!tester.started() && tester.replaces() == null) {
                suspect(
                        Subject.TESTER,
                        "tester " + tester.number() + " did not start" + reason + "; its share of the load is missing");
            }
            if (tester.stuckClients() > 0) {
                note(
                        Subject.TESTER,
                        some(tester.stuckClients(), "client") + " of tester " + tester.number()
                                + " did not return from a call after its timeout and had to be replaced");
            }
            if (tester.lateEnds() > 0) {
                note(
                        Subject.TESTER,
                        some(tester.lateEnds(), "call") + " on tester " + tester.number()
                                + " ended after being recorded, or ended twice; the later end was ignored");
            }
        }
    }

    /** Says which calls of a lost tester there are, and what became of its share. */
    private String since(TesterRecord lost) {
        long from = offered.slotHistory().replacedFrom(lost);
        Long returned = lost.returnedNanos();
        String sent = some(lost.sent(), "call");
        return (returned == null
                        ? (lost.sent() == 0 ? "" : " after " + sent) + "; its calls from then on are missing"
                        : format("; it reported again at %.1f s, but had stopped its load after ", returned / 1e9)
                                + sent)
                + (from == Long.MAX_VALUE
                        ? ""
                        : format("; another tester took over its share of the load from %.1f s on", from / 1e9));
    }

    /** Names what happened to clocks, and says whether quanta are finer than clocks are known. */
    public RunVerdict judgeClocks(Clocks found, double quantumSeconds) {
        noteEvents(found);
        double worst = testers.stream()
                .mapToDouble(TesterRow::errorBoundMicros)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        if (quantumSeconds * 1e6 < worst) {
            clockNote(format(
                    "a quantum of %.6g ms is shorter than the clock error bound of %.6g ms, so calls may be counted "
                            + "in a neighbouring quantum; use a longer quantum",
                    quantumSeconds * 1e3, worst / 1e3));
        }
        return this;
    }

    private void noteEvents(Clocks found) {
        Map<Integer, List<Clocks.Note>> byTester = new TreeMap<>();
        List<Clocks.Note> routes = new ArrayList<>();
        for (Clocks.Note note : found.notes()) {
            if (!ClockText.isWorthTelling(note)) {
                continue;
            }
            if (note.kind() == ClockEvent.Kind.ROUTE_CHANGE) {
                routes.add(note);
            } else {
                byTester.computeIfAbsent(note.tester(), t -> new ArrayList<>()).add(note);
            }
        }
        if (!routes.isEmpty()) {
            clockNote(ClockText.ofRoutes(routes));
        }
        int listed = 0;
        for (Map.Entry<Integer, List<Clocks.Note>> of : byTester.entrySet()) {
            if (listed++ == MAX_LISTED) {
                clockNote("the clocks of " + (byTester.size() - MAX_LISTED) + " more testers had such events too");
                return;
            }
            List<Clocks.Note> notes = of.getValue();
            for (Clocks.Note note : notes.subList(0, Math.min(MAX_NOTES, notes.size()))) {
                clockNote("the clock of tester " + note.tester() + " " + ClockText.of(note));
            }
            if (notes.size() > MAX_NOTES) {
                clockNote("the clock of tester " + of.getKey() + " had " + notes.size() + " such events in total");
            }
        }
    }

    private void clockNote(String text) {
        clockWarnings.add(Warning.note(Subject.CLOCK, text));
    }

    private void judgeKnownClocks() {
        if (run.cameByImport()) {
            // There are no testers' clocks to be known; the importer says whose the instants are.
            return;
        }
        for (TesterRow row : testers) {
            TesterTally tester = tally.testers.get(row.tester());
            if (tester == null) {
                continue;
            }
            if (!tester.clock.isKnown()) {
                suspect(
                        Subject.CLOCK,
                        "the clock of tester " + row.tester()
                                + " is unknown: no exchange with the time server was recorded");
            } else if (row.errorBoundMicros() > BOUND_MICROS) {
                suspect(
                        Subject.CLOCK,
                        format(
                                "the clock of tester %d is known only to within %.1f ms",
                                row.tester(), row.errorBoundMicros() / 1e3));
            }
        }
        warnings.addAll(clockWarnings);
        if (clocks.unusable() > 0) {
            note(
                    Subject.CLOCK,
                    some(clocks.unusable(), "exchange")
                            + " with a time server could not be used: its clock cannot be related to the controller's");
        }
        if (clocks.unreadable() > 0) {
            note(Subject.CLOCK, some(clocks.unreadable(), "line") + " of " + RunFiles.CLOCK + " could not be read");
        }
    }

    private void judgeSamples() {
        if (tally.damaged() > 0) {
            suspect(
                    Subject.SAMPLES,
                    "samples are damaged in " + some(tally.damaged(), "place") + ", first " + tally.damage.get(0));
        }
        tally.testers.forEach((number, tester) -> {
            if (tester.refused() > 0) {
                boolean isKnown = run.testers().stream().anyMatch(each -> each.number() == number);
                suspect(
                        Subject.TESTER,
                        "tester " + number + " reported " + some(tester.refused(), "call")
                                + (isKnown
                                        ? " of clients that do not belong to it, such as client "
                                                + tester.refusedClient()
                                        : ", but run.json does not list it, so it is not known which clients belong "
                                                + "to it")
                                + leftOut(tester.refused()));
            }
            if (tester.impossible() > 0) {
                suspect(
                        Subject.TESTER,
                        "tester " + number + " reported " + some(tester.impossible(), "call")
                                + " in blocks with impossible times or byte counts, such as "
                                + tester.firstImpossible() + leftOut(tester.impossible()));
            }
            if (tester.valuesLeftOut() > 0) {
                note(
                        Subject.TESTER,
                        "tester " + number + " reported " + some(tester.valuesLeftOut(), "value")
                                + " outside the metric's range, such as " + tester.firstLeftOut()
                                + leftOut(tester.valuesLeftOut()));
            }
            if (tester.isBeyond()) {
                suspect(Subject.TESTER, "tester " + number + " reported calls long after the end of the run");
            }
        });
        tally.blocks().forEach((number, tester) -> {
            long missing = tester.missing();
            if (missing > 0) {
                suspect(
                        Subject.SAMPLES,
                        some(missing, "block") + " of samples of tester " + number + (missing == 1 ? " is" : " are")
                                + " missing");
            }
            if (tester.duplicates() > 0) {
                note(
                        Subject.SAMPLES,
                        some(tester.duplicates(), "block") + " of samples of tester " + number
                                + " arrived twice; counted once");
            }
        });
        for (TesterRecord record : run.testers()) {
            TesterTally tester = tally.testers.get(record.number());
            long found = tester == null ? 0 : tester.sent();
            if (record.sent() > found) {
                suspect(
                        Subject.SAMPLES,
                        "tester " + record.number() + " reported sending " + some(record.sent(), "call")
                                + ", but the samples contain " + found);
            } else if (record.sent() < found && isToldWhole(record)) {
                suspect(
                        Subject.SAMPLES,
                        "tester " + record.number() + " reported sending " + some(record.sent(), "call")
                                + ", but the samples contain " + found + ": more than it sent");
            }
        }
    }

    /** Returns whether the tester's count is that of its end, and not of the last time it was heard. */
    private boolean isToldWhole(TesterRecord record) {
        return run.end() == End.COMPLETE && record.sent() > 0 && record.lostNanos() == null;
    }

    public String word() {
        if (calls.ok() == 0 || run.end() == End.FAILED) {
            return "failed";
        }
        return warnings.stream().anyMatch(Warning::isSuspect) ? "suspect" : "valid";
    }

    /** Returns whether the run searched for where calls fail, and found it. */
    private boolean foundByFailing() {
        SearchRecord search = run.search();
        return search != null && search.found() != null;
    }

    public List<Warning> warnings() {
        List<Warning> all = new ArrayList<>(warnings);
        if (calls.ok() > 0 && calls.failed() > calls.ok() && !foundByFailing()) {
            all.add(
                    0,
                    Warning.note(
                            Subject.RUN,
                            format(
                                    "%.1f %% of the calls failed: response times cover only the %s that did not",
                                    100.0 * calls.failed() / (calls.ok() + calls.failed()),
                                    String.format(Locale.ROOT, "%,d", calls.ok()))));
        }
        return List.copyOf(all);
    }
}
