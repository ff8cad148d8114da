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

    int packets() {
        return count;
    }

    long bytes() {
        return sum;
    }
}
