package org.diperf.analyzer.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.result.MetricRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.MetricRecord;
import org.diperf.core.sample.Calls;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of clients over time: those of calls, by their end, and those observed in between. Never more than {@value #MOST}
 * names; what comes later has statistics ({@link ClientSideTally}) and no series. Confined to one thread.
 */
public final class MetricTallies {

    static final int MOST = 64;

    private final Map<String, String> units = new TreeMap<>();
    private final Map<String, MetricTally> byName = new TreeMap<>();
    /** Those of calls, in the order of their columns. */
    private final @Nullable MetricTally[] ofCalls;

    private final List<MetricRecord> declared;
    private long quantum;
    /** Units of the events within calls; {@code null}: there were none. */
    private @Nullable MetricTally events;

    private @Nullable MetricTally gaps;

    /** @param quantumNanos width of a quantum, as of the run's series at their beginning */
    MetricTallies(RunRecord run, long quantumNanos) {
        declared = run.metrics();
        declared.forEach(metric -> units.put(metric.name(), metric.unit()));
        units.put(EventTally.GAP, "ms");
        ofCalls = new MetricTally[declared.size()];
        quantum = quantumNanos;
    }

    /**
     * Counts the metrics of a call.
     *
     * @param at when it ended, ns after the start of the run
     */
    void count(Calls calls, int row, long at) {
        int place = -1;
        for (int m = 0; m < ofCalls.length; m++) {
            double value = calls.metric(m, row);
            if (PlausibilityCheck.isValue(value)) {
                MetricTally tally = ofCalls[m];
                if (tally == null) {
                    tally = tally(declared.get(m).name());
                    ofCalls[m] = tally;
                }
                if (tally != null) {
                    place = place < 0 ? place(at) : place;
                    tally.add(value, place);
                }
            }
        }
    }

    /**
     * Counts an observation.
     *
     * @param at when it held, ns after the start of the run; what was before the start belongs to no quantum
     */
    void observe(String name, double value, long at) {
        MetricTally tally = at < 0 ? null : tally(name);
        if (tally != null) {
            tally.add(value, place(at));
        }
    }

    /**
     * Counts an event within a call.
     *
     * @param at when it came, ns after the start of the run
     * @param gapMillis since the one before
     */
    void event(long at, long units, double gapMillis, boolean hasGap) {
        MetricTally tally = events;
        if (tally == null) {
            tally = new MetricTally();
            events = tally;
        }
        int place = place(at);
        tally.add(units, place);
        if (hasGap) {
            MetricTally ofGaps = gaps == null ? tally(EventTally.GAP) : gaps;
            gaps = ofGaps;
            if (ofGaps != null) {
                ofGaps.add(gapMillis, place);
            }
        }
    }

    private @Nullable MetricTally tally(String name) {
        MetricTally known = byName.get(name);
        if (known == null && byName.size() < MOST) {
            known = new MetricTally();
            byName.put(name, known);
        }
        return known;
    }

    private int place(long at) {
        while (at / quantum >= Series.MAX_QUANTA) {
            fold();
        }
        return (int) Math.max(0, at / quantum);
    }

    private void fold() {
        byName.values().forEach(MetricTally::fold);
        if (events != null) {
            events.fold();
        }
        quantum *= 2;
    }

    public long quantumNanos() {
        return quantum;
    }

    /** Makes quanta as wide as those of a series next to them. */
    public void widenTo(long quantumNanos) {
        while (quantum < quantumNanos) {
            fold();
        }
    }

    /** Takes over what another thread counted; its tallies are done with. */
    void addAll(MetricTallies other) {
        widenTo(other.quantum);
        other.widenTo(quantum);
        if (other.events != null) {
            events = events == null ? new MetricTally() : events;
            events.addAll(other.events);
        }
        other.byName.forEach((name, counted) -> {
            MetricTally tally = tally(name);
            if (tally != null) {
                tally.addAll(counted);
            }
        });
    }

    /** Lists them by name. */
    public List<MetricRow> rows(int size) {
        List<MetricRow> rows = new ArrayList<>();
        byName.forEach((name, tally) -> rows.add(new MetricRow(name, units.getOrDefault(name, ""), tally.means(size))));
        if (events != null) {
            double seconds = quantum / 1e9;
            rows.add(new MetricRow("events", "/s", events.counts(size, seconds)));
            rows.add(new MetricRow("units", "/s", events.sums(size, seconds)));
        }
        return rows;
    }
}
