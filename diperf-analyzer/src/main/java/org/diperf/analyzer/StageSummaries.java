package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.count.Quanta;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.judge.GeneratorLimits;
import org.diperf.analyzer.judge.ValidityChecks;
import org.diperf.analyzer.load.Arrivals;
import org.diperf.analyzer.load.Partition;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.StageTiming;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.LevelRule;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.ProbeSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Range;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/** Turns the counts of stages into their summaries. */
final class StageSummaries {

    private static final double SECOND = 1e9;

    private final RunRecord run;
    private final PlannedLoad offered;
    private final Tally tally;
    private final Arrivals arrivals;
    private final GeneratorLimits limits;
    private final long duration;
    private final ValidityChecks checks;

    StageSummaries(
            RunRecord run,
            PlannedLoad offered,
            Tally tally,
            Arrivals arrivals,
            GeneratorLimits limits,
            long duration,
            ValidityChecks checks) {
        this.checks = checks;
        this.run = run;
        this.offered = offered;
        this.tally = tally;
        this.arrivals = arrivals;
        this.limits = limits;
        this.duration = duration;
    }

    /** Returns the stages that the run came to; none where the run is one stage that is no level. */
    List<StageSummary> stages() {
        List<StageSummary> stages = new ArrayList<>();
        for (int i = 0; i < tally.stages.size(); i++) {
            StageTiming shape = offered.stages().get(i);
            if (shape.start() < duration || tally.stages.of(i).lag.count() > 0) {
                stages.add(stage(i, shape));
            }
        }
        return List.copyOf(stages);
    }

    private StageSummary stage(int number, StageTiming shape) {
        StageRecord record = shape.record();
        ScopeTally scope = tally.stages.of(number);
        long from = Math.min(duration, scope.from);
        long to = Math.max(from, Math.min(duration, scope.to));
        CallCounts calls = tally.ends.counts(scope, shape.isClosed() ? -1 : arrivals.ofStage(number));
        List<Warning> warnings = warnings(scope, from, to);
        LevelRecord level = record.level();
        boolean settled = level != null && level.settledNanos() != null;
        ClosedLoad closed = record.closed();
        OpenLoad open = record.open();
        ClientLifetimes.Ramp ramp =
                closed != null && closed.lives() instanceof ClientLifetimes.Ramp moves ? moves : null;
        Double fromRate = open == null || open.rampNanos() == 0 || open.fromPerSecond() == open.perSecond()
                ? null
                : (Double) open.fromPerSecond();
        Confidence confidence = scope.confidence();
        return new StageSummary(
                number,
                record.model(),
                ramp != null ? (Integer) ramp.to() : closed != null ? (Integer) closed.clients() : null,
                open == null ? null : (Double) open.perSecond(),
                ramp == null || ramp.from() == ramp.to() ? null : (Integer) ramp.from(),
                fromRate,
                level == null ? null : level.value(),
                shape.start() / SECOND,
                Math.max(shape.start(), to) / SECOND,
                settled ? (Double) (from / SECOND) : null,
                level == null ? null : level.settling(),
                scope.certain(
                        numbers(scope, calls, throughput(record, tally.stages.okEnded(number), from, to), record, to),
                        confidence),
                calls.ok() == 0 && calls.planned() > 0 ? "failed" : warnings.isEmpty() ? "valid" : "suspect",
                warnings.isEmpty() ? null : warnings,
                record.group(),
                confidence,
                ValidityChecks.steady(tally, number, settled),
                shape.holdsLoad() && record.group() == null && shape.end() <= duration
                        ? checks.littlesLaw(scope, to)
                        : null);
    }

    private CallStatistics numbers(
            ScopeTally scope, CallCounts calls, @Nullable Throughput throughput, StageRecord record, long to) {
        CallStatistics numbers = scope.numbers(calls, null, throughput);
        // The clients of a group alone were not counted over time.
        return record.group() == null ? checks.bounded(numbers, scope, to) : numbers;
    }

    /** Returns the throughput of a part of the run; of a stage of a group that of the group's calls. */
    private @Nullable Throughput throughput(StageRecord record, long ok, long from, long to) {
        if (record.group() == null) {
            return tally.quanta.throughput(ok, from, to);
        }
        Partition partition = tally.partition;
        if (partition != null && partition.by().equals("group")) {
            Quanta own = tally.parts[offered.shares().of(record)].quanta;
            own.widenTo(tally.quanta.quantumNanos());
            return own.throughput(ok, from, to);
        }
        // Quanta of groups were not counted: the report tells other parts apart.
        return to <= from ? null : new Throughput(ok * SECOND / (to - from), null, null, null);
    }

    private List<Warning> warnings(ScopeTally scope, long from, long to) {
        List<Warning> warnings = new ArrayList<>(limits.doubts(scope, from / SECOND, to / SECOND));
        for (TesterRecord tester : run.testers()) {
            Long lost = tester.lostNanos();
            if (lost != null && lost < to && offered.slotHistory().replacedFrom(tester) > from) {
                warnings.add(Warning.suspect(Subject.TESTER, "tester " + tester.number() + " was lost"));
            }
        }
        return warnings;
    }

    /** Returns the search with the numbers of its stages; {@code null} where there was none. */
    @Nullable
    SearchSummary search(List<StageSummary> stages) {
        SearchRecord search = run.search();
        if (search == null) {
            return null;
        }
        List<ProbeSummary> probes = new ArrayList<>();
        for (ProbeRecord probe : search.probes()) {
            StageSummary stage = stages.stream()
                    .filter(one -> one.number() == probe.stage())
                    .findFirst()
                    .orElse(null);
            probes.add(new ProbeSummary(
                    probe.stage(),
                    probe.value(),
                    probe.purpose(),
                    probe.holds(),
                    probe.observed(),
                    probe.decidedBy(),
                    stage == null ? null : stage.calls(),
                    stage == null ? null : stage.throughput(),
                    stage == null ? null : stage.responseTime(),
                    stage == null ? null : stage.verdict()));
        }
        return new SearchSummary(
                search.of(),
                search.from(),
                search.to(),
                search.conditions(),
                search.found(),
                search.failedAt(),
                limit(search, stages),
                search.conclusion(),
                List.copyOf(probes));
    }

    /** Returns the interval of what was found; {@code null} where nothing above it broke but by the generator. */
    private static @Nullable Range limit(SearchRecord search, List<StageSummary> stages) {
        Double found = search.found();
        Double low = search.low();
        Double high = search.high();
        if (found == null || low == null || high == null) {
            return null;
        }
        boolean broke = search.probes().stream()
                .filter(probe -> Boolean.FALSE.equals(probe.holds()) && probe.value() > found)
                .anyMatch(probe -> stages.stream()
                        .noneMatch(stage -> stage.number() == probe.stage() && LevelRule.isDoubtful(stage)));
        return broke ? new Range(low, high) : null;
    }
}
