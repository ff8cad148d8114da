package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.machine.CurrentThreadStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real loops and threads; every run is over in about a second. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class EngineTests {

    private static final long MS = 1_000_000L;

    @TempDir
    Path folder;

    private final AtomicLong rows = new AtomicLong();

    private static final class Prompt implements AsyncClient {
        @Override
        public void call(Call call) {
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    private final class Rows implements BlockSink {
        private long number;

        @Override
        public synchronized void write(BlockWriter block) {
            if (block instanceof CallWriter) {
                rows.addAndGet(block.rows());
            }
            block.encode(ByteBuffer.allocate(block.maxEncodedLength()), ++number);
        }
    }

    private Engine engine(FakePlugin plugin, Load load) throws Exception {
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, load, 0)));
        Engine engine = new Engine(
                new Engine.Config(1, 1, plan, plugin, Map.of(), folder, LoopSettings.DEFAULT.orLoops(2), false),
                new Rows(),
                NanoClock.SYSTEM,
                line -> {});
        engine.prepare();
        engine.start(NanoClock.SYSTEM.nanoTime() + 20 * MS);
        return engine;
    }

    @Test
    void blockingClientsThatJoinLaterLeaveOutWhatWasDueBefore() throws Exception {
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, open(10), 0)));
        try (Engine engine = new Engine(
                new Engine.Config(
                        1, 1, plan, blocking(call -> {}), Map.of(), folder, LoopSettings.DEFAULT.orLoops(2), false),
                new Rows(),
                NanoClock.SYSTEM,
                line -> {})) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime() - 300 * MS, 400 * MS);
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            // 200/s from 400 to 500 ms.
            assertThat(totals.sent() + totals.dropped()).isEqualTo(20);
        }
    }

    private static OpenLoad open(int maxInFlight) {
        return new OpenLoad(200, OpenLoad.Arrivals.CONSTANT, 0, 500 * MS, maxInFlight, 1_000 * MS);
    }

    private static ClosedLoad closed(long runFor) {
        return new ClosedLoad(4, 0, runFor, new ThinkTime.Fixed(10 * MS), 1_000 * MS);
    }

    private static FakePlugin blocking(BlockingClient client) {
        return new FakePlugin(BlockingClient.class, () -> client);
    }

    @Test
    void openLoadOnTwoLoopsSendsEveryArrival() throws Exception {
        try (Engine engine = engine(new FakePlugin(AsyncClient.class, Prompt::new), open(10))) {
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent()).isEqualTo(100);
            assertThat(rows).hasValue(100);
        }
    }

    @Test
    void closedLoadOnTwoLoopsRecordsWhatItSent() throws Exception {
        try (Engine engine = engine(new FakePlugin(AsyncClient.class, Prompt::new), closed(300 * MS))) {
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent()).isBetween(8L, 120L).isEqualTo(rows.get());
        }
    }

    @Test
    void blockingClientsOfClosedLoadRecordWhatTheySent() throws Exception {
        try (Engine engine = engine(blocking(call -> {}), closed(300 * MS))) {
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent()).isBetween(8L, 120L).isEqualTo(rows.get());
        }
    }

    @Test
    void blockingClientsOfOpenLoadSendOrDropEveryArrival() throws Exception {
        try (Engine engine = engine(blocking(call -> {}), open(10))) {
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent() + totals.dropped()).isEqualTo(100);
            assertThat(rows).hasValue(100);
        }
    }

    @Test
    void manyBlockingClientsShareSeveralLoopsAndEachCallsAsOftenAsItMay() throws Exception {
        int clients = 600;
        AtomicIntegerArray calls = new AtomicIntegerArray(clients);
        FakePlugin plugin = blocking(call -> calls.incrementAndGet(call.client()));
        ClosedLoad load = new ClosedLoad(
                clients,
                new ClientLifetimes.Staggered(0, 20_000 * MS),
                new ThinkTime.Fixed(10 * MS),
                new Quota(3 * clients, 0),
                OnFailure.CONTINUE,
                10_000 * MS);
        try (Engine engine = engine(plugin, load)) {
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .contains("diperf-loop-1", "diperf-loop-2");
            TesterTotals totals = engine.done().get(20, TimeUnit.SECONDS);
            assertThat(totals.sent()).isEqualTo(3 * clients).isEqualTo(rows.get());
            assertThat(IntStream.range(0, clients).map(calls::get)).containsOnly(3);
        }
    }

    /** A thread's first call links code, for which threads wait for each other unseen: it may have taken no time at all. */
    @Test
    void ofThoseLookedAtTheFirstCallOfEachIsNotBounded() throws Exception {
        CurrentThreadStats here = CurrentThreadStats.open();
        assumeTrue(here != null, "expected what Linux and HotSpot count of threads");
        here.close();
        Map<Long, List<Boolean>> bounded = new ConcurrentHashMap<>();
        BlockSink decoding = block -> {
            if (block instanceof CallWriter) {
                addBounded(block, bounded);
            }
        };
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, closed(1_500 * MS), 0)));
        BlockingClient waiting = call -> LockSupport.parkNanos(5 * MS);
        try (Engine engine = new Engine(
                new Engine.Config(
                        1, 1, plan, blocking(waiting), Map.of(), folder, LoopSettings.DEFAULT.orLoops(2), false),
                decoding,
                NanoClock.SYSTEM,
                line -> {})) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime() + 20 * MS);
            engine.done().get(10, TimeUnit.SECONDS);
        }
        assertThat(bounded).hasSize(4);
        assertThat(bounded.values())
                .allSatisfy(calls -> assertThat(calls.get(0)).isFalse());
        // Of hundreds, some in which the JVM neither loads nor compiles anything.
        assertThat(bounded.values().stream().flatMap(List::stream)).contains(true);
    }

    /** Adds to each client's calls whether less than all of one may be the generator's. */
    private static synchronized void addBounded(BlockWriter block, Map<Long, List<Boolean>> into) {
        ByteBuffer data = ByteBuffer.allocate(block.maxEncodedLength());
        block.encode(data, 1);
        try {
            Calls calls = new Calls(SampleColumn.ERROR_IN);
            calls.decode(data.flip(), Block.read(data));
            for (int i = 0; i < calls.rows(); i++) {
                long service = calls.latencyNanos(i) - calls.lagNanos(i);
                into.computeIfAbsent((long) calls.client(i), client -> new ArrayList<>())
                        .add(calls.value(SampleColumn.ERROR_IN, i) < service);
            }
        } catch (CorruptBlockException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStopEndsBlockingClientsThatHang() throws Exception {
        BlockingClient hanging = call -> new java.util.concurrent.CountDownLatch(1).await();
        try (Engine engine = engine(blocking(hanging), closed(60_000 * MS))) {
            while (engine.status().inFlight() < 4) {
                Thread.onSpinWait();
            }
            engine.stop(0);
            TesterTotals totals = engine.done().get(2, TimeUnit.SECONDS);
            assertThat(totals.sent()).isEqualTo(4).isEqualTo(rows.get());
        }
    }

    @Test
    void aSelfTimedClientIsInvokedOnceAndOnlyItsOwnCallsCount() throws Exception {
        java.util.concurrent.atomic.AtomicInteger invoked = new java.util.concurrent.atomic.AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, null, false));
        ClosedLoad load = new ClosedLoad(4, 0, 400 * MS, ThinkTime.NONE, 50 * MS);
        try (Engine engine = engine(plugin, load)) {
            assertThat(engine.done().get(5, TimeUnit.SECONDS).sent()).isEqualTo(4);
            assertThat(invoked).hasValue(4);
            assertThat(rows).hasValue(4);
            assertThat(engine.status().ok()).isEqualTo(4);
            assertThat(engine.status().failed()).isZero();
        }
    }

    @Test
    void aSelfTimedClientThatEndsEarlyIsOneFailedCall() throws Exception {
        java.util.concurrent.atomic.AtomicInteger invoked = new java.util.concurrent.atomic.AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, null, true));
        try (Engine engine = engine(plugin, closed(300 * MS))) {
            engine.done().get(5, TimeUnit.SECONDS);
            assertThat(invoked).hasValue(4);
            assertThat(engine.status().failed()).isEqualTo(4);
            assertThat(rows).hasValue(8);
        }
    }

    @Test
    void aStopInterruptsSelfTimedClientsAtOnce() throws Exception {
        java.util.concurrent.atomic.AtomicInteger invoked = new java.util.concurrent.atomic.AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, null, false));
        try (Engine engine = engine(plugin, closed(60_000 * MS))) {
            while (invoked.get() < 4) {
                Thread.onSpinWait();
            }
            engine.stop(60_000 * MS);
            engine.done().get(5, TimeUnit.SECONDS);
            assertThat(rows).hasValue(4);
            assertThat(engine.status().failed()).isZero();
        }
    }

    @Test
    void openLoadRefusesSelfTimedClients() {
        java.util.concurrent.atomic.AtomicInteger invoked = new java.util.concurrent.atomic.AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, null, false));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> engine(plugin, open(10)))
                .hasMessageContaining("load: { clients: N, run-for: D }");
        assertThat(invoked).hasValue(0);
    }
}
