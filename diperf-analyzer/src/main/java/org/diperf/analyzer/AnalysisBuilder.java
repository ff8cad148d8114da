package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.diperf.analyzer.count.ClientTally;
import org.diperf.analyzer.count.GroupTally;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.count.TesterTally;
import org.diperf.analyzer.judge.ClockFindings;
import org.diperf.analyzer.judge.GeneratorLimits;
import org.diperf.analyzer.judge.LateCalls;
import org.diperf.analyzer.judge.RunVerdict;
import org.diperf.analyzer.judge.ValidityChecks;
import org.diperf.analyzer.load.Arrivals;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.PlannedLoad.Part;
import org.diperf.analyzer.load.Windows;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.LevelPoint;
import org.diperf.analyzer.model.Saturation;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Analysis.Rejected;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.CalibrationShare;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Capacity;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Details;
import org.diperf.analyzer.result.JourneySummary;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.RampKnee;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.GeneratorSummary;
import org.diperf.analyzer.result.Summary.HandEvent;
import org.diperf.analyzer.result.Summary.HeldOutError;
import org.diperf.analyzer.result.Summary.LoadSummary;
import org.diperf.analyzer.result.Summary.ModelSummary;
import org.diperf.analyzer.result.Summary.RequestCounts;
import org.diperf.analyzer.result.Summary.RequestRate;
import org.diperf.analyzer.result.Summary.RequestSummary;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.TesterCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.result.TesterHealth;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.server.ServerView;
import org.diperf.analyzer.sets.WeightedValues;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.clock.Corridor;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.Event;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.ClientTrait;
import org.jspecify.annotations.Nullable;

/** Turns the counts of a run into its analysis. */
final class AnalysisBuilder {

    private static final double SECOND = 1e9;

    private final RunRecord run;
    private final ClockFile clocks;
    private final PlannedLoad offered;
    private final Windows windows;
    private final Tally tally;
    private final ScopeTally measured;
    private final long duration;
    private final List<Warning> told;
    private final Arrivals arrivals;
    private final PeakShares peakShares;

    /** @param told against the numbers by others */
    AnalysisBuilder(
            RunRecord run,
            ClockFile clocks,
            PlannedLoad offered,
            Windows windows,
            Tally tally,
            ScopeTally measured,
            long duration,
            List<Warning> told) {
        this.told = told;
        this.run = run;
        this.clocks = clocks;
        this.offered = offered;
        this.windows = windows;
        this.tally = tally;
        this.measured = measured;
        this.duration = duration;
        this.arrivals = new Arrivals(run, offered);
        this.peakShares = new PeakShares(offered, tally, duration, run.seed());
    }

