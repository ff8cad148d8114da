package org.diperf.analyzer.sets;

import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleColumn;

/** What is known of how much longer calls seem to have taken than they did. */
public final class Bounds {

    /** A bound this large leaves nothing; two of them can be added. */
    private static final long BEYOND = 1L << 60;

    /** Of fewer calls it says nothing of a number that they make together. */
    private static final double ENOUGH = 0.99;

    private Bounds() {}

    /**
     * Returns what a call took at least, ns; negative: that is not known.
     *
     * @param service from its recorded sending to its recorded end
     * @param errorIn see {@link org.diperf.core.sample.SampleColumn#ERROR_IN}
     * @param errorOut see {@link org.diperf.core.sample.SampleColumn#ERROR_OUT}
     */
    public static long least(long service, long errorIn, long errorOut) {
        if (errorIn == CallWriter.UNKNOWN || errorOut == CallWriter.UNKNOWN) {
            return -1;
        }
        return Math.max(0, service - Math.min(BEYOND, errorIn) - Math.min(BEYOND, errorOut));
    }

    /**
     * Returns what a call took at least, ns; negative: that is not known.
     *
     * @param calls decoded with both columns of bounds, where a block has them
     */
    public static long least(Calls calls, int row) {
        return calls.has(SampleColumn.ERROR_IN) && calls.has(SampleColumn.ERROR_OUT)
                ? least(
                        calls.latencyNanos(row) - calls.lagNanos(row),
                        calls.value(SampleColumn.ERROR_IN, row),
                        calls.value(SampleColumn.ERROR_OUT, row))
                : -1;
    }

    /**
     * Fills in what calls took at least, ns, as {@link #least(long, long, long)} says of each; faster where all of it is known.
     *
     * @return whether it is known of all
     */
    public static boolean least(long[] service, long[] errorIn, long[] errorOut, int count, long[] into) {
        long any = 0;
        for (int i = 0; i < count; i++) {
            any |= errorIn[i] | errorOut[i];
        }
        if (any >= 0 && any < BEYOND) {
            for (int i = 0; i < count; i++) {
                into[i] = Math.max(0, service[i] - errorIn[i] - errorOut[i]);
            }
            return true;
        }
        boolean all = true;
        for (int i = 0; i < count; i++) {
            into[i] = least(service[i], errorIn[i], errorOut[i]);
            all &= into[i] >= 0;
        }
        return all;
    }

    /** Returns whether so many calls of which it is known, of so many in all, are enough to bound what they make together. */
    public static boolean areEnough(long known, long all) {
        return known > 0 && known >= ENOUGH * all;
    }
}
