package org.diperf.analyzer.sets;

import java.util.Arrays;
import org.diperf.analyzer.stats.LogBuckets;

/**
 * Counts of times below 2^31 ns in the finest buckets that any set has ({@link LogHistogram#FINEST} bits), gathered from many
 * blocks and then added to all sets that are to hold them: a bucket of a coarser set is a number of these. Takes 88 KiB.
 * Confined to one thread.
 */
public final class FineHistogram {

    /** One more than the place of the greatest time. */
    private static final int LENGTH = LogBuckets.index(Integer.MAX_VALUE, LogHistogram.FINEST) + 1;

    private final int[] counts = new int[LENGTH];
    private int low = LENGTH;
    private int high = -1;

    /** Takes each bucket that is not empty. */
    public interface ValueConsumer {

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
    public void forEach(int bits, ValueConsumer taker) {
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

    /** Gives the lowest bucket that is not empty; there is one. */
    void takeLowest(ValueConsumer taker) {
        taker.take(LogBuckets.lowest(low, LogHistogram.FINEST), counts[low]);
    }

    /** Gives the highest bucket that is not empty, unless it is the lowest too. */
    void takeHighest(ValueConsumer taker) {
        if (high > low) {
            taker.take(LogBuckets.lowest(high, LogHistogram.FINEST), counts[high]);
        }
    }

    /**
     * Adds all but the lowest and the highest bucket to coarser ones.
     *
     * @param into has room for them; its counts saturate
     * @param bits of the coarser buckets, at most as many as these have
     * @param first the index of the bucket at 0
     */
    void addInner(int[] into, int bits, int first) {
        int fewer = LogHistogram.FINEST - bits;
        if (fewer == 0) {
            addInner(into, first);
            return;
        }
        int i = low + 1;
        // So far an index is the value.
        for (int end = Math.min(high, 1 << LogHistogram.FINEST); i < end; i++) {
            add(into, LogBuckets.index(i, bits) - first, counts[i]);
        }
        int shift = (fewer << bits) - first;
        while (i < high) {
            int coarse = i >> fewer;
            int end = Math.min(high, coarse + 1 << fewer);
            int sum = 0;
            while (i < end) {
                sum += counts[i++];
            }
            add(into, coarse + shift, sum);
        }
    }

    /** The same for buckets as fine as these: the compiler adds eight at a time. */
    private void addInner(int[] into, int first) {
        int[] from = counts;
        for (int i = low + 1; i < high; i++) {
            into[i - first] = saturated(into[i - first] + from[i]);
        }
    }

    private static void add(int[] into, int at, int count) {
        into[at] = saturated(into[at] + count);
    }

    /** Returns the greatest int in place of a sum that has become negative. */
    private static int saturated(int sum) {
        return (sum | sum >> 31) & Integer.MAX_VALUE;
    }

    public void clear() {
        if (high >= 0) {
            Arrays.fill(counts, low, high + 1, 0);
        }
        low = LENGTH;
        high = -1;
    }
}
