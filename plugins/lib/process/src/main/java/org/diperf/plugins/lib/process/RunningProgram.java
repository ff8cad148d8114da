package org.diperf.plugins.lib.process;

import org.jspecify.annotations.Nullable;

/** A program that was started. One thread waits for it; any may kill it. */
public abstract class RunningProgram {

    /** Stands for: nothing is known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    RunningProgram() {}

    /** Waits for the program without asking when it began and ended; see {@link #await(ReaperThread)}. */
    public final ExitStatus await() throws InterruptedException {
        return await(ReaperThread.UNWATCHED);
    }

    /**
     * Waits until the program has ended, and been reaped, and its output has been taken. To be called once: the thread
     * that waits is the one that serves the program.
     *
     * @param waiting what is known of the calling thread, from {@link Launcher#waiting}
     * @throws InterruptedException when the thread was interrupted; the program and all that it started have then been
     *     killed
     */
    public abstract ExitStatus await(ReaperThread waiting) throws InterruptedException;

    /** Returns when at the latest the program was running, {@link System#nanoTime}; known once it has ended. */
    public abstract long startedNanos();

    /**
     * Returns when at the earliest its end would have been seen, {@link System#nanoTime}, had neither the program nor who
     * waited for it been kept from running; {@link #UNKNOWN} of one that had several threads or children of its own, and
     * where the system does not say. Known once it has ended.
     */
    public abstract long endedNanos();

    /**
     * Returns how long the program has waited for a processor; for the thread that takes its output, until it has ended.
     * {@code null} where the system does not say.
     */
    public abstract @Nullable RunQueueWait waits();

    /** Kills the program and everything in its process group; nothing happens when it has ended. */
    public abstract void kill();
}
