package org.diperf.plugins.emulated.engine;

import java.util.Arrays;

/** Counts times by size, in classes of which each is an eighth of a power of two wide. Not thread-safe. */
public final class TimeHistogram {

    private static final int STEPS = 8;
    private static final int STEP_BITS = 3;
    private static final int CLASSES = STEPS * (Long.SIZE - STEP_BITS);

    private final long[] counts = new long[CLASSES];
    private long count;

    /** Counts a time in nanoseconds; below 0 counts as 0. */
    public void add(long nanos) {
        counts[classOf(Math.max(0, nanos))]++;
        count++;
    }

    public long count() {
        return count;
    }

    /** Forgets what was counted. */
    public void clear() {
        Arrays.fill(counts, 0);
        count = 0;
    }

    private static int classOf(long nanos) {
        if (nanos < STEPS) {
            return (int) nanos;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        return (power - STEP_BITS + 1) * STEPS + (int) (nanos >> power - STEP_BITS) - STEPS;
    }

    /**
     * Returns the time that a share of the counted ones does not exceed, in nanoseconds: the end of its class, at most an
     * eighth above.
     *
     * @param share above 0, at most 1
     * @return 0 where nothing was counted
     */
    public long quantileNanos(double share) {
        long wanted = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < CLASSES; i++) {
            seen += counts[i];
            if (seen >= wanted && seen > 0) {
                return endOf(i);
            }
        }
        return 0;
    }

    private static long endOf(int place) {
        if (place < STEPS) {
            return place;
        }
        int power = place / STEPS + STEP_BITS - 1;
        return (STEPS + place % STEPS + 1L << power - STEP_BITS) - 1;
    }
}
