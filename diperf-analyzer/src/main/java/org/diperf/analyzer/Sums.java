package org.diperf.analyzer;

/** What several sets need of the same times, worked out once. Confined to one thread. */
final class Sums {

    private static final long SMALL = 1L << 31;

    long least;
    long greatest;
    long sum;
    long squares;
    /** Whether sum and squares are right: not where they would not fit, or a time is below 0. */
    boolean fits;

    /** Takes the times from one place to before another, at most 65,536. */
    Sums of(long[] times, int from, int to) {
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
        least = low;
        greatest = high;
        sum = added;
        squares = squared;
        fits = low >= 0 && high < SMALL && high * high <= Long.MAX_VALUE / Math.max(1, to - from);
        return this;
    }
}
