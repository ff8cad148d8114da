package org.diperf.analyzer.count;

import org.diperf.analyzer.result.ClientSide.EventCounts;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.run.RunRecord.StreamRecord;
import org.diperf.core.sample.Events;
import org.jspecify.annotations.Nullable;

/**
 * What came within calls, counted when it came and whatever became of its call. Of the gap between two events of a call the second says
 * when it was. Confined to one thread.
 */
public final class EventTally {

    /** Name of the metric that all gaps are. */
    public static final String GAP = "gap";

    private static final double MILLI = 1e6;

    private final @Nullable StreamRecord stream;
    private final Durations gaps = new Durations(Kind.TOTAL);
    private long count;
    private long units;

    /** @param stream what the plugin says of its events; {@code null}: nothing */
    EventTally(@Nullable StreamRecord stream) {
        this.stream = stream;
    }

    /**
     * Counts a block of events.
     *
     * @param within the part of the run of which they are counted
     * @param overTime takes all of them
     */
    void count(Events events, TesterClock clock, ScopeTally within, MetricTallies overTime) {
        for (int row = 0; row < events.rows(); row++) {
            long at = Math.max(0, clock.sinceStart(events.timeNanos(row)));
            long gap = events.isFirst(row) ? -1 : events.gapNanos(row);
            overTime.event(at, events.count(row), gap / MILLI, gap >= 0);
            if (within.holds(at)) {
                count++;
                units += events.count(row);
                if (gap >= 0) {
                    gaps.add(gap);
                }
            }
        }
    }

    void addAll(EventTally other) {
        gaps.addAll(other.gaps);
        count += other.count;
        units += other.units;
    }

    /** Returns how many there were; {@code null}: none. */
    @Nullable
    EventCounts counts(long nanos) {
        return count == 0
                ? null
                : new EventCounts(
                        stream == null ? "unit" : stream.unit(),
                        count,
                        count * 1e9 / nanos,
                        units,
                        units * 1e9 / nanos);
    }

    /** Returns the gaps, in ms; {@code null}: there are none. */
    @Nullable
    MetricSummary gaps() {
        Statistics values = gaps.statistics();
        return values == null ? null : new MetricSummary("ms", values);
    }
}
