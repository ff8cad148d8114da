package org.diperf.plugins.lib.process;

/**
 * What is known at an instant of a program and of the thread that waits for it.
 *
 * @param atNanos the instant, {@link System#nanoTime}
 * @param busyNanos for how long the thread has had something to do so far, see {@link ReaperThread#busyNanos}
 * @param waitedNanos for how long the program's first thread has waited for a processor so far
 */
record ProgramTimes(long atNanos, long busyNanos, long waitedNanos) {

    static final ProgramTimes NOTHING = new ProgramTimes(0, RunningProgram.UNKNOWN, RunningProgram.UNKNOWN);

    /**
     * What passes at most, as a rule, until Linux counts a thread that it wakes as waiting: the processor that is to run it may
     * rest, and must be woken first.
     */
    static final long WAKE_NANOS = 50_000;

    /** So much work of others than its first thread a program may seem to have done by rounding, or while it ended. */
    static final long OTHERS_NANOS = 100_000;

    /**
     * Returns when at the earliest a program would have been seen to have ended, if neither it nor the thread that waited for
     * it had been kept from running: that thread was asleep until the program's end, but for the time in which it was busy.
     *
     * @param found when its end was found; this is of some time before, while the program existed
     * @return {@link RunningProgram#UNKNOWN} where not all is known
     */
    long endedNanos(ProgramTimes found) {
        boolean known = busyNanos != RunningProgram.UNKNOWN
                && found.busyNanos != RunningProgram.UNKNOWN
                && waitedNanos != RunningProgram.UNKNOWN
                && found.waitedNanos != RunningProgram.UNKNOWN;
        return known
                ? found.atNanos - (found.busyNanos - busyNanos) - WAKE_NANOS - (found.waitedNanos - waitedNanos)
                : RunningProgram.UNKNOWN;
    }

    /**
     * Returns whether a program that has ended had one thread only and no children: of others nobody counts how long they
     * waited.
     *
     * @param ranNanos for how long its first thread was on a processor
     * @param turns how often that thread got a processor
     * @param usedNanos for how long all its threads, and the children that it waited for, were on a processor
     * @param switches how often one of them left a processor
     */
    static boolean isAlone(long ranNanos, long turns, long usedNanos, long switches) {
        return turns >= switches && usedNanos - ranNanos <= OTHERS_NANOS;
    }
}
