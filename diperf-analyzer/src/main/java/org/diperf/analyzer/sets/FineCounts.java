package org.diperf.analyzer.sets;

import java.util.Arrays;
import org.diperf.analyzer.stats.LogBuckets;

/**
 * Counts of times below 2^31 ns in the finest buckets that any set has ({@link LogHistogram#FINEST} bits), gathered from many
 * blocks and then added to all sets that are to hold them: a bucket of a coarser set is a number of these. Takes 88 KiB.
 * Confined to one thread.
 */
public final class FineCounts {

    /** One more than the place of the greatest time. */
    private static final int LENGTH = LogBuckets.index(Integer.MAX_VALUE, LogHistogram.FINEST) + 1;

    private final int[] counts = new int[LENGTH];
    private int low = LENGTH;
    private int high = -1;

    /** Takes each bucket that is not empty. */
    public interface Taker {

        /**
         * Takes a bucket.
         *
         * @param value one of those that belong into it
         */
        void take(long value, int count);
    }

    /**
     * Counts times of which the sums are known.
     *
     * @param places their buckets
     */
    public void addAll(char[] places, int from, int to, Sums sums) {
        low = Math.min(low, LogBuckets.index(sums.least, LogHistogram.FINEST));
        high = Math.max(high, LogBuckets.index(sums.greatest, LogHistogram.FINEST));
        int[] into = counts;
        for (int i = from; i < to; i++) {
            into[places[i]]++;
        }
    }

    public boolean isEmpty() {
        return high < 0;
    }

    /**
     * Gives the counts in coarser buckets, from the lowest on.
     *
     * @param bits at most as many as these have
     */
    public void forEach(int bits, Taker taker) {
        int i = low;
        while (i <= high) {
            long value = LogBuckets.lowest(i, LogHistogram.FINEST);
            // The first value of the next coarser bucket is the first of a finer one.
            long next = LogBuckets.lowest(LogBuckets.index(value, bits) + 1, bits);
            int end = Math.min(high + 1, LogBuckets.index(next, LogHistogram.FINEST));
            int sum = 0;
            while (i < end) {
                sum += counts[i++];
            }
            if (sum > 0) {
                taker.take(value, sum);
            }
        }
    }

    public void clear() {
        if (high >= 0) {
            Arrays.fill(counts, low, high + 1, 0);
        }
        low = LENGTH;
        high = -1;
    }
}
