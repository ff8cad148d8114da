package org.diperf.tester.machine;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;

/**
 * The table in which Linux, from 6.16 on, keeps the parked threads of this process. It has four buckets per processor (but
 * at least 16), and every wake-up looks through all threads in its bucket: with ten thousand parked threads on two processors that
 * takes 40 microseconds. Asked of the C library; where the system has no such table, nothing changes.
 */
public final class FutexTable {

    // <linux/prctl.h>
    private static final int PR_FUTEX_HASH = 78;
    private static final long SET_SLOTS = 1;
    private static final long GET_SLOTS = 2;

    /** So few are looked through fast enough; they are not worth loading native code for. */
    private static final int FEW = 256;

    private FutexTable() {}

    /**
     * Makes room for so many parked threads, where there is less. Does nothing for a few hundred; loads native code for
     * more.
     *
     * @param threads at least 0
     */
    public static void fit(int threads) {
        if (threads <= FEW) {
            return;
        }
        int wanted = Integer.highestOneBit(Math.min(threads, 1 << 20) - 1) << 1;
        int found = buckets();
        if (found > 0 && found < wanted) {
            var unused = call(SET_SLOTS, wanted);
        }
    }

    /** Returns how many buckets the table has; at most 0: all processes share one, or there is no telling. */
    static int buckets() {
        return call(GET_SLOTS, 0);
    }

    private static int call(long operation, long argument) {
        try {
            Function prctl = NativeLibrary.getInstance("c").getFunction("prctl");
            return prctl.invokeInt(new Object[] {PR_FUTEX_HASH, operation, argument, 0L, 0L});
        } catch (LinkageError e) {
            // Not Linux, or no native code here.
            return -1;
        }
    }
}
