package org.diperf.tester.engine;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Watches the generator itself: each second, as observations of the tester, {@code tester.cpu} (cores used by this
 * process), {@code tester.hiccup} (most by which a wait of 5 ms was exceeded, ms), {@code tester.gc} (collection time,
 * ms) and {@code loop.delay} (most by which a timer of the load was late, ms). Its thread also passes on shared blocks.
 */
final class SelfWatch {

    private static final long PERIOD_NANOS = 5_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int FLUSH_EVERY = 20;

    private final Records records;
    private final NanoClock clock;
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final java.lang.management.OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    private volatile boolean stop;
    private @Nullable Thread thread;

    SelfWatch(Records records, NanoClock clock) {
        this.records = records;
        this.clock = clock;
    }

    void start(Driver driver) {
        Thread started = new Thread(() -> watch(driver), "diperf-watch");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    void stop(long millis) throws InterruptedException {
        stop = true;
        Thread started = thread;
        if (started != null) {
            LockSupport.unpark(started);
            started.join(millis);
        }
    }

    private void watch(Driver driver) {
        long secondBegan = clock.nanoTime();
        long cpu = cpuNanos();
        long gc = gcMillis();
        long hiccup = 0;
        for (int turn = 1; !stop; turn++) {
            long before = clock.nanoTime();
            LockSupport.parkNanos(this, PERIOD_NANOS);
            long now = clock.nanoTime();
            hiccup = Math.max(hiccup, now - before - PERIOD_NANOS);
            if (turn % FLUSH_EVERY == 0) {
                records.flush();
            }
            if (now - secondBegan >= SECOND) {
                long cpuNow = cpuNanos();
                long gcNow = gcMillis();
                double seconds = (now - secondBegan) / 1e9;
                observe("tester.cpu", now, (cpuNow - cpu) / 1e9 / seconds);
                observe("tester.hiccup", now, hiccup / 1e6);
                observe("tester.gc", now, gcNow - gc);
                observe("loop.delay", now, driver.takeMaxDelayNanos() / 1e6);
                secondBegan = now;
                cpu = cpuNow;
                gc = gcNow;
                hiccup = 0;
            }
        }
    }

    private void observe(String metric, long atNanos, double value) {
        records.observe(metric, atNanos, value, Records.NO_CLIENT);
    }

    private long cpuNanos() {
        return system instanceof com.sun.management.OperatingSystemMXBean own ? own.getProcessCpuTime() : 0;
    }

    private long gcMillis() {
        long sum = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            sum += Math.max(0, collector.getCollectionTime());
        }
        return sum;
    }
}
