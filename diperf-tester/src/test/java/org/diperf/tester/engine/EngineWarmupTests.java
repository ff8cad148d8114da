package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.BlockSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A plugin that notes whom its clients call. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class EngineWarmupTests {

    private static final long MS = 1_000_000L;

    @TempDir
    private Path folder;

    private final Set<String> called = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger standIns = new AtomicInteger();
    private final AtomicLong rows = new AtomicLong();
    private boolean broken;

    private final class Noting implements AsyncClient {
        @Override
        public void call(Call call) {
            called.add(call.target().toString());
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    private final class Plugin implements ClientPlugin {
        @Override
        public String id() {
            return "noting";
        }

        @Override
        public String summary() {
            return "notes whom it calls";
        }

        @Override
        public Optional<StandIn> standIn(Parameters with) {
            if (broken) {
                throw new IllegalStateException("no port is free");
            }
            standIns.incrementAndGet();
            return Optional.of(new StandIn() {
                @Override
                public Url target() {
                    return Url.of("test:stand-in");
                }

                @Override
                public void close() {
                    standIns.decrementAndGet();
                }
            });
        }

        @Override
        public Session open(SessionContext context) {
            sessions.incrementAndGet();
            return new Session() {
                @Override
                public Client newClient() {
                    return new Noting();
                }

                @Override
                public Class<? extends Client> kind() {
                    return AsyncClient.class;
                }

                @Override
                public void close() {
                    sessions.decrementAndGet();
                }
            };
        }
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

    private static Plan plan(long lengthNanos) {
        OpenLoad load = new OpenLoad(100, OpenLoad.Arrivals.CONSTANT, 0, lengthNanos, 4, 1_000 * MS);
        return new Plan(1, 1, Targets.one(Url.of("test:service")), List.of(new Stage(0, load, 0)));
    }

    private Engine prepared(long lengthNanos, boolean debug) throws Exception {
        Engine engine = new Engine(
                new Engine.Config(
                        1,
                        1,
                        plan(lengthNanos),
                        new Plugin(),
                        Map.of(),
                        folder,
                        LoopSettings.DEFAULT.orLoops(2),
                        debug),
                new Rows(),
                NanoClock.SYSTEM,
                line -> {
                    throw new AssertionError(line);
                });
        engine.prepare();
        return engine;
    }

    @Test
    void clientsRehearseOnTheStandInAndNothingOfItIsRecorded() throws Exception {
        try (Engine engine = prepared(10_000 * MS, false)) {
            assertThat(called).containsExactly("test:stand-in");
            assertThat(standIns).hasValue(0);
            assertThat(sessions).as("the run's own alone").hasValue(1);
            assertThat(rows).hasValue(0);
            assertThat(engine.status().sent()).isZero();
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void aShortRunBeginsAtOnce() throws Exception {
        try (Engine engine = prepared(4_000 * MS, false)) {
            assertThat(engine.status().sent()).isZero();
            assertThat(called).isEmpty();
        }
    }

    @Test
    void underADebuggerNothingIsRehearsed() throws Exception {
        try (Engine engine = prepared(10_000 * MS, true)) {
            assertThat(engine.status().sent()).isZero();
            assertThat(called).isEmpty();
        }
    }

    @Test
    void aStandInThatCannotBeStartedIsDoneWithout() throws Exception {
        broken = true;
        try (Engine engine = prepared(10_000 * MS, false)) {
            assertThat(engine.status().sent()).isZero();
            assertThat(called).isEmpty();
        }
    }

    @Test
    void aRehearsalLastsHalfASecondAndInLongRunsUpToOne() {
        assertThat(EngineWarmup.lengthNanos(plan(4_999 * MS))).isZero();
        assertThat(EngineWarmup.lengthNanos(plan(5_000 * MS))).isEqualTo(250 * MS);
        assertThat(EngineWarmup.lengthNanos(plan(30_000 * MS))).isEqualTo(750 * MS);
        assertThat(EngineWarmup.lengthNanos(plan(3_600_000 * MS))).isEqualTo(1_000 * MS);
    }
}
