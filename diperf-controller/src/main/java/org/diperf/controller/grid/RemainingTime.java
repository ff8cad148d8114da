package org.diperf.controller.grid;

import java.util.List;
import java.util.OptionalLong;

/**
 * Says how long the rest of a grid takes: what is planned of it, and for each run as much besides as the runs before took on
 * average; where nobody knows how long a run takes, as long as those before. Confined to one thread.
 */
public final class RemainingTime {

    private final List<OptionalLong> planned;
    private final long pauseNanos;
    private int next;
    private int done;
    private long tookNanos;
    private long plannedNanos;

    /**
     * @param planned length of each run, nanoseconds, in their order; empty: nobody knows
     * @param pauseNanos between two runs
     */
    public RemainingTime(List<OptionalLong> planned, long pauseNanos) {
        this.planned = List.copyOf(planned);
        this.pauseNanos = pauseNanos;
    }

    /** Learns how long the next run took from its begin to its report. */
    public void ended(long nanos) {
        tookNanos += nanos;
        plannedNanos += planned.get(next).orElse(0);
        next++;
        done++;
    }

    /** Learns that the next run is not carried out. */
    void leftOut() {
        next++;
    }

    /** Returns the time from the begin of the next run until the end; empty where nobody knows. */
    public OptionalLong nanos() {
        boolean known = planned.stream().allMatch(OptionalLong::isPresent);
        if (!known && done == 0) {
            return OptionalLong.empty();
        }
        long runs = (long) planned.size() - next;
        if (runs == 0) {
            return OptionalLong.of(0);
        }
        long pauses = (runs - 1) * pauseNanos;
        if (!known) {
            return OptionalLong.of(pauses + runs * (tookNanos / done));
        }
        long rest = planned.stream()
                .skip(next)
                .mapToLong(length -> length.orElse(0))
                .sum();
        long besides = done == 0 ? 0 : Math.max(0, (tookNanos - plannedNanos) / done);
        return OptionalLong.of(pauses + rest + runs * besides);
    }
}
