package org.diperf.analyzer.sets;

import org.diperf.analyzer.stats.LogBuckets;

/** What several sets need of the same times, worked out once. Confined to one thread. */
public final class Sums {

    private static final long SMALL = 1L << 31;

    long least;
    public long greatest;
    public long sum;
    long squares;
    /** Whether sum and squares are right: not where they would not fit, or a time is below 0. */
    public boolean fits;

    /**
     * Takes the times from one place to before another, at most 65,536, and finds their buckets.
     *
     * @param places is given of each time its index of {@link LogHistogram#FINEST} bits; of no use where the sums do not fit
     */
    public Sums of(long[] times, char[] places, int from, int to) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long added = 0;
        long squared = 0;
        // A loop by itself, which the compiler turns into instructions for eight times at once.
        for (int i = from; i < to; i++) {
            added += times[i];
            squared += times[i] * times[i];
        }
        for (int i = from; i < to; i++) {
            long time = times[i];
            low = Math.min(low, time);
            high = Math.max(high, time);
            places[i] = (char) LogBuckets.index(time, LogHistogram.FINEST);
        }
        set(low, high, added, squared, to - from);
        return this;
    }

    /** Takes the times from one place to before another, at most 65,536. */
    public Sums of(long[] times, int from, int to) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long added = 0;
        long squared = 0;
        for (int i = from; i < to; i++) {
            long time = times[i];
            low = Math.min(low, time);
            high = Math.max(high, time);
            added += time;
            squared += time * time;
        }
        set(low, high, added, squared, to - from);
        return this;
    }

    /** Takes times from the first to before a place. */
    public Sums of(int[] times, int to) {
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        long added = 0;
        long squared = 0;
        for (int i = 0; i < to; i++) {
            int time = times[i];
            low = Math.min(low, time);
            high = Math.max(high, time);
            added += time;
            squared += (long) time * time;
        }
        set(low, high, added, squared, to);
        return this;
    }

    private void set(long low, long high, long added, long squared, int count) {
        least = low;
        greatest = high;
        sum = added;
        squares = squared;
        fits = low >= 0 && high < SMALL && high * high <= Long.MAX_VALUE / Math.max(1, count);
    }
}
