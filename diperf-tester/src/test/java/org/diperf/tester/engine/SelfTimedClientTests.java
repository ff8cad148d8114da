package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that make many calls in one invocation and time them themselves. */
@Timeout(30)
class SelfTimedClientTests {

    private static final long MILLI = 1_000_000;

    @TempDir
    Path folder;

    /** Records two calls, then waits for its end. */
    public static final class WorkingClient implements BlockingClient {
        private @Nullable Recorder recorder;

        @Override
        public boolean selfTimed() {
            return true;
        }

        @Override
        public void open(Context context) {
            recorder = context.recorder();
        }

        @Override
        public void call(Call call) throws InterruptedException {
            long now = NanoClock.SYSTEM.nanoTime();
            Recorder into = requireNonNull(recorder);
            into.call(now - 2 * MILLI, now - MILLI, 7, null);
            into.call(now - MILLI, now, 0, "refused");
            new CountDownLatch(1).await();
        }
    }

    /** Ends at once. */
    public static final class ShortLivedClient implements BlockingClient {
        @Override
        public boolean selfTimed() {
            return true;
        }

        @Override
        public void call(Call call) {}
    }

    @Test
    void itsOwnRecordsAreTheOnlyOnesAndItIsInterruptedAtItsEnd() throws Exception {
        List<String> outcomes = run(WorkingClient.class, closed(2, 200 * MILLI, 50 * MILLI));
        assertThat(outcomes).containsExactlyInAnyOrder("ok", "refused", "ok", "refused");
    }

    @Test
    void oneThatEndsBeforeItsTimeHasOneFailedCall() throws Exception {
        assertThat(run(ShortLivedClient.class, closed(1, 200 * MILLI, 50 * MILLI)))
                .containsExactly("ended early");
    }

    @Test
    void openLoadIsRefusedWithTheWayOut() {
        OpenLoad open = new OpenLoad(10, OpenLoad.Arrivals.CONSTANT, 0, 100 * MILLI, 2, 50 * MILLI);
        assertThatThrownBy(() -> run(WorkingClient.class, open))
                .hasMessageContaining("closed load")
                .hasMessageContaining("run-for");
    }

    private static ClosedLoad closed(int clients, long runForNanos, long timeoutNanos) {
        return new ClosedLoad(clients, 0, runForNanos, ThinkTime.NONE, timeoutNanos);
    }

    private List<String> run(Class<? extends BlockingClient> type, Load load) throws Exception {
        List<String> outcomes = new ArrayList<>();
        BlockSink sink = new BlockSink() {
            @Override
            public synchronized void write(BlockWriter writer) {
                ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
                writer.encode(block, 1);
                if (!(writer instanceof CallWriter)) {
                    return;
                }
                Calls decoded = new Calls();
                try {
                    decoded.decode(block.flip(), Block.read(block));
                } catch (CorruptBlockException e) {
                    throw new AssertionError(e);
                }
                for (int row = 0; row < decoded.rows(); row++) {
                    outcomes.add(decoded.outcome(row));
                }
            }
        };
        Plan plan = new Plan(1, 1, Targets.one(Url.of("none://here")), List.of(new Stage(0, load, 0)));
        Engine.Config config = new Engine.Config(
                1, 1, plan, Plugins.ofClass(type), Map.of(), folder, LoopSettings.DEFAULT.orLoops(1), false);
        try (Engine engine = new Engine(config, sink, NanoClock.SYSTEM, line -> {})) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            engine.done().get(20, TimeUnit.SECONDS);
        }
        return outcomes;
    }
}
