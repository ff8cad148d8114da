package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.Think;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real loops and threads; every run is over in about a second. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class EngineTest {

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

    private record Plugin(Class<? extends Client> kind, Supplier<Client> clients) implements ClientPlugin, Session {
        @Override
        public String id() {
            return "fake";
        }

        @Override
        public String summary() {
            return "answers by itself";
        }

        @Override
        public Session open(SessionContext context) {
            return this;
        }

        @Override
        public Client newClient() {
            return clients.get();
        }

        @Override
        public void close() {}
    }

    private final class Rows implements BlockSink {
        private long number;

        @Override
        public synchronized void write(CallWriter calls) {
            rows.addAndGet(calls.rows());
            calls.encode(ByteBuffer.allocate(calls.maxEncodedLength()), ++number);
        }

        @Override
        public synchronized void write(ObservationWriter observations) {
            observations.encode(ByteBuffer.allocate(observations.maxEncodedLength()), ++number);
        }
    }

    private Engine engine(Plugin plugin, Load load) throws Exception {
        Plan plan = new Plan(1, 1, Targets.one(URI.create("test:a")), List.of(new Stage(0, load, 0)));
        Engine engine = new Engine(
                new Engine.Config(1, plan, plugin, Map.of(), folder, 2, false),
                new Rows(),
                NanoClock.SYSTEM,
                line -> {});
        engine.prepare();
        engine.start(NanoClock.SYSTEM.nanoTime() + 20 * MS);
        return engine;
    }

    private static OpenLoad open(int maxInFlight) {
        return new OpenLoad(200, OpenLoad.Arrivals.CONSTANT, 0, 500 * MS, maxInFlight, 1_000 * MS);
    }

    private static ClosedLoad closed(long runFor) {
        return new ClosedLoad(4, 0, runFor, new Think.Fixed(10 * MS), 1_000 * MS);
    }

    private static Plugin blocking(BlockingClient client) {
        return new Plugin(BlockingClient.class, () -> client);
    }

    @Test
    void openLoadOnTwoLoopsSendsEveryArrival() throws Exception {
        try (Engine engine = engine(new Plugin(AsyncClient.class, Prompt::new), open(10))) {
            EngineTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent()).isEqualTo(100);
            assertThat(rows).hasValue(100);
        }
    }

    @Test
    void closedLoadOnTwoLoopsRecordsWhatItSent() throws Exception {
        try (Engine engine = engine(new Plugin(AsyncClient.class, Prompt::new), closed(300 * MS))) {
            EngineTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent()).isBetween(8L, 120L).isEqualTo(rows.get());
        }
    }

    @Test
    void blockingClientsOfClosedLoadRecordWhatTheySent() throws Exception {
        try (Engine engine = engine(blocking(call -> {}), closed(300 * MS))) {
            EngineTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent()).isBetween(8L, 120L).isEqualTo(rows.get());
        }
    }

    @Test
    void blockingClientsOfOpenLoadSendOrDropEveryArrival() throws Exception {
        try (Engine engine = engine(blocking(call -> {}), open(10))) {
            EngineTotals totals = engine.done().get(10, TimeUnit.SECONDS);
            assertThat(totals.sent() + totals.dropped()).isEqualTo(100);
            assertThat(rows).hasValue(100);
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
            EngineTotals totals = engine.done().get(2, TimeUnit.SECONDS);
            assertThat(totals.sent()).isEqualTo(4).isEqualTo(rows.get());
        }
    }
}
