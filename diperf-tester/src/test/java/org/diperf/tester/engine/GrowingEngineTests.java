package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
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
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.call.BlockSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of several stages on real loops and threads, for both kinds of client. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class GrowingEngineTests {

    private static final long MS = 1_000_000L;
    private static final long LONG = 60_000 * MS;

    @TempDir
    Path folder;

    /** Samples recorded, by stage, client and outcome. */
    private final Map<String, Integer> recorded = new ConcurrentHashMap<>();

    private final AtomicInteger calling = new AtomicInteger();
    private final AtomicInteger mostCalling = new AtomicInteger();

    private final class Sink implements BlockSink {
        private long number;

        @Override
        public synchronized void write(BlockWriter writer) {
            ByteBuffer data = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(data, ++number);
            data.flip();
            if (!(writer instanceof CallWriter)) {
                return;
            }
            try {
                Calls decoded = new Calls();
                decoded.decode(data, Block.read(data));
                for (int i = 0; i < decoded.rows(); i++) {
                    String key = decoded.stage(i) + ":" + decoded.client(i) + ":" + decoded.outcome(i);
                    recorded.merge(key, 1, Integer::sum);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private interface Work {
        void call(Call call) throws Exception;
    }

    private static final class Async implements AsyncClient {
        private final Work work;

        Async(Work work) {
            this.work = work;
        }

        @Override
        public void call(Call call) throws Exception {
            work.call(call);
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    private static FakePlugin plugin(boolean blocking, Work work) {
        return blocking
                ? new FakePlugin(BlockingClient.class, () -> (BlockingClient) work::call)
                : new FakePlugin(AsyncClient.class, () -> new Async(work));
    }

    private Engine engine(FakePlugin plugin, BlockSink sink, boolean grows, Stage... stages) throws Exception {
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(stages), grows);
        Engine engine = new Engine(
                new Engine.Config(1, 1, plan, plugin, Map.of(), folder, LoopSettings.DEFAULT.orLoops(2), false),
                sink,
                NanoClock.SYSTEM,
                line -> {});
        engine.prepare();
        return engine;
    }

    private Engine started(FakePlugin plugin, boolean grows, Stage... stages) throws Exception {
        Engine engine = engine(plugin, new Sink(), grows, stages);
        engine.start(NanoClock.SYSTEM.nanoTime() + 20 * MS);
        return engine;
    }

    private static ClosedLoad closed(int clients, long length, Quota quota, OnFailure onFailure, long timeout) {
        return new ClosedLoad(
                clients,
                new ClientLifetimes.Ramp(clients, clients, length),
                new ThinkTime.Fixed(MS),
                quota,
                onFailure,
                timeout);
    }

    private static ClosedLoad closed(int clients, long length) {
        return closed(clients, length, Quota.NONE, OnFailure.CONTINUE, 1_000 * MS);
    }

    private static ClosedLoad unbounded(int clients, Quota quota, OnFailure onFailure, long timeout) {
        return new ClosedLoad(
                clients,
                new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED),
                ThinkTime.NONE,
                quota,
                onFailure,
                timeout);
    }

    private static OpenLoad open(double perSecond, long length, int maxInFlight) {
        return new OpenLoad(perSecond, OpenLoad.Arrivals.CONSTANT, 0, length, maxInFlight, 1_000 * MS);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private int recordedIn(int stage) {
        return recorded.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(stage + ":"))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private long clientsIn(int stage) {
        return recorded.keySet().stream()
                .filter(key -> key.startsWith(stage + ":"))
                .map(key -> key.split(":")[1])
                .distinct()
                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAppendedStageTakesOverWithMoreClientsAndTheRunEndsByAStop(boolean blocking) throws Exception {
        try (Engine engine = engine(plugin(blocking, call -> {}), new Sink(), true, new Stage(0, closed(2, LONG), 0))) {
            long start = NanoClock.SYSTEM.nanoTime() + 20 * MS;
            engine.start(start);
            await(() -> engine.status().ok() > 10);
            long second = NanoClock.SYSTEM.nanoTime() - start + 100 * MS;
            engine.append(new Stage(1, closed(5, LONG), second));
            engine.append(new Stage(1, open(1, LONG, 1), second));
            await(() -> engine.status().activeClients() == 5 && clientsIn(1) == 5);
            assertThat(engine.done()).isNotDone();
            long third = NanoClock.SYSTEM.nanoTime() - start + 50 * MS;
            engine.append(new Stage(2, open(500, LONG, 20), third));
            await(() -> recordedIn(2) > 20);
            engine.stop(1_000 * MS);
            TesterTotals totals = engine.done().get(5, TimeUnit.SECONDS);
            assertThat(clientsIn(0)).isEqualTo(2);
            assertThat(totals.sent() + totals.dropped()).isEqualTo(recordedIn(0) + recordedIn(1) + recordedIn(2));
            assertThat(totals.aborted()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuotaIsMadeExactlyAndEndsTheRun(boolean blocking) throws Exception {
        Stage only = new Stage(0, unbounded(3, new Quota(1_000, 0), OnFailure.CONTINUE, 1_000 * MS), 0);
        try (Engine engine = started(plugin(blocking, call -> {}), false, only)) {
            assertThat(engine.done().get(10, TimeUnit.SECONDS).sent()).isEqualTo(1_000);
            assertThat(recorded).isEqualTo(Map.of("0:0:ok", 334, "0:1:ok", 333, "0:2:ok", 333));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShareOfTheBytesEndsAClient(boolean blocking) throws Exception {
        Stage only = new Stage(0, unbounded(2, new Quota(0, 1_000), OnFailure.CONTINUE, 1_000 * MS), 0);
        try (Engine engine = started(plugin(blocking, call -> call.bytes(200)), false, only)) {
            engine.done().get(10, TimeUnit.SECONDS);
            assertThat(recorded).isEqualTo(Map.of("0:0:ok", 3, "0:1:ok", 3));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientsWhoseCallFailedRetireAndTheLastEndsTheRun(boolean blocking) throws Exception {
        Work failing = call -> {
            if (call.number() == call.client()) {
                throw new IllegalStateException("full");
            }
        };
        Stage only = new Stage(0, unbounded(3, Quota.NONE, OnFailure.RETIRE_CLIENT, 1_000 * MS), 0);
        try (Engine engine = started(plugin(blocking, failing), false, only)) {
            engine.done().get(10, TimeUnit.SECONDS);
            String failed = "IllegalStateException: full";
            assertThat(recorded)
                    .isEqualTo(Map.of(
                            "0:0:" + failed, 1, "0:1:" + failed, 1, "0:1:ok", 1, "0:2:" + failed, 1, "0:2:ok", 2));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAbortEndsTheTesterAndItsTotalsTellWhy(boolean blocking) throws Exception {
        Work failing = call -> {
            if (call.client() == 1 && call.number() == 5) {
                throw new IllegalStateException("full");
            }
        };
        Stage only = new Stage(0, closed(3, LONG, Quota.NONE, OnFailure.ABORT, 1_000 * MS), 0);
        try (Engine engine = started(plugin(blocking, failing), false, only)) {
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.aborted())
                    .isEqualTo("A call by client 1 failed (on-failure: abort): IllegalStateException: full");
            assertThat(totals.sent()).isEqualTo(recordedIn(0));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSinkThatFailsEndsTheLoadWithItsReason(boolean blocking) throws Exception {
        AtomicInteger blocks = new AtomicInteger();
        Sink whole = new Sink();
        BlockSink failing = new BlockSink() {
            @Override
            public void write(BlockWriter block) {
                if (block instanceof CallWriter && blocks.incrementAndGet() > 2) {
                    throw new IllegalStateException("no space left");
                }
                whole.write(block);
            }
        };
        Stage only = new Stage(0, unbounded(2, Quota.NONE, OnFailure.CONTINUE, 1_000 * MS), 0);
        try (Engine engine = engine(plugin(blocking, call -> {}), failing, false, only)) {
            engine.start(NanoClock.SYSTEM.nanoTime());
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.aborted())
                    .isEqualTo("Its samples could not be saved: IllegalStateException: no space left");
            assertThat(recordedIn(0)).isPositive();
            // Each of the two loops may have been at its block when it failed for the first time.
            assertThat(blocks.get()).isBetween(3, 4);
        }
    }

    @Test
    void aStuckBlockingClientIsReplacedByOneThatTakesOverItsQuota() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger hangs = new AtomicInteger();
        Work hanging = call -> {
            if (call.number() == 2 && hangs.getAndIncrement() == 0) {
                boolean over = false;
                while (!over) {
                    try {
                        over = never.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        over = false;
                    }
                }
            }
        };
        Stage only = new Stage(0, unbounded(1, new Quota(6, 0), OnFailure.CONTINUE, 50 * MS), 0);
        try (Engine engine = started(plugin(true, hanging), false, only)) {
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.stuckClients()).isEqualTo(1);
            assertThat(recorded).isEqualTo(Map.of("0:0:ok", 5, "0:0:timeout", 1));
            assertThat(engine.status().activeClients()).isZero();
        } finally {
            never.countDown();
        }
    }

    @Test
    void aBusyBlockingClientStandsOnlyOnceAmongTheFreeOnesOfTheNextStage() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        Map<Integer, AtomicInteger> byClient = new ConcurrentHashMap<>();
        AtomicInteger twice = new AtomicInteger();
        Work slow = call -> {
            mostCalling.accumulateAndGet(calling.incrementAndGet(), Math::max);
            AtomicInteger own =
                    Objects.requireNonNull(byClient.computeIfAbsent(call.client(), client -> new AtomicInteger()));
            if (own.incrementAndGet() > 1) {
                twice.incrementAndGet();
            }
            try {
                if (call.number() == 0) {
                    first.await();
                }
            } finally {
                own.decrementAndGet();
                calling.decrementAndGet();
            }
        };
        Stage one = new Stage(0, open(100, 50 * MS, 4), 0);
        Stage two = new Stage(1, open(1_000, 200 * MS, 4), 50 * MS);
        try (Engine engine = started(plugin(true, slow), false, one, two)) {
            await(() -> engine.status().dropped() > 20);
            first.countDown();
            TesterTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent() + totals.dropped()).isEqualTo(205).isEqualTo(recordedIn(0) + recordedIn(1));
            assertThat(mostCalling).hasValueLessThanOrEqualTo(4);
            assertThat(twice).hasValue(0);
        }
    }

    @Test
    void aSelfTimedClientThatStaysIsInvokedOnceForAllStages() throws Exception {
        AtomicInteger invoked = new AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, null, false));
        Stage one = new Stage(0, closed(2, LONG), 0);
        try (Engine engine = started(plugin, true, one)) {
            await(() -> invoked.get() == 2);
            // Its start is over already, so it takes over at once and opens a third client.
            engine.append(new Stage(1, closed(3, LONG), 0));
            await(() -> invoked.get() == 3);
            assertThat(engine.status().activeClients()).isEqualTo(3);
            engine.stop(0);
            engine.done().get(5, TimeUnit.SECONDS);
            assertThat(invoked).hasValue(3);
            assertThat(engine.status().failed()).isZero();
        }
    }

    @Test
    void aSelfTimedClientThatReportsAFailureRetires() throws Exception {
        AtomicInteger invoked = new AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, "refused", false));
        Stage only = new Stage(0, closed(2, LONG, Quota.NONE, OnFailure.RETIRE_CLIENT, 1_000 * MS), 0);
        try (Engine engine = started(plugin, false, only)) {
            assertThat(engine.done().get(5, TimeUnit.SECONDS).aborted()).isEmpty();
            assertThat(recorded).isEqualTo(Map.of("0:0:refused", 1, "0:1:refused", 1));
        }
    }

    @Test
    void aSelfTimedClientThatReportsAFailureAborts() throws Exception {
        AtomicInteger invoked = new AtomicInteger();
        FakePlugin plugin = new FakePlugin(BlockingClient.class, () -> new SelfTimed(invoked, "refused", false));
        Stage only = new Stage(0, closed(2, LONG, Quota.NONE, OnFailure.ABORT, 1_000 * MS), 0);
        try (Engine engine = started(plugin, false, only)) {
            assertThat(engine.done().get(5, TimeUnit.SECONDS).aborted()).endsWith(": refused");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stopsBeforeTheStartEndTheEngine(boolean blocking) throws Exception {
        try (Engine engine = engine(plugin(blocking, call -> {}), new Sink(), true, new Stage(0, closed(2, LONG), 0))) {
            engine.stop(LONG);
            engine.stop(0);
            engine.append(new Stage(1, closed(3, LONG), 0));
            engine.start(NanoClock.SYSTEM.nanoTime());
            assertThat(engine.done().get(5, TimeUnit.SECONDS).sent()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientsThatStayAreActiveFromStageToStage(boolean blocking) throws Exception {
        Stage one = new Stage(0, closed(3, 100 * MS), 0);
        Stage two = new Stage(1, closed(3, LONG), 100 * MS);
        try (Engine engine = started(plugin(blocking, call -> {}), false, one, two)) {
            await(() -> engine.status().activeClients() == 3);
            int least = 3;
            while (clientsIn(1) < 3) {
                least = Math.min(least, engine.status().activeClients());
            }
            assertThat(least).isEqualTo(3);
        }
    }
}
