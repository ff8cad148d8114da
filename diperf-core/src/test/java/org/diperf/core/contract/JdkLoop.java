package org.diperf.core.contract;

import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/** A loop of the JDK alone: what a plugin jar with a Netty of its own meets. */
public final class JdkLoop implements TestLoop {

    private static final long CLOSE_SECONDS = 5;

    private volatile @Nullable Thread thread;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "diperf-test-loop");
        made.setDaemon(true);
        thread = made;
        return made;
    });

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Interrupts what the loop's thread is doing. */
    void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public long nanoTime() {
        return NanoClock.SYSTEM.nanoTime();
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public Timer timer(Runnable task) {
        return new Timer() {
            private @Nullable ScheduledFuture<?> armed;

            @Override
            public void arm(long atNanos) {
                disarm();
                armed = executor.schedule(task, Math.max(0, atNanos - nanoTime()), TimeUnit.NANOSECONDS);
            }

            @Override
            public void disarm() {
                if (armed != null) {
                    armed.cancel(false);
                    armed = null;
                }
            }
        };
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
