package org.diperf.plugins.lib.batch;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;

/** The clock of a testbed; tests move it by hand. Thread-safe. */
public interface TestbedClock {

    /** The machine's. */
    TestbedClock SYSTEM = new TestbedClock() {
        @Override
        public long nanoTime() {
            return NanoClock.SYSTEM.nanoTime();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the caller asks again anyway
        public void pause(Object lock, long millis) throws InterruptedException {
            synchronized (lock) {
                lock.wait(millis);
            }
        }

        @Override
        public Runnable every(long millis, Runnable task) {
            ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread thread = new Thread(work, "diperf-batch-watch");
                thread.setDaemon(true);
                return thread;
            });
            var unused = watch.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
            return watch::shutdown;
        }
    };

    /** Returns the monotonic clock. */
    long nanoTime();

    /** Lets a lock go that the caller holds, and takes it again after so long. */
    void pause(Object lock, long millis) throws InterruptedException;

    /** Runs a task again and again, so long after its last run; returns what ends that. */
    Runnable every(long millis, Runnable task);
}
