package org.diperf.tester.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/** Runs blocking clients: a thread each, one pacer for the arrivals of open load, one watchdog for timeouts. */
final class BlockingLoad implements Driver {

    private static final long WATCH_NANOS = 5_000_000L;
    /** Whoever changes what is waited for wakes those who wait; this only bounds the harm of a clock that jumps. */
    private static final long LONGEST_PARK_NANOS = 5_000_000_000L;

    private final RunSetup setup;
    private final NanoClock clock;
    private final ClientMaker maker;
    private final Records records;
    private final boolean spin;
    private final List<BlockingWorker> workers = new ArrayList<>();
    private final Set<BlockingWorker> replacing = new HashSet<>();
    private final ArrayDeque<BlockingWorker> free = new ArrayDeque<>();
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong ok = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong lateEnds = new AtomicLong();
    private final AtomicLong firstCall = new AtomicLong();
    private final AtomicLong maxDelay = new AtomicLong();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Thread watchdog;
    private final Thread pacer;
    private Runnable whenDone = () -> {};
    private volatile long startNanos;
    private volatile int stagesOver;
    private volatile boolean stopping;
    private volatile boolean terminated;
    private volatile long cutOffNanos;

    BlockingLoad(RunSetup setup, NanoClock clock, ClientMaker maker, Records records) {
        this.setup = setup;
        this.clock = clock;
        this.maker = maker;
        this.records = records;
        int most =
                setup.plan().stages().stream().mapToInt(setup::clientsOf).max().orElse(0);
        ClientThreads.check(most);
        this.spin = most <= 4 * Runtime.getRuntime().availableProcessors();
        this.watchdog = new Thread(this::watch, "diperf-watchdog");
        watchdog.setDaemon(true);
        this.pacer = new Thread(this::pace, "diperf-pacer");
        pacer.setDaemon(true);
    }

    // ---- driver ----

    @Override
    public void whenDone(Runnable task) {
        whenDone = task;
    }

    @Override
    public void prepare(int openFirst) throws InterruptedException {
        int first = 0;
        for (Stage stage : setup.plan().stages()) {
            int places = setup.clientsOf(stage);
            first = Math.max(first, stage.load() instanceof ClosedLoad ? places : Math.min(places, openFirst));
        }
        List<BlockingWorker> made = new ArrayList<>();
        for (int place = 0; place < first; place++) {
            made.add(add(place, 0));
        }
        for (BlockingWorker worker : made) {
            worker.awaitOpened();
        }
        boolean anyOpenLoad = setup.plan().stages().stream().anyMatch(stage -> stage.load() instanceof OpenLoad);
        if (anyOpenLoad && made.stream().anyMatch(BlockingWorker::isSelfTimed)) {
            throw new IllegalArgumentException("Wanted closed load, because this client times its calls itself; found"
                    + " open load. Stream clients run in closed load: use load: { clients: N, run-for: D }");
        }
    }

    private BlockingWorker add(int place, int firstStage) {
        BlockingWorker worker = new BlockingWorker(this, setup, place, firstStage);
        synchronized (workers) {
            workers.add(worker);
        }
        worker.startThread();
        return worker;
    }

    @Override
    public void start(long atNanos) {
        startNanos = atNanos;
        started.countDown();
        watchdog.start();
        pacer.start();
    }

    @Override
    public void stop(long graceNanos) {
        boolean wasRunning = started.getCount() == 0;
        cutOffNanos = clock.nanoTime() + graceNanos;
        stopping = true;
        started.countDown();
        wakeAll();
        LockSupport.unpark(pacer);
        if (!wasRunning) {
            watchdog.start();
        }
    }

    @Override
    public void terminate(long millis) throws InterruptedException {
        terminated = true;
        LockSupport.unpark(watchdog);
        watchdog.join(millis);
    }

    private void wakeAll() {
        snapshot().forEach(BlockingWorker::wake);
    }

    private List<BlockingWorker> snapshot() {
        synchronized (workers) {
            return new ArrayList<>(workers);
        }
    }

    // ---- pacer of open load ----

    private void pace() {
        for (Stage stage : setup.plan().stages()) {
            if (stage.load() instanceof OpenLoad open && !stopping) {
                pace(stage, open);
            }
            waitUntil(startNanos + stage.endNanos(), () -> stopping);
            stagesOver = stage.number() + 1;
            wakeAll();
        }
    }

    private void pace(Stage stage, OpenLoad open) {
        int places = setup.clientsOf(stage);
        synchronized (free) {
            free.clear();
            List<BlockingWorker> known = snapshot();
            for (int i = known.size() - 1; i >= 0; i--) {
                if (known.get(i).place() < places && !known.get(i).isFinished()) {
                    free.push(known.get(i));
                }
            }
        }
        ArrivalStream arrivals = open.arrivals(
                setup.plan().seed(),
                stage.number(),
                setup.tester(),
                setup.plan().testers());
        long stageStart = startNanos + stage.startNanos();
        for (long next = arrivals.next(); next != ArrivalStream.END; next = arrivals.next()) {
            long intended = stageStart + next;
            if (!waitUntil(intended, () -> stopping)) {
                return;
            }
            maxDelay.accumulateAndGet(clock.nanoTime() - intended, Math::max);
            BlockingWorker worker = takeFree(stage, places);
            if (worker == null) {
                records.addDropped(stage, intended);
                dropped.incrementAndGet();
            } else {
                worker.give(new BlockingWorker.Arrival(stage, intended));
            }
        }
    }

