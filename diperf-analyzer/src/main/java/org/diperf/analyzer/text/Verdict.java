package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.Warning;

/**
 * What became of a run, and whether its numbers can be trusted: two questions, never mixed.
 *
 * @param result of the thresholds: {@code PASSED 3 of 3}, {@code FAILED 1 of 3}, {@code INTERRUPTED}, ...
 * @param good whether that is what the user hoped for
 * @param trust what to think of the numbers
 * @param facts what the trust rests on, as far as it was measured
 * @param reasons why not to trust the numbers; none where they are valid
 * @param notes what else is to be known of them
 */
public record Verdict(
        String result, boolean good, Trust trust, List<String> facts, List<String> reasons, List<String> notes) {

    /** What to think of the numbers. */
    public enum Trust {
        VALID,
        SUSPECT,
        /** There are none. */
        ABSENT
    }

    public Verdict {
        facts = List.copyOf(facts);
        reasons = List.copyOf(reasons);
        notes = List.copyOf(notes);
    }

    /** Judges by what the summary says; it decides nothing itself. */
    public static Verdict of(Analysis analysis) {
        Summary summary = analysis.summary();
        Trust trust = trust(summary);
        boolean someSuspect = summary.warnings().stream().anyMatch(Warning::isSuspect);
        List<String> reasons = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Warning warning : summary.warnings()) {
            // Of a failed run, notes alone may be the reason.
            boolean isReason = trust != Trust.VALID && (warning.isSuspect() || !someSuspect);
            (isReason ? reasons : notes).add(RunText.clean(warning.text()));
        }
        return new Verdict(result(analysis), isGood(analysis), trust, facts(analysis), reasons, notes);
    }

    /** Returns whether the run came to its end, some call succeeded, and every threshold holds. */
    private static boolean isGood(Analysis analysis) {
        Summary summary = analysis.summary();
        return analysis.run().end() == End.COMPLETE
                && summary.calls().ok() > 0
                && !isWithoutResult(analysis)
                && summary.thresholds().stream().allMatch(ThresholdResult::holds);
    }

    /** Returns the line that opens what is said of a run: what it found, and what became of it. */
    public static String headline(Analysis analysis) {
        String found = Finding.sentence(analysis);
        String result = of(analysis).result();
        if (analysis.summary().calls().ok() == 0) {
            return result.replaceFirst(" .*", "") + ": " + found;
        }
        return found.endsWith(".") ? result + ": " + found : found + ": " + result;
    }

    /** Returns whether the run was a search, and no value was confirmed. */
    public static boolean isWithoutResult(Analysis analysis) {
        SearchRecord search = analysis.run().search();
        return search != null && search.found() == null;
    }

    private static String result(Analysis analysis) {
        Summary summary = analysis.summary();
        List<ThresholdResult> thresholds = summary.thresholds();
        String open = open(thresholds);
        long failed = thresholds.stream().filter(ThresholdResult::fails).count();
        String byThresholds =
                failed > 0 ? ", failed " + failed + " of " + thresholds.size() : open.isEmpty() ? "" : ", " + open;
        return switch (analysis.run().end()) {
            case INTERRUPTED -> "INTERRUPTED" + byThresholds;
            case ABORTED -> "ABORTED" + byThresholds;
            case FAILED -> "FAILED the run was cut short" + byThresholds;
            case UNDER_WAY -> "CUT SHORT the controller did not finish" + byThresholds;
            case COMPLETE -> {
                if (summary.calls().ok() == 0) {
                    yield "FAILED no call succeeded";
                }
                if (failed > 0) {
                    yield "FAILED " + failed + " of " + thresholds.size();
                }
                if (isWithoutResult(analysis)) {
                    yield "FAILED the search found no value";
                }
                if (!open.isEmpty()) {
                    yield "UNDECIDED" + open.substring("undecided".length());
                }
                yield thresholds.isEmpty() ? "DONE" : "PASSED " + thresholds.size() + " of " + thresholds.size();
            }
        };
    }

    /** Says how many thresholds are undecided; empty: none is. */
    private static String open(List<ThresholdResult> thresholds) {
        long open = thresholds.stream().filter(ThresholdResult::open).count();
        return open == 0 ? "" : "undecided " + open + " of " + thresholds.size();
    }

    private static Trust trust(Summary summary) {
        if (summary.calls().ok() == 0) {
            return Trust.ABSENT;
        }
        return switch (summary.verdict()) {
            case "valid" -> Trust.VALID;
            case "suspect" -> Trust.SUSPECT;
            // A failed run may still have measured well what it measured.
            default -> summary.warnings().isEmpty() ? Trust.VALID : Trust.SUSPECT;
        };
    }

    /** Says what the load generator may have added to the median response time; empty where there is none. */
    private static Optional<String> added(Summary summary) {
        PartCounts part = summary.measured() == null ? summary : summary.measured();
        Statistics times = part.responseTime();
        if (times == null) {
            return Optional.empty();
        }
        Uncertainty range = times.range(Statistic.P50);
        Range instrument = range == null ? null : range.parts().get(Uncertainty.INSTRUMENT);
        return Optional.of(
                instrument == null
                        ? "no bound for the generator"
                        : "generator"
                                + (summary.delayedBy() == null ? "" : " and " + RunText.clean(summary.delayedBy()))
                                + " ≤ "
                                + Numbers.time(times.p50() - instrument.low()) + " of p50");
    }

    /** Says in a few words whether the numbers can be trusted, and what that rests on; of suspect ones, reasons say the rest. */
    public static String trusted(Analysis analysis) {
        Summary summary = analysis.summary();
        return switch (trust(summary)) {
            case ABSENT -> "no numbers";
            case SUSPECT -> "numbers SUSPECT";
            case VALID -> "numbers VALID" + basis(analysis);
        };
    }

    private static String basis(Analysis analysis) {
        Summary summary = analysis.summary();
        if (analysis.run().cameByImport()) {
            return ", as far as the file says";
        }
        PartCounts part = summary.measured() == null ? summary : summary.measured();
        Statistics times = part.responseTime();
        Uncertainty range = times == null ? null : times.range(Statistic.P50);
        if (times == null || range == null || !range.parts().containsKey(Uncertainty.INSTRUMENT)) {
            return ": no sign that the load generator was the limit";
        }
        boolean isUpper = RangeText.isUpperBound(times, Statistic.P50) || RangeText.isUpperBound(times, Statistic.P99);
        if (part.throughput() != null && part.throughput().atLeast()) {
            return isUpper ? ", those with ≤ or ≥ as bounds" : ", throughput as a lower bound";
        }
        if (isUpper) {
            return ", those with ≤ as upper bounds";
        }
        return ": the load generator added at most " + Numbers.time(added(times, Statistic.P50)) + " to the median, "
                + Numbers.time(added(times, Statistic.P99)) + " to p99";
    }

    private static double added(Statistics times, Statistic statistic) {
        Uncertainty range = times.range(statistic);
        return range == null ? 0 : range.withoutSampling(times.of(statistic)).width();
    }

    private static List<String> facts(Analysis analysis) {
        Summary summary = analysis.summary();
        List<String> facts = new ArrayList<>();
        if (summary.sendLag() != null) {
            facts.add("lag p99 " + Numbers.time(summary.sendLag().p99()));
        }
        analysis.testers().stream()
                .mapToDouble(row -> row.watch().cpuPercent())
                .filter(Double::isFinite)
                .max()
                .ifPresent(cpu -> facts.add("generator CPU " + Math.round(cpu) + " %"));
        added(summary).ifPresent(facts::add);
        facts.add("lost " + summary.testers().lost());
        if (summary.clock() != null && Double.isFinite(summary.clock().maxErrorBoundMicros())) {
            facts.add("clocks ±" + Numbers.time(summary.clock().maxErrorBoundMicros() / 1e3));
        } else {
            facts.add("clocks unknown");
        }
        return facts;
    }
}
