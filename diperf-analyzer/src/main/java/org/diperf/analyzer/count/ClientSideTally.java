package org.diperf.analyzer.count;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.Bandwidth;
import org.diperf.analyzer.result.ClientSide.EventCounts;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.sets.Bounds;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.sets.Values;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.run.RunRecord.MetricRecord;
import org.diperf.core.sample.Calls;
import org.jspecify.annotations.Nullable;

/**
 * What clients measured besides response times: calls that were the first on their connection, and metrics of their own. Blocks
 * without either cost next to nothing. Confined to one thread.
 */
public final class ClientSideTally {

    private static final int MAX_OBSERVED = 100;
    private static final double MEGA = 1e6;

    private final List<MetricRecord> declared;
    private final Durations firsts = new Durations(Kind.TOTAL);
    /** What they took at least, of those of which it is known. */
    private final Durations leastOfFirsts = new Durations(Kind.TOTAL);

    private final Values[] ofCalls;
    private final Map<String, Values> observed = new TreeMap<>();

    /** @param declared metrics that calls may carry, in their order */
    ClientSideTally(List<MetricRecord> declared) {
        this.declared = declared;
        this.ofCalls = new Values[declared.size()];
        for (int i = 0; i < ofCalls.length; i++) {
            ofCalls[i] = new Values();
        }
    }

    /** Counts the ok calls of a block that ended within a part of the run. */
    void count(Calls calls, TesterClock clock, Endings endings, ScopeTally within) {
        if (calls.noneFirst() && !anyMetric(calls)) {
            return;
        }
        for (int row = 0; row < calls.rows(); row++) {
            if (endings.numbers()[calls.outcomeIndex(row)] == Outcomes.OK
                    && within.holds(
                            Math.max(0, clock.sinceStart(calls.intendedNanos(row) + calls.latencyNanos(row))))) {
                if (calls.first(row)) {
                    firsts.add(calls.latencyNanos(row));
                    long least = Bounds.least(calls, row);
                    if (least >= 0) {
                        leastOfFirsts.add(least);
                    }
                }
                for (int i = 0; i < ofCalls.length; i++) {
                    double value = calls.metric(i, row);
                    if (PlausibilityCheck.isValue(value)) {
                        ofCalls[i].add(value);
                    }
                }
            }
        }
    }

    private boolean anyMetric(Calls calls) {
        if (!calls.hasMetrics()) {
            return false;
        }
        for (int i = 0; i < ofCalls.length; i++) {
            for (int row = 0; row < calls.rows(); row++) {
                if (PlausibilityCheck.isValue(calls.metric(i, row))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Takes a value that a client observed at an instant. */
    void observe(String metric, double value) {
        Values values = observed.get(metric);
        if (values == null && observed.size() < MAX_OBSERVED) {
            values = new Values();
            observed.put(metric, values);
        }
        if (values != null) {
            values.add(value);
        }
    }

    /** Adds what was counted elsewhere. */
    void addAll(ClientSideTally other) {
        firsts.addAll(other.firsts);
        leastOfFirsts.addAll(other.leastOfFirsts);
        for (int i = 0; i < ofCalls.length; i++) {
            ofCalls[i].addAll(other.ofCalls[i]);
        }
        other.observed.forEach((name, values) -> {
            Values known = observed.putIfAbsent(name, values);
            if (known != null) {
                known.addAll(values);
            }
        });
    }

    /**
     * Says what was found.
     *
     * @param within the part of the run of which calls were counted
     * @param events that came in it
     * @return {@code null}: nothing
     */
    @Nullable
    ClientSide found(ScopeTally within, long toNanos, EventTally events) {
        Map<String, MetricSummary> metrics = new LinkedHashMap<>();
        for (int i = 0; i < ofCalls.length; i++) {
            Statistics values = ofCalls[i].statistics();
            if (values != null) {
                metrics.put(
                        declared.get(i).name(),
                        new MetricSummary(declared.get(i).unit(), values));
            }
        }
        observed.forEach((name, set) -> {
            Statistics values = set.statistics();
            if (values != null) {
                metrics.putIfAbsent(name, new MetricSummary(unit(name), values));
            }
        });
        MetricSummary gaps = events.gaps();
        if (gaps != null) {
            metrics.put(EventTally.GAP, gaps);
        }
        long nanos = Math.max(1, toNanos - within.from);
        EventCounts counts = events.counts(nanos);
        boolean both = firsts.count() > 0 && firsts.count() < within.response.count();
        double perSecond = within.bytes() * 1e9 / nanos;
        if (metrics.isEmpty() && !both && within.bytes() == 0 && counts == null) {
            return null;
        }
        return new ClientSide(
                within.bytes() == 0 ? null : new Bandwidth(perSecond, 8 * perSecond / MEGA),
                both ? firsts.statistics(leastOfFirsts) : null,
                both ? within.response.without(firsts).statistics(within.least.without(leastOfFirsts)) : null,
                metrics.isEmpty() ? null : metrics,
                counts);
    }

    private String unit(String name) {
        return declared.stream()
                .filter(metric -> metric.name().equals(name))
                .map(MetricRecord::unit)
                .findFirst()
                .orElse("");
    }
}
