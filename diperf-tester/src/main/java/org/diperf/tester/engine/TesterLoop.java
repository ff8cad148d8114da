package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.machine.ThreadScheduling;
import org.diperf.tester.machine.TimerSlack;
import org.jspecify.annotations.Nullable;

/** A thread that turns one {@link CallLoop} and the network I/O of its clients. */
final class TesterLoop implements LoopThread {

    /** Time that tasks of other threads and plugins may take before calls get their turn again. */
    private static final long TASKS_NANOS = 500_000L;

    /** Looks of the watcher without a turn between them, which make two seconds; a loop with nothing to do turns once a second. */
    private static final int LOOKS_UNTIL_HELD = 200;

    private final Thread thread;
    private final ManualIoEventLoop io;
    private final RunSetup setup;
    private final ReceiveTimes looks;
    private final long spinNanos;
    private @Nullable CallLoop calls;
    private volatile boolean terminate;
    private final AtomicLong turns = new AtomicLong();

    // Of the watcher.
    private long turnsSeen;
    private long seenNanos;
    private int looksWithoutTurn;
    private String holder = "";

    TesterLoop(int index, RunSetup setup, ReceiveTimes looks) {
        this(index, setup, looks, LoopIo.of(setup.loops().io(), looks));
    }

    /** @param handler how the kernel is asked for I/O */
    TesterLoop(int index, RunSetup setup, ReceiveTimes looks, IoHandlerFactory handler) {
        this.looks = looks;
        this.setup = setup;
        this.spinNanos = setup.loops().spinNanos();
        // Netty keeps what belongs to such a thread in a field, its memory included.
        this.thread = new FastThreadLocalThread(this::turn, "diperf-loop-" + (index + 1));
        thread.setDaemon(true);
        this.io = new ManualIoEventLoop(thread, handler);
    }

    @Override
    public void start(CallLoop core) {
        calls = core;
        thread.start();
    }

    @Override
    public CompletableFuture<Void> submit(Runnable task) {
        return CompletableFuture.runAsync(task, io);
    }

    @Override
    public void awaitOpened() {
        // Asynchronous clients are opened by the loop itself.
    }

    @Override
    public void grown() {
        // Loops take as many clients as there are.
    }

    /** Ends the thread once channels that are still open are closed. */
    @Override
    public void terminate() {
        terminate = true;
        io.shutdownGracefully(0, 200, TimeUnit.MILLISECONDS);
    }

    @Override
    public void join(long millis) throws InterruptedException {
        thread.join(millis);
    }

    @Override
    public boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public @Nullable String held(long nowNanos) {
        long now = turns.get();
        if (now != turnsSeen) {
            String lasted = holder.isEmpty()
                    ? null
                    : String.format(
                            Locale.ROOT,
                            "%s was held for %.1f s by %s",
                            thread.getName(),
                            (nowNanos - seenNanos) / 1e9,
                            holder);
            turnsSeen = now;
            seenNanos = nowNanos;
            looksWithoutTurn = 0;
            holder = "";
            return lasted;
        }
        if (++looksWithoutTurn != LOOKS_UNTIL_HELD || !isAlive()) {
            return null;
        }
        holder = Stream.of(thread.getStackTrace())
                        .map(StackTraceElement::toString)
                        .filter(place -> !place.startsWith("java."))
                        .findFirst()
                        .orElse("code without a place")
                + " of " + requireNonNull(calls, "set by start()").serving();
        return thread.getName() + " is held by " + holder;
    }

    private void turn() {
        TimerSlack.remove();
        if (EngineWarmup.lengthNanos(setup.plan()) > 0) {
            // Native code is not loaded for a run that is to begin soon.
            ThreadScheduling.ask();
        }
        CallLoop core = requireNonNull(calls, "set by start()");
        while (!terminate) {
            try {
                pace(core);
            } catch (Throwable thrown) {
                setup.survived("The loop continues after ", thrown);
            }
        }
        while (!io.isTerminated()) {
            io.run(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** The one place where the loop waits: for I/O until shortly before a call starts, then it spins over the I/O. */
    private void pace(CallLoop core) {
        turns.lazySet(turns.getPlain() + 1);
        long wait = core.runDue();
        long sleep = core.nextStartsCall() ? wait - spinNanos : wait;
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
    public ReceiveTimes looks() {
        return looks;
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
