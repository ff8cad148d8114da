package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StandIn;
import org.diperf.tester.engine.call.BlockSink;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the service sees of clients that come and go: real plugins, counted at the server; order and counts, no times. Who extends it
 * names them in a static method {@code plugins}: their IDs, each with its path or an empty one.
 */
@Timeout(60)
public abstract class ConnectionsContract {

    private static final long MS = 1_000_000L;
    /** Too short for a rehearsal; a stage that is over keeps its clients until the next one is known. */
    private static final long LONG = 4_000 * MS;

    private static final long LONGEST_WAIT_NANOS = 20_000 * MS;
    /** So many threads share the clients. */
    protected static final int LOOPS = 2;

    @TempDir
    Path folder;

    private static final class DiscardingSink implements BlockSink {
        private long number;

        @Override
        public synchronized void write(BlockWriter block) {
            block.encode(ByteBuffer.allocate(block.maxEncodedLength()), ++number);
        }
    }

    /** What is asserted while the load runs. */
    protected interface Watch {
        void watch(Run run, CountingServer server) throws Exception;
    }

    /** A run whose stages the test appends. */
    protected record Run(Engine engine, long startNanos, AtomicInteger stages) {

        /** Lets another stage begin soon. */
        public void next(Load load) {
            long in = NanoClock.SYSTEM.nanoTime() - startNanos + 20 * MS;
            engine.append(new Stage(stages.getAndIncrement(), load, in));
        }
    }

    private static ClientPlugin plugin(String id) {
        return ServiceLoader.load(ClientPlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static ClosedLoad closed(int clients, ClientLifetimes lives) {
        return new ClosedLoad(clients, lives, new ThinkTime.Fixed(5 * MS), Quota.NONE, OnFailure.CONTINUE, 20_000 * MS);
    }

    /** A stage of so many clients that outlasts the test. */
    protected static ClosedLoad hold(int clients) {
        return closed(Math.max(1, clients), new ClientLifetimes.Ramp(clients, clients, LONG));
    }

    /** Runs a plugin's clients against its own stand-in, or an echo. */
    protected final void run(String id, Map<String, Object> with, Load first, Watch watch) throws Exception {
        ClientPlugin plugin = plugin(id);
        try (StandIn standIn = plugin.standIn(Parameters.read(plugin.parameters(), with, 1))
                        .orElse(null);
                CountingServer server = new CountingServer(standIn == null ? null : standIn.target())) {
            String scheme = standIn == null ? id : standIn.target().scheme();
            Plan plan = new Plan(1, 1, Targets.one(server.address(scheme)), List.of(new Stage(0, first, 0)), true);
            Engine.Config config =
                    new Engine.Config(1, 1, plan, plugin, with, folder, LoopSettings.DEFAULT.orLoops(LOOPS), false);
            try (Engine engine = new Engine(config, new DiscardingSink(), NanoClock.SYSTEM, line -> {})) {
                engine.prepare();
                long start = NanoClock.SYSTEM.nanoTime() + 20 * MS;
                engine.start(start);
                watch.watch(new Run(engine, start, new AtomicInteger(1)), server);
                assertThat(engine.done()).isNotDone();
                engine.stop(LONG);
                engine.done().get(20, TimeUnit.SECONDS);
                assertThat(engine.status().failed()).isZero();
                await(server, () -> server.open() == 0);
            }
        }
    }

    /** Waits until the server has seen what is wanted; the bound is for a machine that is busy with other things. */
    protected static void await(CountingServer server, BooleanSupplier condition) {
        long end = NanoClock.SYSTEM.nanoTime() + LONGEST_WAIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(NanoClock.SYSTEM.nanoTime() - end)
                    .as("time to wait; the server saw so many connections: %s", server.counts())
                    .isNegative();
            LockSupport.parkNanos(MS);
        }
    }

    private static Map<String, Object> with(String path) {
        return path.isEmpty() ? Map.of() : Map.of("path", path);
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void connectionsFallAsClientsEndAndTheOthersCallOn(String id, String path) throws Exception {
        Load load = closed(20, new ClientLifetimes.Staggered(60 * MS, 3_000 * MS));
        run(id, with(path), load, (run, server) -> {
            await(server, () -> server.counts().contains(20));
            // The last one lives as long as the stage, and the next stage might keep it.
            await(server, () -> server.open() == 1);
            assertThat(server.counts()).hasSize(39);
            int half = server.counts().lastIndexOf(10);
            assertThat(half).isGreaterThan(server.counts().indexOf(20));
            assertThat(server.changes().get(38).received())
                    .isGreaterThan(server.changes().get(half).received());
        });
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void aStageWithoutClientsHasNoConnectionsAndTheNextOneMakesNewOnes(String id, String path) throws Exception {
        run(id, with(path), hold(100), (run, server) -> {
            await(server, () -> server.open() == 100);
            run.next(hold(0));
            await(server, () -> server.open() == 0);
            assertThat(server.counts()).hasSize(200);
            run.next(hold(100));
            await(server, () -> server.open() == 100);
            assertThat(server.counts()).hasSize(300);
        });
    }
}
