package org.diperf.plugins.stream;

/**
 * For how long a program had waited for a processor at instants of the past: at all recent ones that were noted, and at fewer
 * of those long ago. Confined to one thread at a time.
 */
final class RunQueueWaitHistory {

    /** Instants that are kept; when there are as many, every second one of the older half is forgotten. */
    static final int MOST = 64;

    private final long[] at = new long[MOST];
    private final long[] waited = new long[MOST];
    private int count;

    /**
     * Notes how long it has waited since it began.
     *
     * @param atNanos not before any that was noted before
     */
    void add(long atNanos, long waitedNanos) {
        if (count == MOST) {
            count = 0;
            for (int i = 0; i < MOST; i += i < MOST / 2 ? 2 : 1) {
                at[count] = at[i];
                waited[count++] = waited[i];
            }
        }
        at[count] = atNanos;
        waited[count++] = waitedNanos;
    }

    /** Returns how long it had waited, at the least, when it was that instant: 0 for one before all that is kept. */
    long leastAt(long atNanos) {
        for (int i = count - 1; i >= 0; i--) {
            if (at[i] - atNanos <= 0) {
                return waited[i];
            }
        }
        return 0;
    }
}
