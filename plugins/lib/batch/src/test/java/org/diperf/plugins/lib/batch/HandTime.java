package org.diperf.plugins.lib.batch;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Time that passes when somebody waits, or the test says so. */
public final class HandTime implements TestbedClock {

    /** A second. */
    public static final long S = 1_000_000_000L;

    private long now = 50 * S;
    private long pauseNanos = S;
    private @Nullable Runnable watch;

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized void pause(Object lock, long millis) {
        now += pauseNanos;
    }

    @Override
    public synchronized Runnable every(long millis, Runnable task) {
        watch = task;
        return () -> watch = null;
    }

    /** Says how long every wait takes. */
    public synchronized void waitsTake(long nanos) {
        pauseNanos = nanos;
    }

    /** Returns whether somebody looks again and again. */
    public boolean isWatched() {
        return watch != null;
    }

    /** Lets the testbed look at its jobs after so long. */
    public void look(long afterNanos) {
        synchronized (this) {
            now += afterNanos;
        }
        requireNonNull(watch, "watch").run();
    }
}
