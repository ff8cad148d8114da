package org.diperf.plugins.emulated.engine;

/** The packets in a link's queue, by when they will have left it. Not thread-safe. */
final class Departures {

    private long[] nanos = new long[64];
    private int[] bytes = new int[64];
    private int first;
    private int count;
    private long sum;

    /** Forgets those that have left. */
    void forget(long nowNanos) {
        while (count > 0 && nanos[first] <= nowNanos) {
            sum -= bytes[first];
            first = first + 1 & nanos.length - 1;
            count--;
        }
    }

    void add(long leavesNanos, int size) {
        if (count == nanos.length) {
            grow();
        }
        int at = first + count & nanos.length - 1;
        nanos[at] = leavesNanos;
        bytes[at] = size;
        sum += size;
        count++;
    }

    /** Forgets all. */
    void clear() {
        count = 0;
        sum = 0;
    }

    /** Has those that have not left do so earlier or later: what is left of their wait is multiplied. */
    void stretch(long nowNanos, double factor) {
        forget(nowNanos);
        for (int i = 0; i < count; i++) {
            int at = first + i & nanos.length - 1;
            nanos[at] = stretched(nanos[at], nowNanos, factor);
        }
    }

    /** Returns when what was to happen at an instant does when the rest of the wait is multiplied. */
    static long stretched(long atNanos, long nowNanos, double factor) {
        return atNanos <= nowNanos ? atNanos : nowNanos + (long) Math.ceil((atNanos - nowNanos) * factor);
    }

    private void grow() {
        int old = nanos.length;
        long[] moreNanos = new long[2 * old];
        int[] moreBytes = new int[2 * old];
        for (int i = 0; i < old; i++) {
            moreNanos[i] = nanos[first + i & old - 1];
            moreBytes[i] = bytes[first + i & old - 1];
        }
        nanos = moreNanos;
        bytes = moreBytes;
        first = 0;
    }

    /** Counts those that have not left at an instant, without forgetting the others. */
    int packetsAt(long nowNanos) {
        int left = 0;
        int end = count;
        while (left < end) {
            int middle = left + end >>> 1;
            if (nanos[first + middle & nanos.length - 1] <= nowNanos) {
                left = middle + 1;
            } else {
                end = middle;
            }
        }
        return count - left;
    }

    /** Returns the bytes of the last packets together. */
    long bytesOfLast(int packets) {
        long bytesOfThem = 0;
        for (int i = count - packets; i < count; i++) {
            bytesOfThem += bytes[first + i & nanos.length - 1];
        }
        return bytesOfThem;
    }

    /** Returns when a packet leaves, by its number from the last, which is 1. */
    long leavesNanos(int fromLast) {
        return nanos[first + count - fromLast & nanos.length - 1];
    }

    int packets() {
        return count;
    }

    long bytes() {
        return sum;
    }
}
