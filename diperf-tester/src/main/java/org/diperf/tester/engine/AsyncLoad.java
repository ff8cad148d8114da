package org.diperf.tester.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.TesterStatus;

/** Runs asynchronous clients: client j of the tester on loop j mod loops. */
final class AsyncLoad implements Driver {

    private final List<TesterLoop> threads = new ArrayList<>();
    private final List<CallLoop> loops = new ArrayList<>();
    private final int own;
    private final AtomicInteger running;
    private Runnable whenDone = () -> {};

    AsyncLoad(RunSetup setup, NanoClock clock, ClientMaker maker, BlockSink sink) {
        int wanted = setup.loops().loops();
        // Loops that would never have a client are not made.
        int most = 1;
        for (Stage stage : setup.plan().stages()) {
            most = Math.max(most, setup.clientsOf(stage));
        }
        own = setup.plan().grows() ? wanted : Math.min(wanted, most);
        running = new AtomicInteger(own);
        for (int i = 0; i < own; i++) {
            TesterLoop thread = new TesterLoop(i, setup);
            SampleStream samples =
                    new SampleStream(setup.tester(), setup.metrics().size(), sink);
            threads.add(thread);
            loops.add(new CallLoop(setup, i, own, clock, thread, maker, samples, this::loopDone));
        }
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
        List<java.util.concurrent.CompletableFuture<Void>> opened = new ArrayList<>();
        for (int i = 0; i < own; i++) {
            CallLoop loop = loops.get(i);
            threads.get(i).start(loop);
            opened.add(threads.get(i).submit(() -> loop.openFirst(openFirst)));
        }
        for (java.util.concurrent.CompletableFuture<Void> each : opened) {
            each.get();
        }
    }

    @Override
    public void start(long startNanos) {
        for (int i = 0; i < own; i++) {
            CallLoop loop = loops.get(i);
            threads.get(i).execute(() -> loop.start(startNanos));
        }
    }

    @Override
    public void grown() {
        onEachLoop(CallLoop::grown);
    }

    @Override
    public void stop(long graceNanos) {
        onEachLoop(loop -> loop.stop(graceNanos));
    }

    private void onEachLoop(Consumer<CallLoop> task) {
        for (int i = 0; i < own; i++) {
            CallLoop loop = loops.get(i);
            TesterLoop thread = threads.get(i);
            try {
                thread.execute(() -> task.accept(loop));
            } catch (java.util.concurrent.RejectedExecutionException e) {
                // The loop has come to its end by itself: nothing is left to stop or to go on.
                assert !thread.isAlive() || running.get() == 0;
            }
        }
    }

    @Override
    public void terminate(long millis) throws InterruptedException {
        threads.forEach(TesterLoop::terminate);
        long end = NanoClock.SYSTEM.nanoTime() + millis * 1_000_000L;
        for (TesterLoop thread : threads) {
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
    public long takeMaxDelayNanos() {
        return loops.stream()
                .mapToLong(loop -> loop.counters().takeMaxDelayNanos())
                .max()
                .orElse(0);
    }
}
