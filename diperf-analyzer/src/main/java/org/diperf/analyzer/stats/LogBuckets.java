package org.diperf.analyzer.stats;

/**
 * Buckets that are as wide as a value's highest bits: with {@code bits} of them, values below 2^bits have a bucket each, and above
 * a bucket spans at most 2^-bits of its values. Hot: nothing here allocates.
 */
public final class LogBuckets {

    private LogBuckets() {}

    /** Returns the bucket of a value from 0. */
    public static int index(long value, int bits) {
        int shift = 63 - bits - Long.numberOfLeadingZeros(value | 1L << bits);
        return (shift << bits) + (int) (value >>> shift);
    }

    /** Returns the least value of a bucket. */
    public static long lowest(int index, int bits) {
        int shift = (index >>> bits) - 1;
        return shift < 0 ? index : ((1L << bits) + (index & ((1 << bits) - 1))) << shift;
    }

    /** Returns the value in the middle of a bucket. */
    public static long middle(int index, int bits) {
        long from = lowest(index, bits);
        long to = lowest(index + 1, bits);
        return from + (to - from) / 2;
    }
}
