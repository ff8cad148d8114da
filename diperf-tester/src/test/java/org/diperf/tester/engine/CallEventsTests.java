package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Events;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.BlockSink;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes within calls, with real loops and threads. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class CallEventsTests {

    private static final long S = 1_000_000_000L;
    private static final int CALLS = 40;

    @TempDir
    Path folder;

    /** A client's call. */
    private record Key(int client, long call) {}

    /** An event as it was recorded. */
    private record Recorded(long nanos, long gapNanos, boolean first, int kind, long count) {}

    private final Map<Key, List<Long>> made = new ConcurrentHashMap<>();
    private final Map<Key, List<Recorded>> recorded = new ConcurrentHashMap<>();
    private final List<Long> ends = new ArrayList<>();

    /** Call n has 50 n events: none, few, and more than are kept together. */
    private void answer(Call call) {
        List<Long> instants = new ArrayList<>();
        for (int i = 0; i < 50 * call.number(); i++) {
            instants.add(call.event(i % 3, i));
        }
        made.put(new Key(call.client(), call.number()), instants);
    }

    private final class Streaming implements AsyncClient {
        @Override
        public void call(Call call) {
            answer(call);
            call.ok();
            // What comes behind the end is not kept.
            long unused = call.event(0, 1);
        }

        @Override
        public void cancel(Call call) {}
    }

    private final class Sink implements BlockSink {
        private long number;

        @Override
        public synchronized void write(BlockWriter writer) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, ++number);
            block.flip();
            try {
                Block header = Block.read(block);
                if (header.kind() == Block.EVENTS) {
                    Events events = new Events();
                    events.decode(block, header);
                    for (int i = 0; i < events.rows(); i++) {
                        recorded.computeIfAbsent(new Key(events.client(i), events.call(i)), key -> new ArrayList<>())
                                .add(new Recorded(
                                        events.timeNanos(i),
                                        events.gapNanos(i),
                                        events.isFirst(i),
                                        events.kind(i),
                                        events.count(i)));
                    }
                } else if (header.kind() == Block.CALLS) {
                    Calls calls = new Calls();
                    calls.decode(block, header);
                    for (int i = 0; i < calls.rows(); i++) {
                        ends.add(calls.intendedNanos(i));
                    }
                }
            } catch (CorruptBlockException e) {
                throw new AssertionError(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyEventOfEveryCallIsKeptInItsOrder(boolean async) throws Exception {
        FakePlugin plugin = async
                ? new FakePlugin(AsyncClient.class, Streaming::new)
                : new FakePlugin(BlockingClient.class, () -> (BlockingClient) this::answer);
        ClosedLoad load = new ClosedLoad(
                4,
                new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED),
                ThinkTime.NONE,
                new Quota(CALLS, 0),
                OnFailure.CONTINUE,
                S);
        Plan plan = new Plan(7, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, load, 0)));
        try (Engine engine = new Engine(
                new Engine.Config(
                        1,
                        1,
                        Rank.ONLY,
                        plan,
                        plugin,
                        Map.of(),
                        folder,
                        LoopSettings.DEFAULT.orLoops(2),
                        false,
                        Script.NONE),
                new Sink(),
                NanoClock.SYSTEM,
                message -> {})) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            engine.done().get(20, TimeUnit.SECONDS);
        }
        assertThat(ends).hasSize(CALLS);
        assertThat(made).hasSize(CALLS);
        made.forEach((key, instants) -> {
            List<Recorded> events = recorded.getOrDefault(key, List.of());
            assertThat(events).as(key.toString()).hasSameSizeAs(instants);
            for (int i = 0; i < events.size(); i++) {
                Recorded event = events.get(i);
                assertThat(event.nanos() - instants.get(i)).isBetween(-500L, 500L);
                assertThat(event.first()).isEqualTo(i == 0);
                assertThat(event.kind()).isEqualTo(i % 3);
                assertThat(event.count()).isEqualTo(i);
                if (i > 0) {
                    assertThat(event.gapNanos())
                            .isEqualTo(event.nanos() - events.get(i - 1).nanos());
                }
            }
        });
    }
}