    private @Nullable BlockingWorker takeFree(Stage stage, int places) {
        BlockingWorker worker;
        synchronized (free) {
            worker = free.poll();
        }
        if (worker != null) {
            return worker;
        }
        int next;
        synchronized (workers) {
            next = workers.stream().mapToInt(BlockingWorker::place).max().orElse(-1) + 1;
        }
        return next < places ? add(next, stage.number()) : null;
    }

    void free(BlockingWorker worker) {
        synchronized (free) {
            free.push(worker);
        }
    }

    // ---- watchdog ----

    private void watch() {
        boolean cut = false;
        while (!terminated) {
            LockSupport.parkNanos(this, WATCH_NANOS);
            long now = clock.nanoTime();
            List<BlockingWorker> all = snapshot();
            for (BlockingWorker worker : all) {
                if (worker.isSelfTimed()) {
                    worker.checkLife(now);
                } else if (!setup.debug()) {
                    worker.check(now);
                }
            }
            if (stopping && !cut && now - cutOffNanos >= 0) {
                cut = true;
                all.forEach(worker -> worker.cutOff(now));
                records.flush();
            }
            boolean late = cut && now - cutOffNanos >= CallLoop.LAST_GRACE_NANOS;
            if (late || snapshot().stream().allMatch(BlockingWorker::isFinished) && isPlanOver(now)) {
                finish();
            }
        }
    }

    private boolean isPlanOver(long now) {
        return stopping
                || (stagesOver == setup.plan().stages().size()
                        && now - startNanos >= setup.plan().lengthNanos());
    }

    private void finish() {
        if (done.compareAndSet(false, true)) {
            whenDone.run();
        }
    }

    void stuck(BlockingWorker old, int client, int stage) {
        boolean replace = setup.stuck(client);
        if (replace && !stopping && stage < setup.plan().stages().size()) {
            BlockingWorker fresh = new BlockingWorker(this, setup, old.place(), stage);
            synchronized (workers) {
                workers.remove(old);
                workers.add(fresh);
                replacing.add(fresh);
            }
            if (setup.plan().stages().get(stage).load() instanceof OpenLoad) {
                free(fresh);
            }
            fresh.startThread();
        }
    }

    // ---- what workers ask and tell ----

    RunSetup setup() {
        return setup;
    }

    ClientMaker maker() {
        return maker;
    }

    long now() {
        return clock.nanoTime();
    }

    long startNanos() {
        return startNanos;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Says whether no more arrivals of the stage come. */
    boolean isOver(Stage stage) {
        return stopping || stagesOver > stage.number();
    }

    /** Says whether the worker came in the middle of the run, in place of a stuck one. */
    boolean replaces(BlockingWorker worker) {
        synchronized (workers) {
            return replacing.contains(worker);
        }
    }

    void awaitStart() {
        boolean waiting = true;
        while (waiting) {
            try {
                started.await();
                waiting = false;
            } catch (InterruptedException e) {
                // Nobody interrupts a client before its first call but the plugin itself; the start is awaited all the
                // same.
                waiting = started.getCount() > 0;
            }
        }
    }

    /** Waits until the instant, precisely where few threads wait; says no when it was given up before. */
    boolean waitUntil(long atNanos, BooleanSupplier givenUp) {
        while (true) {
            if (givenUp.getAsBoolean()) {
                return false;
            }
            long left = atNanos - clock.nanoTime();
            if (left <= 0) {
                return true;
            }
            long sleep = spin ? left - TesterLoop.SPIN_NANOS : left;
            if (sleep > 0) {
                LockSupport.parkNanos(this, Math.min(sleep, LONGEST_PARK_NANOS));
                Thread.interrupted();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    void active(int change) {
        active.addAndGet(change);
    }

    void begun(long atNanos) {
        sent.incrementAndGet();
        inFlight.incrementAndGet();
        if (firstCall.get() == 0) {
            firstCall.compareAndSet(0, atNanos == 0 ? 1 : atNanos);
        }
    }

    /** Records a call that its client has ended. */
    void ended(OneCall call, long endNanos, String outcome) {
        recorded(call, endNanos, outcome);
        inFlight.decrementAndGet();
    }

    /** Records a call that its client may still hold. */
    void recorded(OneCall call, long endNanos, String outcome) {
        records.add(call, endNanos, outcome);
        if (outcome.equals(Outcome.OK)) {
            ok.incrementAndGet();
        } else if (Outcome.isFailure(outcome)) {
            failed.incrementAndGet();
        }
    }

    /** Records an arrival that its worker could not begin before the stop. */
    void neverSent(BlockingWorker.Arrival arrival, int client) {
        sent.incrementAndGet();
        records.addUnfinished(arrival.stage(), client, arrival.intendedNanos(), clock.nanoTime());
    }

    /** Takes notice that a client let go of a call that was recorded before, or never will. */
    void letGo() {
        inFlight.decrementAndGet();
    }

    void lateEnd() {
        lateEnds.incrementAndGet();
    }

    void workerFinished() {
        LockSupport.unpark(watchdog);
    }

    // ---- counts ----

    @Override
    public TesterStatus status() {
        int calling = inFlight.get();
        int living = active.get();
        return new TesterStatus(
                living == 0 ? calling : living, calling, sent.get(), ok.get(), failed.get(), dropped.get());
    }

    @Override
    public long lateEnds() {
        return lateEnds.get();
    }

    @Override
    public long firstCallNanos() {
        return firstCall.get();
    }

    @Override
    public long takeMaxDelayNanos() {
        return maxDelay.getAndSet(0);
    }
}
