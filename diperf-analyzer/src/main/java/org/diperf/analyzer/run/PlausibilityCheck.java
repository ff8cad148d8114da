package org.diperf.analyzer.run;

import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Outcome;

/**
 * What a call or an observation can say whatever was measured, so that nothing behind it meets a time below 0, an infinite
 * value, or a number that overflows a sum. Testers that lie are the only ones known to say anything else.
 */
public final class PlausibilityCheck {

    /** The longest response time, ns: 834 days. A tester's clock may jump ahead within a call, so the run is no bound. */
    static final long MAX_NANOS = 1L << 56;

    /** The most bytes that a call moves: 64 TiB; those of the calls of one block fit into a sum. */
    static final long MAX_BYTES = 1L << 46;

    /** The largest value of a metric, either way, in its unit: the squares of any number of them fit into a double. */
    private static final double MAX_VALUE = 1e30;

    private PlausibilityCheck() {}

    /** Returns whether a metric can have a value; {@code NaN}, which was not measured, is none. */
    public static boolean isValue(double value) {
        return Math.abs(value) <= MAX_VALUE;
    }

    /** Returns whether what a tester observes of itself, or of its way to the target, can be: times, shares and counts. */
    public static boolean isOwnValue(double value) {
        return value >= 0 && value <= MAX_VALUE;
    }

    /**
     * Finds the first call of a block whose times or bytes cannot be.
     *
     * @return its row; -1: there is none
     */
    public static int firstImpossible(Calls calls) {
        long[] latency = calls.latencyNanos();
        long[] lag = calls.lagNanos();
        long[] bytes = calls.bytes();
        // Below 0 as soon as one of them is: without a branch, the compiler takes several rows at once.
        long signs = 0;
        for (int row = 0; row < calls.rows(); row++) {
            signs |= latency[row]
                    | lag[row]
                    | bytes[row]
                    | latency[row] - lag[row]
                    | MAX_NANOS - latency[row]
                    | MAX_BYTES - bytes[row];
        }
        for (int row = 0; signs < 0 && row < calls.rows(); row++) {
            if (!isPossible(calls, row)) {
                return row;
            }
        }
        return -1;
    }

    /** An arrival that was dropped was never sent: its lag says when that was known, and it has no response. */
    private static boolean isPossible(Calls calls, int row) {
        long latency = calls.latencyNanos(row);
        long lag = calls.lagNanos(row);
        long bytes = calls.bytes(row);
        return latency >= 0
                && latency <= MAX_NANOS
                && lag >= 0
                && lag <= MAX_NANOS
                && (lag <= latency || calls.outcome(row).equals(Outcome.DROPPED))
                && bytes >= 0
                && bytes <= MAX_BYTES;
    }

    /** Refuses a block with such a call. */
    public static void check(Block header, Calls calls) throws CorruptBlockException {
        int row = firstImpossible(calls);
        if (row >= 0) {
            throw new CorruptBlockException(
                    "expected plausible calls, got one from tester " + header.tester() + " with " + words(calls, row));
        }
    }

    /** Describes the times and bytes of a call. */
    public static String words(Calls calls, int row) {
        return "a response time of " + calls.latencyNanos(row) + " ns, a send lag of " + calls.lagNanos(row)
                + " ns and " + calls.bytes(row) + " bytes";
    }
}
