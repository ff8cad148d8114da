package org.diperf.tester.engine;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.tester.machine.ProcFiles;
import org.jspecify.annotations.Nullable;

/**
 * Watches the generator itself. Its thread wakes every 10 ms; once a second it records, as observations of the tester, what
 * {@code docs/run-directory.md} lists under "The generator's own state"; what this system does not say is not recorded. The
 * thread also passes on shared blocks. All but {@link #start} and {@link #stop} is confined to it.
 */
final class SelfMonitor {

    static final long PERIOD_NANOS = 10_000_000L;

    /** A wait that is exceeded by more counts as a stand-still of the tester. */
    static final long STALL_NANOS = 10_000_000L;

    private static final long SECOND = 1_000_000_000L;
    private static final int FLUSH_EVERY = 10;
    /** Descriptors whose counting once a second costs nothing that matters; more are counted less often. */
    private static final long QUICKLY_COUNTED = 1_000;

    /** Looks for threads so many times; those that start calls are there by then. */
    private static final int SEARCHES = 5;

    /**
     * What the JVM says of itself; negative where it does not.
     *
     * @param cpuNanos processor time used by this process
     * @param collectionMillis time in which collectors stopped it
     */
    record Jvm(LongSupplier cpuNanos, LongSupplier collectionMillis) {

        static Jvm own() {
            OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
            List<GarbageCollectorMXBean> stopping = ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(collector -> !isConcurrent(collector.getName().toLowerCase(Locale.ROOT)))
                    .toList();
            return new Jvm(
                    () -> system instanceof com.sun.management.OperatingSystemMXBean own
                            ? own.getProcessCpuTime()
                            : ProcFiles.ABSENT,
                    () -> {
                        long sum = 0;
                        for (GarbageCollectorMXBean collector : stopping) {
                            sum += Math.max(0, collector.getCollectionTime());
                        }
                        return sum;
                    });
        }

        /** Collectors that work next to the program have a bean for their cycles and one for their pauses. */
        private static boolean isConcurrent(String name) {
            return name.endsWith("cycles");
        }
    }

    private final Records records;
    private final NanoClock clock;
    private final GuardedSink sink;
    private final ProcFiles proc;
    private final Jvm jvm;
    private final Consumer<String> log;
    private volatile boolean stop;
    private @Nullable Thread thread;

    private long secondBegan;
    private long cpu;
    private long gc;
    private long held;
    private long retransmits;
    private ProcFiles.@Nullable HostTime host;

    private long lastTurn;
    private long lastHeld;
    private long lastGc;
    private long hiccup;
    private long hiccupEnd;
    private long stalled;
    private long longestPause;
    private int turns;
    private int searches;
    private int secondsToCount;

    SelfMonitor(Records records, NanoClock clock, GuardedSink sink, ProcFiles proc, Jvm jvm, Consumer<String> log) {
        this.records = records;
        this.clock = clock;
        this.sink = sink;
        this.proc = proc;
        this.jvm = jvm;
        this.log = log;
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
        begin(driver);
        while (!stop) {
            LockSupport.parkNanos(this, PERIOD_NANOS);
            woke(driver);
        }
    }

    /** Takes the values from which the first second counts. */
    void begin(Driver driver) {
        proc.findTasks();
        proc.takeRunQueue();
        driver.takeMaxDelayNanos();
        host = proc.hostTime();
        retransmits = proc.tcpRetransmits();
        cpu = jvm.cpuNanos().getAsLong();
        gc = jvm.collectionMillis().getAsLong();
        lastGc = gc;
        held = sink.heldNanos();
        lastHeld = held;
        secondBegan = clock.nanoTime();
        lastTurn = secondBegan;
    }

    /** Does what is due after a wait of 10 ms. */
    void woke(Driver driver) {
        long now = clock.nanoTime();
        late(now, now - lastTurn - PERIOD_NANOS);
        long gcNow = jvm.collectionMillis().getAsLong();
        longestPause = Math.max(longestPause, gcNow - lastGc);
        driver.watch(now, log);
        lastGc = gcNow;
        if (++turns % FLUSH_EVERY == 0) {
            records.flush();
        }
        if (now - secondBegan >= SECOND) {
            endOfSecond(driver, now);
        }
        long heldNow = sink.heldNanos();
        lastTurn = clock.nanoTime();
        // A process can be stopped here too; but where the sink is full, that is another matter.
        late(lastTurn, lastTurn - now - PERIOD_NANOS - (heldNow - lastHeld));
        lastHeld = heldNow;
    }

    private void late(long now, long nanos) {
        if (nanos > hiccup) {
            hiccup = nanos;
            hiccupEnd = now;
        }
        if (nanos > STALL_NANOS) {
            stalled += nanos;
        }
    }

    private void endOfSecond(Driver driver, long now) {
        double seconds = (now - secondBegan) / 1e9;
        long cpuNow = jvm.cpuNanos().getAsLong();
        if (cpu >= 0 && cpuNow >= 0) {
            observe("tester.cpu", now, (cpuNow - cpu) / 1e9 / seconds);
        }
        observe("tester.hiccup", hiccup == 0 ? now : hiccupEnd, hiccup / 1e6);
        observe("tester.stalled", now, stalled / 1e6);
        observe("tester.gc", now, (lastGc - gc) / seconds);
        observe("tester.gc.pause", now, longestPause);
        observe("loop.delay", now, driver.takeMaxDelayNanos() / 1e6);
        long heldNow = sink.heldNanos();
        observe("tester.held", now, (heldNow - held) / 1e6 / seconds);
        observeProcess(now, seconds);
        observeHost(now, seconds);
        secondBegan = now;
        cpu = cpuNow;
        gc = lastGc;
        held = heldNow;
        hiccup = 0;
        stalled = 0;
        longestPause = 0;
    }

    private void observeProcess(long now, double seconds) {
        ProcFiles.RunQueue queue = proc.takeRunQueue();
        if (queue != null) {
            observe("tester.runqueue", now, queue.longestWaitNanos() / 1e9 / seconds);
            observe("tester.starved", now, queue.share());
        }
        if (searches < SEARCHES) {
            searches++;
            proc.findTasks();
        }
        if (secondsToCount-- > 0) {
            return;
        }
        long open = proc.openDescriptors();
        long limit = proc.descriptorLimit();
        if (open >= 0) {
            observe("tester.descriptors", now, open);
        }
        if (limit >= 0) {
            observe("tester.descriptors.limit", now, limit);
        }
        secondsToCount = (int) (Math.max(0, open) / QUICKLY_COUNTED);
    }

    private void observeHost(long now, double seconds) {
        ProcFiles.HostTime before = host;
        ProcFiles.HostTime after = proc.hostTime();
        if (before != null && after != null && after.all() > before.all()) {
            double all = (double) after.all() - before.all();
            observe("host.cpu", now, (after.busy() - before.busy()) / all * after.processors());
            observe("host.steal", now, (after.stolen() - before.stolen()) / all);
        }
        host = after;
        long sentAgain = proc.tcpRetransmits();
        if (sentAgain >= 0 && retransmits >= 0) {
            observe("host.tcp.retransmits", now, (sentAgain - retransmits) / seconds);
        }
        retransmits = sentAgain;
    }

    private void observe(String metric, long atNanos, double value) {
        records.observe(metric, atNanos, value, Records.NO_CLIENT);
    }
}
