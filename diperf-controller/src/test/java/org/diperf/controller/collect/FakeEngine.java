package org.diperf.controller.collect;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.engine.TesterPlugins;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.EngineListener;
import org.jspecify.annotations.Nullable;

/** An engine whose test says what it measures. */
final class FakeEngine implements RunningEngine {

    /** The plugin that every assignment of these tests names. */
    static final ClientPlugin PLUGIN = new ClientPlugin() {
        @Override
        public String id() {
            return "fake";
        }

        @Override
        public String summary() {
            return "does nothing";
        }

        @Override
        public Session open(SessionContext context) {
            throw new IllegalStateException("the fake engine opens no session");
        }
    };

    final CompletableFuture<FakeEngine> prepared = new CompletableFuture<>();
    final CompletableFuture<Long> started = new CompletableFuture<>();
    final LinkedBlockingQueue<Stage> appended = new LinkedBlockingQueue<>();
    final CompletableFuture<Long> stopped = new CompletableFuture<>();
    final CompletableFuture<TesterTotals> done = new CompletableFuture<>();
    final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger measured = new AtomicInteger();
    private final @Nullable Exception failure;
    private int tester;
    private @Nullable BlockSink sink;
    private @Nullable Assignment assignment;

    FakeEngine() {
        this(null);
    }

    /** @param failure what its preparation throws, or null */
    FakeEngine(@Nullable Exception failure) {
        this.failure = failure;
    }

    RunningEngine create(
            Assignment given,
            int number,
            TesterPlugins plugins,
            Path folder,
            BlockSink to,
            NanoClock clock,
            EngineListener listener) {
        assignment = given;
        tester = number;
        sink = to;
        return this;
    }

    @Nullable
    Assignment assignment() {
        return assignment;
    }

    /** Counts the blocks that the sink took. */
    int measured() {
        return measured.get();
    }

    /** Writes one block of one observation. */
    void measure(long atNanos) {
        ObservationWriter writer = new ObservationWriter(tester, 1);
        writer.add("fake", atNanos, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        requireNonNull(sink, "sink").write(writer);
        measured.incrementAndGet();
    }

    void finish() {
        done.complete(new TesterTotals(3, 0, 0, 0, Map.of("late", 1L), 5));
    }

    @Override
    public void prepare() throws Exception {
        if (failure != null) {
            throw failure;
        }
        prepared.complete(this);
    }

    @Override
    public void start(long startNanos, long joinNanos) {
        started.complete(startNanos);
    }

    @Override
    public void append(Stage stage) {
        appended.add(stage);
    }

    @Override
    public void stop(long graceNanos) {
        stopped.complete(graceNanos);
    }

    @Override
    public TesterStatus status() {
        return new TesterStatus(1, 2, 3, 4, 5, 6);
    }

    @Override
    public CompletableFuture<TesterTotals> done() {
        return done;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
