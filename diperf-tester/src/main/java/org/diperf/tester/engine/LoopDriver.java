package org.diperf.tester.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.wire.TesterStatus;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.ClientFactory;
import org.diperf.tester.engine.loop.LoopShare;
import org.diperf.tester.engine.loop.ThreadedClients;

/** Runs a tester's clients on its loops: client j on loop j mod loops. */
final class LoopDriver implements Driver {

    /** So many blocking clients fill a loop: with fewer a second one costs more, by its own thread, than it spares. */
    private static final int BLOCKING_CLIENTS_A_LOOP = 256;

    private static final long CONNECT_NANOS = 1_000_000_000L;

    private final List<LoopThread> threads = new ArrayList<>();
    private final List<CallLoop> loops = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private Runnable whenDone = () -> {};

    private LoopDriver() {}

    /** Makes one for asynchronous clients, which share event loops. */
    static LoopDriver asynchronous(RunSetup setup, NanoClock clock, ClientFactory maker, BlockSink sink) {
        int loops = setup.loops().loops();
        if (!setup.plan().grows()) {
            // Loops that would never have a client are not made.
            loops = Math.min(loops, Math.max(1, setup.mostClients()));
        }
        LoopDriver driver = new LoopDriver();
        for (int i = 0; i < loops; i++) {
            driver.add(
                    new TesterLoop(i, setup, new ReceiveTimes(clock, WallClock.SYSTEM)),
                    loops,
                    setup,
                    clock,
                    maker,
                    sink);
        }
        return driver;
    }

    /** Makes one for blocking clients, which have a thread each; many of them share several loops, so that few contend. */
    static LoopDriver blocking(RunSetup setup, NanoClock clock, ClientFactory maker, BlockSink sink) {
        // Only threads that run at the same time contend for a loop's lock, so more loops than these gain nothing.
        int most = 2 * Runtime.getRuntime().availableProcessors();
        int loops = Math.max(1, Math.min(most, setup.mostClients() / BLOCKING_CLIENTS_A_LOOP));
        LoopDriver driver = new LoopDriver();
        for (int i = 0; i < loops; i++) {
            ThreadedLoop thread = new ThreadedLoop(i, setup, clock);
            driver.add(thread, loops, setup, clock, new ThreadedClients(thread.lock(), maker), sink);
        }
        return driver;
    }

    private void add(
            LoopThread thread, int loops, RunSetup setup, NanoClock clock, ClientFactory maker, BlockSink sink) {
        SampleStream samples = new SampleStream(setup.tester(), setup.metrics().size(), sink);
        LoopShare share = new LoopShare(threads.size(), loops);
        CallLoop loop = new CallLoop(setup, share, clock, thread, new PlanRules(setup), maker, samples, this::loopDone);
        threads.add(thread);
        this.loops.add(loop);
        running.incrementAndGet();
    }

    private void loopDone() {
        if (running.decrementAndGet() == 0) {
            whenDone.run();
        }
    }

    @Override
    public void whenDone(Runnable task) {
        whenDone = task;
    }

    @Override
    public void prepare(int openFirst) throws ExecutionException, InterruptedException {
        List<CompletableFuture<Void>> opened = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            CallLoop loop = loops.get(i);
            threads.get(i).start(loop);
            opened.add(threads.get(i).submit(() -> loop.openFirst(openFirst)));
        }
        for (CompletableFuture<Void> each : opened) {
            each.get();
        }
        for (LoopThread thread : threads) {
            thread.awaitOpened();
        }
        awaitConnected();
    }

    /** Gives first connections some time; what does not connect by then is the run's to show. */
    private void awaitConnected() throws ExecutionException, InterruptedException {
        List<CompletableFuture<Void>> connected = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            CallLoop loop = loops.get(i);
            CompletableFuture<Void> done = new CompletableFuture<>();
            threads.get(i).execute(() -> loop.connectFirst(() -> done.complete(null)));
            connected.add(done);
        }
        try {
            CompletableFuture.allOf(connected.toArray(CompletableFuture[]::new))
                    .get(CONNECT_NANOS, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The service lets nobody connect, or not so many.
        }
    }

    @Override
    public void start(long startNanos) {
        for (int i = 0; i < loops.size(); i++) {
            CallLoop loop = loops.get(i);
            threads.get(i).execute(() -> loop.start(startNanos));
        }
    }

    @Override
    public void grown() {
        threads.forEach(LoopThread::grown);
        onEachLoop(CallLoop::grown);
    }

    @Override
    public void retire(int client) {
        onEachLoop(loop -> loop.retire(client));
    }

    @Override
    public void stop(long graceNanos) {
        onEachLoop(loop -> loop.stop(graceNanos));
    }

    private void onEachLoop(Consumer<CallLoop> task) {
        for (int i = 0; i < loops.size(); i++) {
            CallLoop loop = loops.get(i);
            LoopThread thread = threads.get(i);
            try {
                thread.execute(() -> task.accept(loop));
            } catch (RejectedExecutionException e) {
                // The loop has come to its end by itself: nothing is left to stop.
                assert !thread.isAlive() || running.get() == 0;
            }
        }
    }

    @Override
    public void terminate(long millis) throws InterruptedException {
        threads.forEach(LoopThread::terminate);
        long end = NanoClock.SYSTEM.nanoTime() + millis * 1_000_000L;
        for (LoopThread thread : threads) {
            // 0 would wait without a bound.
            thread.join(Math.max(1, (end - NanoClock.SYSTEM.nanoTime()) / 1_000_000L));
        }
    }

    @Override
    public TesterStatus status() {
        int active = 0;
        int inFlight = 0;
        long sent = 0;
        long ok = 0;
        long failed = 0;
        long dropped = 0;
        for (CallLoop loop : loops) {
            TesterStatus status = loop.counters().status();
            active += status.activeClients();
            inFlight += status.inFlight();
            sent += status.sent();
            ok += status.ok();
            failed += status.failed();
            dropped += status.dropped();
        }
        // In open load nobody is active but who calls.
        return new TesterStatus(active == 0 ? inFlight : active, inFlight, sent, ok, failed, dropped);
    }

    @Override
    public long lateEnds() {
        return loops.stream().mapToLong(loop -> loop.counters().lateEnds()).sum();
    }

    @Override
    public long firstCallNanos() {
        long first = 0;
        for (CallLoop loop : loops) {
            long at = loop.counters().firstCallNanos();
            first = first == 0 || (at != 0 && at - first < 0) ? at : first;
        }
        return first;
    }

    @Override
    public void watch(long nowNanos, Consumer<String> log) {
        for (LoopThread thread : threads) {
            String held = thread.held(nowNanos);
            if (held != null) {
                log.accept(held);
            }
        }
    }

    @Override
    public long takeMaxDelayNanos() {
        return loops.stream()
                .mapToLong(loop -> loop.counters().takeMaxDelayNanos())
                .max()
                .orElse(0);
    }
}
