package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread that turns one {@link CallLoop} and the network I/O of its clients. */
final class TesterLoop implements Pump {

    /**
     * How long before the start of a call the loop stops waiting and spins instead. A timer wakes up some 50 to 70
     * microseconds late; spinning for that long costs about 1 % of a core at 1,000 calls a second.
     */
    static final long SPIN_NANOS = 60_000L;

    /** Time that tasks of other threads and plugins may take before calls get their turn again. */
    private static final long TASKS_NANOS = 500_000L;

    private final Thread thread;
    private final ManualIoEventLoop io;
    private final RunSetup setup;
    private @Nullable CallLoop calls;
    private volatile boolean terminate;

    TesterLoop(int index, RunSetup setup) {
        this(index, setup, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** @param handler how the kernel is asked for I/O */
    TesterLoop(int index, RunSetup setup, IoHandlerFactory handler) {
        this.setup = setup;
        this.thread = new Thread(this::turn, "diperf-loop-" + (index + 1));
        thread.setDaemon(true);
        this.io = new ManualIoEventLoop(thread, handler);
    }

    /** Begins to turn. */
    void start(CallLoop core) {
        calls = core;
        thread.start();
    }

    /** Runs something on the loop. */
    CompletableFuture<Void> submit(Runnable task) {
        return CompletableFuture.runAsync(task, io);
    }

    /** Ends the thread once channels that are still open are closed. */
    void terminate() {
        terminate = true;
        io.shutdownGracefully(0, 200, TimeUnit.MILLISECONDS);
    }

    void join(long millis) throws InterruptedException {
        thread.join(millis);
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    private void turn() {
        CallLoop core = requireNonNull(calls, "start sets it");
        while (!terminate) {
            try {
                pace(core);
            } catch (Throwable thrown) {
                setup.log("The loop goes on after " + Failures.describe(thrown));
            }
        }
        while (!io.isTerminated()) {
            io.run(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** The one place where the loop waits: for I/O until shortly before a call starts, then it spins over the I/O. */
    private void pace(CallLoop core) {
        long wait = core.runDue();
        long sleep = core.nextStartsCall() ? wait - SPIN_NANOS : wait;
        if (sleep > 0) {
            io.run(sleep, TASKS_NANOS);
        } else {
            io.runNow(TASKS_NANOS);
        }
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void execute(Runnable task) {
        io.execute(task);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(io) ? Optional.of(type.cast(io)) : Optional.empty();
    }
}
