package org.diperf.tester.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/** Runs blocking clients: a thread each, one pacer for the stages and their arrivals, one watchdog for timeouts. */
final class BlockingLoad implements Driver {

    private static final long WATCH_NANOS = 5_000_000L;

    /** Added for each worker: looking after ten thousand every 5 ms would take a good part of a processor. */
    private static final long WATCH_WORKER_NANOS = 10_000L;

    /** A stage that is appended may bring forward what is waited for, and wakes nobody. */
    private static final long LONGEST_PARK_GROWING_NANOS = 50_000_000L;

    /** Whoever else changes what is waited for wakes those who wait; this only bounds the harm of a clock that jumps. */
    private static final long LONGEST_PARK_NANOS = 5_000_000_000L;

    private static final long IDLE_PARK_NANOS = 1_000_000_000L;

    private final RunSetup setup;
    private final NanoClock clock;
    private final ClientMaker maker;
    private final Records records;
    private final BlockingCounts counts = new BlockingCounts();
    private final BlockingPacer pacer;
    private final Thread watchdog;
    private final List<BlockingWorker> workers = new ArrayList<>();
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicBoolean done = new AtomicBoolean();
    private final Object lifecycle = new Object();
    private Runnable whenDone = () -> {};
    private int openAtMost;
    private int places;
    private volatile boolean spin;
    private volatile boolean grown;
    private volatile long startNanos;
    private volatile boolean stopping;
    private volatile boolean terminated;
    private volatile long cutOffNanos;

    BlockingLoad(RunSetup setup, NanoClock clock, ClientMaker maker, Records records) {
        this.setup = setup;
        this.clock = clock;
        this.maker = maker;
        this.records = records;
        this.pacer = new BlockingPacer(this, setup, records);
        this.watchdog = new Thread(this::watch, "diperf-watchdog");
        watchdog.setDaemon(true);
        fit();
    }

    /** Looks whether the largest stage fits. */
    private void fit() {
        int most = setup.mostClients();
        ClientThreads.check(most);
        spin = most <= 4 * Runtime.getRuntime().availableProcessors();
    }

    // ---- driver ----

    @Override
    public void whenDone(Runnable task) {
        whenDone = task;
    }

    @Override
    public void prepare(int openFirst) throws InterruptedException {
        openAtMost = openFirst;
        openFirst();
        List<BlockingWorker> made = workers();
        for (BlockingWorker worker : made) {
            worker.awaitOpened();
        }
        checkSelfTimed(made);
        watchdog.start();
    }

    private void openFirst() {
        int first = 0;
        for (Stage stage : setup.plan().stages()) {
            int wanted = setup.clientsOf(stage);
            first = Math.max(first, stage.load() instanceof ClosedLoad ? wanted : Math.min(wanted, openAtMost));
        }
        while (addNext(first, firstStage(), false) != null) {
            // until there are so many
        }
    }

    private void checkSelfTimed(List<BlockingWorker> made) {
        boolean mixed = setup.script().steps() > 0 || setup.script().mix().requests() > 1;
        if (mixed && made.stream().anyMatch(BlockingWorker::isSelfTimed)) {
            throw new IllegalArgumentException("Wanted clients that are told of each call, because the experiment has"
                    + " client.requests or client.before; found that this client times its calls itself");
        }
        boolean anyOpenLoad = setup.plan().stages().stream().anyMatch(stage -> stage.load() instanceof OpenLoad);
        if (anyOpenLoad && made.stream().anyMatch(BlockingWorker::isSelfTimed)) {
            throw new IllegalArgumentException("Wanted closed load, because this client times its calls itself; found"
                    + " open load. Stream clients run in closed load: use load: { clients: N, run-for: D }");
        }
    }

    /**
     * Makes the worker of the next place, unless there are as many as wanted.
     *
     * @param stage that it begins with
     * @param taken whether an arrival of open load is at hand for it
     */
    @Nullable
    BlockingWorker addNext(int wanted, int stage, boolean taken) {
        BlockingWorker worker;
        synchronized (workers) {
            if (places >= wanted) {
                return null;
            }
            worker = new BlockingWorker(this, setup, places++, stage);
            workers.add(worker);
        }
        if (taken) {
            pacer.free().taken(worker);
        }
        worker.startThread();
        return worker;
    }

    @Override
    public void start(long atNanos) {
        synchronized (lifecycle) {
            if (!stopping) {
                startNanos = atNanos;
                started.countDown();
                pacer.start();
            }
        }
    }

    @Override
    public void grown() {
        // Opening clients takes its time: not on the caller's thread.
        grown = true;
        wakeWatchdog();
        wakeAll();
    }

    @Override
    public void stop(long graceNanos) {
        synchronized (lifecycle) {
            long at = clock.nanoTime() + graceNanos;
            if (!stopping || at - cutOffNanos < 0) {
                cutOffNanos = at;
            }
            stopping = true;
            started.countDown();
        }
        wakeAll();
        wakeWatchdog();
    }

    @Override
    public void terminate(long millis) throws InterruptedException {
        terminated = true;
        pacer.wake();
        wakeWatchdog();
        watchdog.join(millis);
    }

    void wakeAll() {
        pacer.wake();
        workers().forEach(BlockingWorker::wake);
    }

    void wakeWatchdog() {
        LockSupport.unpark(watchdog);
    }

    /** Lists the workers, without those that were replaced. */
    List<BlockingWorker> workers() {
        synchronized (workers) {
            return new ArrayList<>(workers);
        }
    }

    // ---- watchdog ----

    private void watch() {
        boolean cut = false;
        List<BlockingWorker> all = workers();
        while (!terminated) {
            LockSupport.parkNanos(this, WATCH_NANOS + all.size() * WATCH_WORKER_NANOS);
            if (grown) {
                grown = false;
                open();
            }
            long now = clock.nanoTime();
            all = workers();
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
            if (late || isOver(now)) {
                finish();
            }
        }
    }

