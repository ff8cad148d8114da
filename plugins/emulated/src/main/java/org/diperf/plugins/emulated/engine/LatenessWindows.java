package org.diperf.plugins.emulated.engine;

import java.util.Arrays;
import java.util.List;

/**
 * How late packets were, by slices of time: for how long of each slice any packet was overdue, and by how much the latest
 * was late of those that were given to hosts in it. What a program waits for is a chain of packets, each sent after the one
 * before has come; so those of a chain are never overdue at the same time, and the time for which any is overdue bounds how much later
 * the last of them comes. Not thread-safe.
 */
final class LatenessWindows {

    /** Slices that are kept until they are told: what is further back counts as of the first of them. */
    private static final int MOST = 2_000;

    private final long[] overdue = new long[MOST];
    private final long[] most = new long[MOST];
    /** Number of the first slice that has not been told; of time since the clock's zero. */
    private long first = Long.MIN_VALUE;

    private long fromNanos;
    private long untilNanos = Long.MIN_VALUE;

    /**
     * Notes that packets were, or may have been, overdue.
     *
     * @param toNanos not before that of the time before
     */
    void overdue(long beginNanos, long toNanos) {
        if (toNanos <= beginNanos) {
            return;
        }
        if (beginNanos > untilNanos) {
            add(beginNanos, toNanos);
            fromNanos = beginNanos;
        } else {
            // What lies before the last stretch may be counted twice, which is more than there was, never less.
            add(beginNanos, fromNanos);
            add(untilNanos, toNanos);
            fromNanos = Math.min(fromNanos, beginNanos);
        }
        untilNanos = Math.max(untilNanos, toNanos);
    }

    private void add(long beginNanos, long toNanos) {
        for (long at = beginNanos; at < toNanos; ) {
            int place = place(at);
            long end = place == MOST - 1 ? toNanos : Math.min(toNanos, end(at));
            overdue[place] = Math.min(LatenessWindow.NANOS, overdue[place] + end - at);
            at = end;
        }
    }

    /** Notes by how much a packet was late that has been given to its host. */
    void delivered(long lateNanos, long atNanos) {
        int place = place(atNanos);
        most[place] = Math.max(most[place], lateNanos);
    }

    private static long number(long atNanos) {
        return Math.floorDiv(atNanos, LatenessWindow.NANOS);
    }

    private static long end(long atNanos) {
        return (number(atNanos) + 1) * LatenessWindow.NANOS;
    }

    private int place(long atNanos) {
        long number = number(atNanos);
        if (first == Long.MIN_VALUE) {
            first = number;
        }
        return (int) Math.max(0, Math.min(MOST - 1, number - first));
    }

    /**
     * Hands on what is known, and forgets it.
     *
     * @param knownNanos until when no more is to come
     */
    void tell(long knownNanos, List<LatenessWindow> to) {
        if (first == Long.MIN_VALUE) {
            return;
        }
        int known = (int) Math.max(0, Math.min(MOST, number(knownNanos) - first));
        for (int i = 0; i < known; i++) {
            if (overdue[i] > 0 || most[i] > 0) {
                to.add(new LatenessWindow(first + i, Math.max(1, overdue[i]), most[i]));
            }
        }
        System.arraycopy(overdue, known, overdue, 0, MOST - known);
        System.arraycopy(most, known, most, 0, MOST - known);
        Arrays.fill(overdue, MOST - known, MOST, 0);
        Arrays.fill(most, MOST - known, MOST, 0);
        first += known;
    }
}
