package org.diperf.plugins.lib.process;

/** A program that was started. One thread waits for it; any may kill it. */
public abstract class Running {

    Running() {}

    /**
     * Waits until the program has ended, and been reaped, and its output has been taken. To be called once: the thread
     * that waits is the one that serves the program.
     *
     * @throws InterruptedException when the thread was interrupted; the program and all that it started have then been
     *     killed
     */
    public abstract Exit await() throws InterruptedException;

    /** Kills the program and everything in its process group; nothing happens when it has ended. */
    public abstract void kill();
}
