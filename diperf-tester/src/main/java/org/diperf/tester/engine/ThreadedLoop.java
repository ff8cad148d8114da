package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.LoopClients;
import org.diperf.tester.engine.loop.LoopLock;
import org.diperf.tester.engine.loop.SystemThreads;
import org.diperf.tester.machine.FutexTable;
import org.jspecify.annotations.Nullable;

/**
 * A thread that turns a {@link CallLoop} whose clients have threads of their own: stages, arrivals of open load, timeouts,
 * opening and closing. Whatever turns the loop or is told by a client holds its lock.
 */
final class ThreadedLoop implements LoopThread {

    /** Nobody wakes this thread when a client's thread arms something; nothing that one arms is due sooner. */
    private static final long LONGEST_PARK_NANOS = 5_000_000L;

    /** So many clients' threads look what they spend on each call. */
    private static final int MAX_WATCHED = 256;

    private final RunSetup setup;
    private final NanoClock clock;
    private final LoopLock lock;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private @Nullable CallLoop calls;
    private volatile boolean terminate;

    /** @throws IllegalStateException when the system has not enough threads for the clients */
    ThreadedLoop(int index, RunSetup setup, NanoClock clock) {
        this.setup = setup;
        this.clock = clock;
        this.lock = new LoopLock(new SystemThreads(), clock);
        this.thread = new Thread(this::turn, "diperf-loop-" + (index + 1));
        thread.setDaemon(true);
        fit();
    }

    LoopLock lock() {
        return lock;
    }

    /** Looks whether the largest stage fits, makes room for its threads, and has them spin where few wait. */
    private void fit() {
        int most = setup.mostClients();
        SystemThreads.check(most);
        FutexTable.fit(most);
        // Neither Linux nor the JVM says anything of a virtual thread.
        lock.watch(most <= MAX_WATCHED && !SystemThreads.areVirtual());
        lock.spin(
                most <= 4 * Runtime.getRuntime().availableProcessors()
                        ? setup.loops().spinNanos()
                        : 0);
    }

    @Override
    public void start(CallLoop core) {
        calls = core;
        thread.start();
    }

    @Override
    public CompletableFuture<Void> submit(Runnable task) {
        return CompletableFuture.runAsync(task, this);
    }

    @Override
    public void awaitOpened() throws InterruptedException {
        LoopClients clients = requireNonNull(calls, "set by start()").clients();
        lock.lock();
        try {
            lock.awaitChange(() -> clients.opening() == 0);
            if (clients.anySelfTimed()) {
                setup.checkSelfTimed();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void grown() {
        try {
            fit();
        } catch (IllegalStateException e) {
            setup.abort(String.valueOf(e.getMessage()), 0);
        }
    }

    /** Code of clients runs on threads of their own. */
    @Override
    public @Nullable String held(long nowNanos) {
        return null;
    }

    @Override
    public void terminate() {
        terminate = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void join(long millis) throws InterruptedException {
        thread.join(millis);
    }

    @Override
    public boolean isAlive() {
        return thread.isAlive();
    }

    private void turn() {
        CallLoop core = requireNonNull(calls, "set by start()");
        while (!terminate) {
            turn(core);
        }
        // A stop that came right before has clients' threads to end.
        turn(core);
    }

    private void turn(CallLoop core) {
        long wait = 0;
        boolean precise = false;
        lock.lock();
        try {
            runTasks();
            wait = core.runDue();
            precise = core.nextStartsCall();
        } catch (Throwable thrown) {
            setup.survived("The loop continues after ", thrown);
        } finally {
            lock.unlock();
        }
        if (wait > 0 && !terminate) {
            await(clock.nanoTime() + wait, precise ? lock.spinNanos() : 0);
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void await(long atNanos, long spinNanos) {
        long sleep = atNanos - clock.nanoTime() - spinNanos;
        if (sleep > 0) {
            LockSupport.parkNanos(this, Math.min(sleep, LONGEST_PARK_NANOS));
        } else {
            while (tasks.isEmpty() && !terminate && atNanos - clock.nanoTime() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public boolean inLoop() {
        return lock.isHeld();
    }

    /** Clients' threads read for themselves. */
    @Override
    public @Nullable ReceiveTimes looks() {
        return null;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        LockSupport.unpark(thread);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return Optional.empty();
    }
}
