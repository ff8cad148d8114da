package org.diperf.plugins.lib.process;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts programs. Thread-safe. */
public abstract class Launcher implements AutoCloseable {

    private static final long CLOSE_SECONDS = 2;
    private static final AtomicInteger THREADS = new AtomicInteger();

    /** Threads for what cannot be done on that of the caller. */
    final ExecutorService workers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "diperf-process-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    Launcher() {}

    /** Returns the best launcher of this machine: by posix_spawn, or the JDK's where JNA cannot be loaded. */
    public static Launcher best() {
        try {
            return new SpawnLauncher();
        } catch (LinkageError e) {
            return new JdkLauncher(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the launcher of the JDK, which knows no process groups. */
    public static Launcher ofJdk() {
        return new JdkLauncher("as requested");
    }

    /**
     * Starts a program; who starts one waits for it too.
     *
     * @throws ProgramStartException when that is not possible
     */
    public abstract RunningProgram start(Program program) throws ProgramStartException;

    /**
     * Looks how late the current thread runs, so that programs for which it waits have known beginnings and ends. To be closed
     * by that thread.
     */
    public abstract ReaperThread waiting();

    /** Says what this launcher cannot do and why, or nothing when it can do everything. */
    public abstract String limits();

    /** Frees what is held beyond the programs. */
    void release() {}

    /** Ends the threads; the programs must have ended. */
    @Override
    public final void close() {
        workers.shutdown();
        try {
            workers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        release();
    }
}