    /** Opens what the appended stages need. */
    private void open() {
        try {
            fit();
            openFirst();
            checkSelfTimed(workers());
        } catch (IllegalStateException | IllegalArgumentException e) {
            setup.abort(String.valueOf(e.getMessage()), 0);
        }
    }

    private boolean isOver(long now) {
        // Asked before the workers: a pacer that is idle makes no further ones.
        boolean idle = pacer.isIdle();
        List<BlockingWorker> all = workers();
        if (!all.stream().allMatch(BlockingWorker::isFinished)) {
            return false;
        }
        Plan plan = setup.plan();
        if (stopping) {
            return idle;
        }
        if (started.getCount() > 0 || plan.grows()) {
            return false;
        }
        if (idle && now - startNanos >= plan.lengthNanos()) {
            return true;
        }
        Stage last = plan.stages().get(plan.stages().size() - 1);
        int wanted = setup.clientsOf(last);
        return last.load() instanceof ClosedLoad closed
                && (wanted > 0 || closed.quota().isLimited())
                && all.stream().allMatch(worker -> worker.hasNothingLeft(last.number(), wanted));
    }

    private void finish() {
        if (done.compareAndSet(false, true)) {
            pacer.wake();
            whenDone.run();
        }
    }

    void stuck(BlockingWorker old, int client) {
        boolean replace = setup.stuck(client);
        if (replace && !stopping && !old.isRetired()) {
            BlockingWorker fresh = new BlockingWorker(this, setup, old);
            synchronized (workers) {
                workers.remove(old);
                workers.add(fresh);
            }
            fresh.startThread();
        }
    }

    // ---- what workers and the pacer ask and tell ----

    RunSetup setup() {
        return setup;
    }

    ClientMaker maker() {
        return maker;
    }

    BlockingCounts counts() {
        return counts;
    }

    FreeWorkers free() {
        return pacer.free();
    }

    long now() {
        return clock.nanoTime();
    }

    long startNanos() {
        return startNanos;
    }

    /** Gives the instant from which a stage begins no more calls, as far as the plan is known now. */
    long endNanos(Stage stage) {
        return startNanos + setup.plan().endNanos(stage);
    }

    boolean isStopping() {
        return stopping;
    }

    /** Says whether nothing more is to be begun. */
    boolean isHalted() {
        return stopping || terminated || done.get();
    }

    /** Says whether no more arrivals of the stage come. */
    boolean isOver(Stage stage) {
        return stopping || pacer.stagesOver() > stage.number();
    }

    /** Gives a stage when the plan has it, {@code null} when it has not yet, or never will. */
    @Nullable
    Stage stage(int number) {
        return setup.plan().stage(number);
    }

    /** Gives the number of the plan's first stage. */
    int firstStage() {
        return setup.plan().stages().get(0).number();
    }

    /** Waits until the plan has this stage; gives {@code null} when it never will, or the wait was given up. */
    @Nullable
    Stage awaitStage(int number, BooleanSupplier givenUp) {
        while (!givenUp.getAsBoolean()) {
            Stage stage = stage(number);
            if (stage != null || !setup.plan().grows()) {
                return stage;
            }
            LockSupport.parkNanos(this, IDLE_PARK_NANOS);
            Thread.interrupted();
        }
        return null;
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

    /**
     * Waits until an instant, precisely where few threads wait; says no when it was given up before.
     *
     * @param atNanos asked again and again, because a plan that grows may bring it forward
     */
    boolean waitUntil(LongSupplier atNanos, BooleanSupplier givenUp) {
        while (true) {
            if (givenUp.getAsBoolean()) {
                return false;
            }
            long left = atNanos.getAsLong() - clock.nanoTime();
            if (left <= 0) {
                return true;
            }
            long sleep = spin ? left - setup.loops().spinNanos() : left;
            if (sleep > 0) {
                long longest = setup.plan().grows() ? LONGEST_PARK_GROWING_NANOS : LONGEST_PARK_NANOS;
                LockSupport.parkNanos(this, Math.min(sleep, longest));
                Thread.interrupted();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Records a call that its client has ended. */
    void ended(BlockingWorker worker, OneCall call, long endNanos, String outcome) {
        recorded(worker, call, endNanos, outcome);
        counts.letGo();
    }

    /** Records a call that its client may still hold, and does what its stage wants done after a failure. */
    void recorded(BlockingWorker worker, OneCall call, long endNanos, String outcome) {
        records.add(call, endNanos, outcome);
        counts.recorded(outcome);
        if (Outcome.isFailure(outcome)) {
            Load load = call.stage().load();
            if (load.onFailure() == OnFailure.RETIRE_CLIENT) {
                worker.retire();
            } else if (load.onFailure() == OnFailure.ABORT) {
                setup.abortAfter(call.client(), outcome, load);
            }
        }
    }

    /** Says whether a client that times its calls itself has reported one after which it is to make no more. */
    boolean isRetired(int client) {
        return records.isRetired(client);
    }

    /** Records an arrival that its worker could not begin before the stop. */
    void neverSent(BlockingWorker.Arrival arrival, int client) {
        counts.neverSent();
        records.addUnfinished(arrival.stage(), client, arrival.intendedNanos(), clock.nanoTime());
    }

    // ---- counts ----

    @Override
    public TesterStatus status() {
        return counts.status();
    }

    @Override
    public long lateEnds() {
        return counts.lateEnds();
    }

    @Override
    public long firstCallNanos() {
        return counts.firstCallNanos();
    }

    @Override
    public long takeMaxDelayNanos() {
        return counts.takeMaxDelayNanos();
    }
}