    Analysis analysis() {
        tally.quanta.widenTo(tally.metrics.quantumNanos());
        tally.metrics.widenTo(tally.quanta.quantumNanos());
        Series series = tally.quanta.series(
                duration, offered.isClosed() ? offered.active(tally.quanta.quantumNanos(), duration) : null);
        List<TesterRow> testers = testers();
        ClockFindings clockFindings = new ClockFindings(run, clocks, duration);
        Clocks clockNotes = clockFindings.clocks(testers);
        GeneratorLimits limits = new GeneratorLimits(
                series, tally.quanta, measured.isBounded(), run.report().maxAddedMillis());
        List<MarkedInterval> intervals = intervals(limits);
        List<ClientRow> clients = clients();
        ScopeTally peak = tally.peak;
        long[] planned = planned(peak);
        ValidityChecks checks = new ValidityChecks(run, offered, series, duration, clockBound(testers));
        StageSummaries stageSummaries = new StageSummaries(run, offered, tally, arrivals, limits, duration, checks);
        List<StageSummary> stages = stageSummaries.stages();
        PartSummaries partSummaries = new PartSummaries(offered, tally, arrivals, peakShares, duration);
        Breakdown breakdown = partSummaries.breakdown();
        CallCounts calls = tally.ends.counts(tally.whole, planned[0]);
        Window inTime = checks.of(
                window(
                        measured,
                        planned[1],
                        measured == peak && offered.peak() != null
                                ? offered.peak().clients()
                                : -1),
                measured);
        Window measuredWindow = inTime.with(late(planned[1], inTime.throughput()));
        Window peakWindow = peak == null
                ? null
                : checks.of(
                        window(
                                peak,
                                planned[2],
                                offered.peak() == null ? -1 : offered.peak().clients()),
                        peak);
        Statistics processing = processing();
        boolean levels = run.stages().stream().anyMatch(stage -> stage.level() != null);
        RunVerdict verdict = new RunVerdict(run, offered, windows, tally, clocks, calls, testers, limits, stages)
                .judgeClocks(clockNotes, series.quantumSeconds())
                .judge(
                        measured,
                        Math.min(duration, measured.to),
                        levels ? measuredWindow.calls() : calls,
                        measuredWindow.throughput())
                .add(ValidityChecks.warnings(measuredWindow, peakWindow, stages))
                .add(LateCalls.warnings(measuredWindow))
                .add(told);
        Capacity capacity = Capacity.of(run, stages, series);
        NetworkImpact network = NetworkRows.of(run, tally.testers, testers, clients);
        Map<String, RequestSummary> requests = requests();
        CalibrationShare calibration = CalibrationShare.of(run.calibrations(), testers, measuredWindow);
        Summary summary = new Summary(
                Summary.FORMAT,
                run.experiment(),
                run.startedAt(),
                duration / SECOND,
                run.targets(),
                load(),
                testerCounts(),
                checks.of(window(tally.whole, planned[0], -1), tally.whole).numbers(),
                processing,
                measuredWindow,
                peakWindow,
                peakShares.among(client -> true),
                clockFindings.summary(testers, clockNotes),
                stages.isEmpty() ? null : stages,
                stageSummaries.search(stages),
                capacity.saturation() == null
                        ? RampKnee.of(run, series, intervals)
                        : saturation(capacity, capacity.saturation()),
                models(capacity.models()),
                List.of(),
                null,
                verdict.word(),
                verdict.warnings(),
                run.labels(),
                breakdown == null ? null : breakdown.by(),
                PartSummaries.byName(breakdown),
                breakdown == null ? null : partSummaries.between(breakdown),
                NetworkRows.summary(network),
                null,
                tally.clientSide(duration),
                requests.size() < 2 ? null : requests,
                journeys(requests),
                calibration == null ? null : new GeneratorSummary(calibration),
                null,
                HandEvent.among(run.events()));
        List<FailureCause> causes = tally.ends.causes(tally.whole, tally.firsts);
        return new Analysis(
                run,
                summary,
                series,
                clients,
                requests,
                testers,
                measured.response.distribution(),
                measured.service.distribution(),
                measured.lag.distribution(),
                tally.quanta.dots(),
                causes,
                intervals,
                rejected(),
                clockNotes,
                capacity,
                breakdown,
                new Details(
                        tally.quanta.heat(duration),
                        tally.quanta.watch().signs(series.size()),
                        network,
                        tally.metrics.rows(series.size()),
                        tally.shown.chosen(
                                causes.stream().map(FailureCause::outcome).toList())),
                ServerView.NONE,
                List.of());
    }

