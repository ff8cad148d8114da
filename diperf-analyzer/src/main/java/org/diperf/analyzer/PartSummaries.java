package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.diperf.analyzer.count.PartTally;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.load.Arrivals;
import org.diperf.analyzer.load.Partition;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.StageTiming;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.Breakdown.Part;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary.Fairness;
import org.diperf.analyzer.result.Summary.GroupFairness;
import org.diperf.analyzer.result.Summary.GroupSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.stats.FairnessStatistics;
import org.diperf.core.plan.ClosedLoad;
import org.jspecify.annotations.Nullable;

/** Turns the counts of the parts of a run into their summaries. */
final class PartSummaries {

    private static final double SECOND = 1e9;

    private final PlannedLoad offered;
    private final Tally tally;
    private final Arrivals arrivals;
    private final PeakShares peakShares;
    private final long duration;

    PartSummaries(PlannedLoad offered, Tally tally, Arrivals arrivals, PeakShares peakShares, long duration) {
        this.peakShares = peakShares;
        this.offered = offered;
        this.tally = tally;
        this.arrivals = arrivals;
        this.duration = duration;
    }

    /** Returns the parts; {@code null} where the run is not told apart. Called when the arrivals have been counted. */
    @Nullable
    Breakdown breakdown() {
        Partition partition = tally.partition;
        if (partition == null) {
            return null;
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < tally.parts.length; i++) {
            PartTally part = tally.parts[i];
            int number = i;
            part.quanta.widenTo(tally.quanta.quantumNanos());
            Series series = part.quanta.series(
                    duration,
                    offered.isClosed() && partition.hasClients()
                            ? offered.active(
                                    tally.quanta.quantumNanos(),
                                    duration,
                                    client -> partition.ofClient(client) == number)
                            : null);
            parts.add(new Part(partition.names().get(i), summary(partition, i, part), series));
        }
        return new Breakdown(partition.by(), parts);
    }

    private GroupSummary summary(Partition partition, int number, PartTally part) {
        boolean groups = partition.by().equals("group");
        int clients = 0;
        long from = Long.MAX_VALUE;
        for (int client = 0; client < offered.clients(); client++) {
            long[] spans = offered.spans(client);
            if (spans.length > 0 && partition.ofClient(client) == number) {
                clients++;
                from = Math.min(from, spans[0]);
            }
        }
        long startAfter =
                groups ? offered.shares().record(number).startAfterNanos() : from == Long.MAX_VALUE ? -1 : from;
        Window peak = part.peak == null ? null : window(part, part.peak);
        return new GroupSummary(
                partition.hasClients() ? partition.testers(number) : null,
                clients == 0 ? null : clients,
                startAfter < 0 ? null : startAfter / SECOND,
                part.whole.numbers(
                        tally.ends.counts(part.whole, groups ? planned(number) : -1),
                        share(part.whole, tally.whole),
                        part.quanta.throughput(part.whole.outcome(Outcomes.OK), 0, duration)),
                window(part, part.measured),
                peak,
                part.peak == null || tally.peak == null ? null : share(part.peak, tally.peak),
                peakShares.among(client -> partition.ofClient(client) == number));
    }

    private static @Nullable Double share(ScopeTally part, ScopeTally of) {
        long all = of.outcome(Outcomes.OK);
        return all == 0 ? null : (double) part.outcome(Outcomes.OK) / all;
    }

    /** Returns the calls that the plan of a group has; -1: it does not say. */
    private long planned(int group) {
        long planned = -1;
        for (int i = 0; i < offered.stages().size(); i++) {
            StageTiming stage = offered.stages().get(i);
            if (offered.shares().of(stage.record()) != group) {
                continue;
            }
            ClosedLoad closed = stage.record().closed();
            if (closed == null) {
                planned = Math.max(0, planned) + arrivals.ofStage(i);
            } else if (closed.quota().calls() > 0) {
                planned = Math.max(0, planned) + closed.quota().calls();
            }
        }
        return planned;
    }

    private Window window(PartTally part, ScopeTally of) {
        long to = Math.min(duration, of.to);
        return new Window(
                of.from / SECOND,
                to / SECOND,
                null,
                of.numbers(
                        tally.ends.counts(of, -1), null, part.quanta.throughput(of.outcome(Outcomes.OK), of.from, to)));
    }

    /** Says how evenly groups were served over the peak, by what a client of each had on average. */
    @Nullable
    GroupFairness between(Breakdown breakdown) {
        List<Double> means = new ArrayList<>();
        for (Part part : breakdown.parts()) {
            Fairness within = part.summary().fairness();
            Double share = part.summary().peakShare();
            if (within != null && share != null) {
                means.add(share / within.clients());
            }
        }
        double[] of = spread(means);
        return of.length == 0 || means.size() < 2 ? null : new GroupFairness(of[0], of[1], means.size());
    }

    /** Returns population standard deviation and Jain's index; nothing where nothing was served. */
    private static double[] spread(List<Double> values) {
        double sum = 0;
        double squares = 0;
        for (double value : values) {
            sum += value;
            squares += value * value;
        }
        if (squares == 0) {
            return new double[0];
        }
        double mean = sum / values.size();
        double deviations = 0;
        for (double value : values) {
            deviations += (value - mean) * (value - mean);
        }
        return new double[] {Math.sqrt(deviations / values.size()), FairnessStatistics.jain(values.size(), sum, squares)
        };
    }

    /** Returns the summaries by name, in order. */
    static @Nullable Map<String, GroupSummary> byName(@Nullable Breakdown breakdown) {
        if (breakdown == null) {
            return null;
        }
        Map<String, GroupSummary> byName = new LinkedHashMap<>();
        breakdown.parts().forEach(part -> byName.put(part.name(), Objects.requireNonNull(part.summary())));
        return byName;
    }
}
