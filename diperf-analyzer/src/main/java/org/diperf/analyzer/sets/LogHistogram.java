package org.diperf.analyzer.sets;

import java.util.Arrays;
import org.diperf.analyzer.stats.LogBuckets;

/**
 * Counts of values in log-linear buckets: each power of two is cut into {@code 2^bits} equal parts, so that a bucket's middle
 * is at most {@code 2^-(bits+1)} off any value in it; values below {@code 2^bits} are exact. Only the range that is used
 * takes memory; when it would take more buckets than allowed, bits are given up. A count saturates at
 * {@link Integer#MAX_VALUE}. Confined to one thread.
 */
public final class LogHistogram {

    /** No histogram has more bits; an index of so many fits into a {@code char}. */
    static final int FINEST = 10;

    private static final int GROWTH = 16;

    private final int maxBuckets;
    private int bits;
    private int low;
    private int[] counts = new int[0];

    /**
     * @param bits from 1 to {@link #FINEST}
     * @param maxBuckets at least 64
     */
    LogHistogram(int bits, int maxBuckets) {
        this.bits = bits;
        this.maxBuckets = maxBuckets;
    }

    /** @param value at least 0 */
    void add(long value, int count) {
        int at = LogBuckets.index(value, bits) - low;
        if (at < 0 || at >= counts.length) {
            at = makeRoom(value);
        }
        int sum = counts[at] + count;
        counts[at] = sum < 0 ? Integer.MAX_VALUE : sum;
    }

    /**
     * Counts values of which none is below 0.
     *
     * @param places their indices of {@link #FINEST} bits
     */
    void addAll(long[] values, char[] places, int from, int to) {
        int i = from;
        while (i < to) {
            i = bits == FINEST ? addFinest(places, i, to) : addCoarser(places, i, to);
            if (i < to) {
                add(values[i++], 1);
            }
        }
    }

    /** Counts values until one has no bucket yet; gives its place. */
    private int addFinest(char[] places, int from, int to) {
        int[] into = counts;
        int least = low;
        for (int i = from; i < to; i++) {
            int at = places[i] - least;
            if (at < 0 || at >= into.length) {
                return i;
            }
            int sum = into[at] + 1;
            into[at] = sum < 0 ? Integer.MAX_VALUE : sum;
        }
        return to;
    }

    private int addCoarser(char[] places, int from, int to) {
        int[] into = counts;
        int least = low;
        int coarse = bits;
        int fewer = FINEST - coarse;
        int shift = (fewer << coarse) - least;
        for (int i = from; i < to; i++) {
            int place = places[i];
            // Below, the index is the value.
            int at = place >= 1 << FINEST ? (place >> fewer) + shift : LogBuckets.index(place, coarse) - least;
            if (at < 0 || at >= into.length) {
                return i;
            }
            int sum = into[at] + 1;
            into[at] = sum < 0 ? Integer.MAX_VALUE : sum;
        }
        return to;
    }

    /** Counts values of which none is below 0; such as wait until they are many. */
    void addAll(int[] values, int to) {
        int[] into = counts;
        int least = low;
        int fine = bits;
        for (int i = 0; i < to; i++) {
            int at = LogBuckets.index(values[i], fine) - least;
            if (at < 0 || at >= into.length) {
                add(values[i], 1);
                into = counts;
                least = low;
                fine = bits;
            } else {
                int sum = into[at] + 1;
                into[at] = sum < 0 ? Integer.MAX_VALUE : sum;
            }
        }
    }

    /** Adds counts in finer buckets. */
    void addAll(FineHistogram finer) {
        if (finer.isEmpty()) {
            return;
        }
        // With both ends in it there is room for all between them.
        finer.takeLowest(this::add);
        finer.takeHighest(this::add);
        finer.addInner(counts, bits, low);
    }

    /** Adds the counts of another one that began with as many bits and buckets. */
    void addAll(LogHistogram other) {
        while (bits > other.bits) {
            coarsen();
        }
        for (int i = 0; i < other.counts.length; i++) {
            if (other.counts[i] > 0) {
                add(other.middle(i), other.counts[i]);
            }
        }
    }

    /** Buckets that are empty do not count: bits are given up for the range of values alone, in whichever order they came. */
    private int makeRoom(long value) {
        int index = LogBuckets.index(value, bits);
        int first = Math.min(index, low + firstUsed());
        int last = Math.max(index, low + lastUsed());
        while (last - first >= maxBuckets) {
            first = LogBuckets.index(LogBuckets.lowest(first, bits), bits - 1);
            last = LogBuckets.index(LogBuckets.lowest(last, bits), bits - 1);
            coarsen();
            index = LogBuckets.index(value, bits);
        }
        int used = last + 1 - first;
        int length = Math.min(maxBuckets, Math.max(used, counts.length * 3 / 2 + GROWTH));
        int spare = length - used;
        int below = index == first ? Math.min(spare, Math.max(GROWTH / 2, spare / 2)) : Math.min(spare, GROWTH / 2);
        int begin = Math.max(0, first - below);
        // Buckets of values that no long holds would turn negative.
        int[] wider = new int[Math.min(length, LogBuckets.index(Long.MAX_VALUE, bits) + 1 - begin)];
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                wider[low + i - begin] = counts[i];
            }
        }
        counts = wider;
        low = begin;
        return index - low;
    }

    private int firstUsed() {
        int i = 0;
        while (i < counts.length && counts[i] == 0) {
            i++;
        }
        return i < counts.length ? i : Integer.MAX_VALUE - low;
    }

    private int lastUsed() {
        int i = counts.length - 1;
        while (i >= 0 && counts[i] == 0) {
            i--;
        }
        return i >= 0 ? i : -low;
    }

    private void coarsen() {
        if (counts.length == 0) {
            bits--;
            return;
        }
        int from = LogBuckets.index(LogBuckets.lowest(low, bits), bits - 1);
        int to = LogBuckets.index(LogBuckets.lowest(low + counts.length - 1, bits), bits - 1);
        int[] fewer = new int[to - from + 1];
        for (int i = 0; i < counts.length; i++) {
            int at = LogBuckets.index(LogBuckets.lowest(low + i, bits), bits - 1) - from;
            int sum = fewer[at] + counts[i];
            fewer[at] = sum < 0 ? Integer.MAX_VALUE : sum;
        }
        bits--;
        low = from;
        counts = fewer;
    }

    /** Counts the buckets there are; most may be empty. */
    int buckets() {
        return counts.length;
    }

    int count(int bucket) {
        return counts[bucket];
    }

    /** Returns the value in the middle of a bucket. */
    public long middle(int bucket) {
        return LogBuckets.middle(low + bucket, bits);
    }

    int bytes() {
        return counts.length * Integer.BYTES;
    }

    /** Finds the middle of the bucket that holds the value of this rank, from 1. */
    long ranked(long rank) {
        long seen = 0;
        int last = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                seen += counts[i];
                last = i;
                if (seen >= rank) {
                    break;
                }
            }
        }
        return middle(last);
    }

    @Override
    public String toString() {
        return "LogHistogram of " + bits + " bits, "
                + Arrays.stream(counts).asLongStream().sum() + " values";
    }
}