    private static SaturationSummary saturation(Capacity capacity, Saturation saturation) {
        boolean reached = saturation.reached();
        Map<String, Range> parts = new LinkedHashMap<>();
        if (reached) {
            parts.put(Uncertainty.SAMPLING, new Range(saturation.low(), saturation.high()));
        }
        if (reached && !Double.isNaN(capacity.kneeWithout())) {
            List<LevelPoint> points = capacity.points();
            double without = Math.min(
                    capacity.kneeWithout(), points.get(points.size() - 1).load());
            parts.put(
                    Uncertainty.INSTRUMENT,
                    new Range(Math.min(without, saturation.clients()), Math.max(without, saturation.clients())));
        }
        return new SaturationSummary(
                reached,
                reached ? saturation.clients() : null,
                saturation.perSecond(),
                reached ? saturation.low() : null,
                reached ? saturation.high() : null,
                reached ? saturation.agreed() : null,
                finite(saturation.byBend()),
                finite(saturation.byBounds()),
                parts.isEmpty() ? null : Map.of("clients", Uncertainty.of(saturation.clients(), parts)));
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private static @Nullable List<ModelSummary> models(List<FittedModel> models) {
        if (models.isEmpty()) {
            return null;
        }
        return models.stream()
                .map(fitted -> new ModelSummary(
                        fitted.model().name(),
                        fitted.model().parameters(),
                        new HeldOutError(100 * fitted.throughputError(), 100 * fitted.responseError()),
                        Double.isInfinite(fitted.model().knee())
                                ? null
                                : (Double) fitted.model().knee()))
                .toList();
    }

    /** Returns the planned calls of whole run, measured window and peak; -1 in closed load. */
    private long[] planned(@Nullable ScopeTally peak) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(0, Long.MAX_VALUE, 0));
        parts.add(new Part(measured.from, measured.to, 0));
        parts.add(peak == null ? new Part(0, 0, 0) : new Part(peak.from, peak.to, 0));
        long[] counts = arrivals.count(parts);
        boolean anyOpen = offered.stages().stream().anyMatch(stage -> !stage.isClosed());
        // Of closed and open groups together nobody can say what was planned.
        if (run.cameByImport()) {
            return new long[] {-1, -1, -1};
        }
        return offered.isClosed() ? new long[] {anyOpen ? -1 : offered.quotaCalls(), -1, -1} : counts;
    }

    private LoadSummary load() {
        if (run.cameByImport()) {
            return new LoadSummary("unknown", null, null, null);
        }
        if (run.stages().isEmpty()) {
            return new LoadSummary("none", null, null, null);
        }
        StageRecord first = run.stages().get(0);
        boolean mixed = run.stages().stream().anyMatch(stage -> !stage.model().equals(first.model()));
        if (mixed) {
            return new LoadSummary("mixed", offered.closedClients(), offered.highestRate(), null);
        }
        return offered.isClosed()
                ? new LoadSummary(first.model(), offered.closedClients(), null, null)
                : new LoadSummary(first.model(), null, offered.highestRate(), arrivalsWord());
    }

    private String arrivalsWord() {
        List<String> words = run.stages().stream()
                .map(StageRecord::open)
                .flatMap(Stream::ofNullable)
                .map(open -> open.arrivals().name().toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        return words.size() == 1 ? words.get(0) : "mixed";
    }

    private TesterCounts testerCounts() {
        int requested = (int) run.testers().stream()
                .filter(tester -> tester.replaces() == null)
                .count();
        int started = (int) run.testers().stream()
                .filter(tester -> tester.replaces() == null && tester.started())
                .count();
        int replaced = (int) run.testers().stream()
                .filter(tester -> tester.replaces() != null && tester.started())
                .count();
        int lost = (int) run.testers().stream()
                .filter(tester -> tester.lostNanos() != null)
                .count();
        return new TesterCounts(requested, started, lost, replaced);
    }

    private @Nullable Throughput throughput(ScopeTally of) {
        return tally.quanta.throughput(of.outcome(Outcomes.OK), of.from, Math.min(duration, of.to));
    }

    /**
     * Returns the numbers of the measured part with the calls that were due in it and ended after it; {@code null}: there are none.
     *
     * @param throughput of the calls that ended in time
     */
    private @Nullable CallStatistics late(long planned, @Nullable Throughput throughput) {
        ScopeTally all = tally.measuredWithLate();
        return all == null
                ? null
                : all.certain(all.numbers(tally.ends.counts(all, planned), null, null), all.confidence())
                        .with(throughput);
    }

    private Window window(ScopeTally of, long planned, int clients) {
        return new Window(
                of.from / SECOND,
                Math.min(duration, of.to) / SECOND,
                clients < 0 ? null : clients,
                of.numbers(tally.ends.counts(of, planned), null, throughput(of)));
    }

    /**
     * Service time less network round trip less client start-up, tester by tester with its medians. Clients inside the
     * tester's JVM have no start-up; those that start programs need it measured.
     */
    private @Nullable Statistics processing() {
        boolean anyStartup = tally.testers.values().stream().anyMatch(tester -> tester.startup.count() > 0);
        boolean programs = run.has(ClientTrait.STARTS_PROGRAMS);
        WeightedValues times = new WeightedValues();
        for (TesterTally tester : tally.testers.values()) {
            boolean startupKnown = tester.startup.count() > 0 || (!anyStartup && !programs);
            if (tester.rtt.count() > 0 && startupKnown) {
                double startup = tester.startup.count() > 0 ? tester.startup.quantileMillis(0.5) : 0;
                tester.service.copyTo(times, (tester.rtt.quantileMillis(0.5) + startup) * 1e6);
            }
        }
        return times.statistics();
    }

    /** Returns by how much at most the end of a call may lie elsewhere, s. */
    private static double clockBound(List<TesterRow> testers) {
        return testers.stream()
                        .mapToDouble(TesterRow::errorBoundMicros)
                        .filter(Double::isFinite)
                        .max()
                        .orElse(0)
                / 1e6;
    }

    private List<TesterRow> testers() {
        List<TesterRow> rows = new ArrayList<>();
        for (TesterRecord record : run.testers()) {
            TesterTally tester = tally.testers.get(record.number());
            Corridor corridor = clocks.corridor(record.number());
            Long told = record.startNanos();
            double offset = Double.NaN;
            double skew = Double.NaN;
            double bound = Double.NaN;
            if (corridor != null && told != null) {
                offset = (corridor.globalNanos(told) - told) / 1e6;
                skew = record.joinedNanos() == null
                        ? (corridor.globalNanos(told) - run.startNanos()) / 1e3
                        : Double.NaN;
                bound = corridor.boundNanos(told) / 1e3;
            }
            if (corridor != null && tester != null && tester.wasSeen()) {
                bound = corridor.maxBoundNanos(tester.firstLocal(), tester.lastLocal()) / 1e3;
            }
            long expected = corridor == null ? Long.MAX_VALUE : corridor.expectedErrorNanos();
            rows.add(new TesterRow(
                    record.number(),
                    record.host(),
                    clientsOf(record.slot()),
                    tester == null ? 0 : tester.ok() + tester.failed(),
                    tester == null ? 0 : tester.ok(),
                    offset,
                    corridor == null ? Double.NaN : corridor.driftPpm(),
                    bound,
                    expected == Long.MAX_VALUE ? bound : expected / 1e3,
                    tester == null ? Double.NaN : tester.rtt.quantileMillis(0.5),
                    skew,
                    record.lostNanos() != null,
                    tester == null ? TesterHealth.NOTHING : tester.watch.watch()));
        }
        return List.copyOf(rows);
    }

    /** Counts the clients of a slot: of closed load as planned, of open load as seen. */
    private int clientsOf(int slot) {
        int all = offered.isClosed() ? offered.clients() : tally.clients.size();
        int count = 0;
        for (int client = 0; client < all; client++) {
            count += offered.shares().slotOf(client) == slot ? 1 : 0;
        }
        return count;
    }

    private List<ClientRow> clients() {
        List<ClientRow> rows = new ArrayList<>();
        for (int i = 0; i < tally.clients.size(); i++) {
            ClientTally.One client = tally.clients.existing(i);
            if (client == null && !offered.isClosed()) {
                continue;
            }
            ClientTally.One counts = client == null ? new ClientTally.One() : client;
            TesterRecord tester = offered.slotHistory().lastOf(i);
            long[] spans = offered.spans(i);
            boolean planned = offered.isClosed() && spans.length > 0;
            long from = planned ? spans[0] : counts.first;
            long to = planned ? spans[spans.length - 1] : counts.last;
            boolean any = from <= to;
            Statistics response = counts.response.statistics();
            long during = offered.isClosed() ? tally.clients.okWhileActive(i) : 0;
            rows.add(new ClientRow(
                    i,
                    tester == null ? 0 : tester.number(),
                    tester == null ? "" : tester.host(),
                    offered.shares()
                            .record(offered.shares().ofSlot(offered.shares().slotOf(i)))
                            .group(),
                    any ? from / SECOND : Double.NaN,
                    any ? to / SECOND : Double.NaN,
                    counts.ok + counts.failed,
                    counts.ok,
                    counts.failed,
                    counts.bytes,
                    response == null ? null : response.alone(),
                    during == 0 ? Double.NaN : (double) counts.okActive / during,
                    i < offered.clients() ? peakShares.of(i) : Double.NaN));
        }
        return List.copyOf(rows);
    }

    private Map<String, RequestSummary> requests() {
        Map<String, RequestSummary> summaries = new LinkedHashMap<>();
        for (int i = 0; i < run.requests().size(); i++) {
            summaries.put(run.requests().get(i), request(tally.requests[i], duration));
        }
        return summaries;
    }

    private RequestSummary request(Tally.Request counted, double nanos) {
        long ok = counted.response.count();
        return new RequestSummary(
                new RequestCounts(
                        ok + counted.failed, ok, counted.failed, counted.refused == 0 ? null : (Long) counted.refused),
                new RequestRate(ok * SECOND / nanos),
                counted.response.statistics(counted.least),
                counted.measured == null
                        ? null
                        : request(counted.measured, Math.min(duration, measured.to) - measured.from));
    }

    private @Nullable Map<String, JourneySummary> journeys(Map<String, RequestSummary> requests) {
        Map<String, JourneySummary> summaries = new LinkedHashMap<>();
        for (int i = 0; i < run.groups().size(); i++) {
            CallGroup group = run.groups().get(i);
            GroupTally counted = tally.groups[i];
            long ok = counted.response.count();
            long failed = 0;
            Map<String, Long> outcomes = new TreeMap<>();
            Map<String, Long> endedIn = new HashMap<>();
            for (int outcome = 0; outcome < counted.outcomes(); outcome++) {
                long count = counted.ended(outcome);
                if (count > 0) {
                    String word = tally.word(outcome);
                    outcomes.merge(word, count, Long::sum);
                    if (outcome != Outcomes.OK && outcome != Outcomes.UNFINISHED) {
                        failed += count;
                        int colon = word.indexOf(": ");
                        endedIn.merge(colon < 0 ? "" : word.substring(0, colon), count, Long::sum);
                    }
                }
            }
            List<JourneySummary.Step> steps = new ArrayList<>();
            long left = ok + failed - endedBefore(endedIn, group);
            for (String request : group.requests()) {
                long ended = endedIn.getOrDefault(request, 0L);
                left -= ended;
                RequestSummary calls = requests.get(request);
                steps.add(new JourneySummary.Step(
                        request, calls == null ? new RequestCounts(0, 0, 0) : calls.counts(), ended, left));
            }
            summaries.put(
                    group.name(),
                    new JourneySummary(
                            group.journey() ? JourneySummary.JOURNEY : "group",
                            new RequestCounts(ok + failed, ok, failed),
                            counted.ended(Outcomes.UNFINISHED),
                            new RequestRate(ok * SECOND / duration),
                            counted.response.statistics(),
                            outcomes,
                            counted.bytes(),
                            steps));
        }
        return summaries.isEmpty() ? null : summaries;
    }

    /** Counts the journeys that failed by what came before their first step. */
    private static long endedBefore(Map<String, Long> endedIn, CallGroup group) {
        return endedIn.entrySet().stream()
                .filter(entry -> !group.requests().contains(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private List<MarkedInterval> intervals(GeneratorLimits limits) {
        List<MarkedInterval> intervals = new ArrayList<>();
        for (Part ramp : offered.ramps()) {
            intervals.add(new MarkedInterval(
                    MarkedInterval.Kind.RAMP,
                    ramp.from() / SECOND,
                    Math.min(duration, ramp.to()) / SECOND,
                    offered.isClosed() ? "clients start" : "the rate grows"));
        }
        intervals.addAll(limits.intervals());
        for (TesterRecord tester : run.testers()) {
            Long lost = tester.lostNanos();
            if (lost != null) {
                long to = Math.min(
                        duration,
                        Math.min(
                                offered.plannedEndOf(tester),
                                offered.slotHistory().replacedFrom(tester)));
                String reason = tester.lostReason();
                intervals.add(new MarkedInterval(
                        MarkedInterval.Kind.TESTER_LOST,
                        lost / SECOND,
                        Math.max(lost, to) / SECOND,
                        "tester " + tester.number() + " lost" + (reason == null ? "" : ": " + reason)));
            }
        }
        for (Event event : run.events()) {
            if (event.isChange()) {
                double at = event.atNanos() / SECOND;
                intervals.add(new MarkedInterval(MarkedInterval.Kind.CHANGE, at, at, event.text()));
            }
        }
        return List.copyOf(intervals);
    }

    private List<Rejected> rejected() {
        Map<String, Long> sums = new TreeMap<>();
        for (TesterRecord tester : run.testers()) {
            tester.rejected().forEach((what, count) -> sums.merge(what, count, Long::sum));
        }
        return sums.entrySet().stream()
                .map(entry -> new Rejected(entry.getKey(), entry.getValue()))
                .toList();
    }
}
