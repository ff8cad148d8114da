package org.diperf.plugins.emulated.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Tells what an engine has done, ten times a second, without holding up the thread that carries packets: that one copies
 * numbers when it is asked to, and another thread, made here, makes lines of them and asks again.
 */
final class EngineReporter implements AutoCloseable {

    private static final long PERIOD_NANOS = 100_000_000L;

    private final EngineReport report;
    private final Consumer<String> out;
    private final Thread thread;
    /** Whose the report is: while it is wanted, the thread's that carries packets. */
    private volatile boolean isWanted = true;

    private volatile boolean isOver;

    /** @param out gets the lines of a report, each with its end */
    EngineReporter(EngineReport report, Consumer<String> out) {
        this.report = report;
        this.out = out;
        this.thread = new Thread(this::tell, "diperf-emulated-report");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void tell() {
        while (!isOver) {
            LockSupport.parkNanos(PERIOD_NANOS);
            tellNow();
        }
    }

    /** Writes the report, if it has been filled. */
    void tellNow() {
        if (!isWanted) {
            out.accept(report.lines());
            isWanted = true;
        }
    }

    /** Returns whether the report is to be filled, by the thread that carries packets. */
    boolean isWanted() {
        return isWanted;
    }

    EngineReport report() {
        return report;
    }

    /** Says that the report has been filled. */
    void filled() {
        isWanted = false;
    }

    @Override
    public void close() throws InterruptedException {
        isOver = true;
        LockSupport.unpark(thread);
        thread.join();
    }
}
