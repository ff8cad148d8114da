package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients report by themselves leaves the engine without secrets. */
@Timeout(30)
class SecretsOfRecordersTests {

    private static final String SECRET = "open-sesame";
    private static final long MILLI = 1_000_000;

    @TempDir
    Path folder;

    /** Puts its secret wherever a client can put a text. */
    public static final class TalkativeClient implements BlockingClient {
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
            Recorder into = requireNonNull(recorder);
            into.reject("line with " + SECRET, "such as " + "x".repeat(190) + SECRET);
            into.observe(new Metric("of." + SECRET, "ms", "a metric"), NanoClock.SYSTEM.nanoTime(), 1);
            into.call(NanoClock.SYSTEM.nanoTime(), NanoClock.SYSTEM.nanoTime(), 0, "refused " + SECRET);
            new CountDownLatch(1).await();
        }
    }

    @Test
    void neitherSamplesNorTotalsNorLogShowThem() throws Exception {
        List<String> left = Collections.synchronizedList(new ArrayList<>());
        ClosedLoad load = new ClosedLoad(
                1,
                new ClientLifetimes.Staggered(0, 200 * MILLI),
                ThinkTime.NONE,
                Quota.NONE,
                OnFailure.ABORT,
                50 * MILLI);
        Plan plan = new Plan(1, 1, Targets.one(Url.of("none://here")), List.of(new Stage(0, load, 0)));
        Script script = new Script(List.of(), List.of(), List.of(), List.of(), new Secrets(Map.of("env:KEY", SECRET)));
        Engine.Config config = new Engine.Config(
                1,
                1,
                Rank.ONLY,
                plan,
                Plugins.ofClass(TalkativeClient.class),
                Map.of(),
                folder,
                LoopSettings.DEFAULT.orLoops(1),
                false,
                script);
        BlockSink sink = writer -> {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, 1);
            left.add(StandardCharsets.ISO_8859_1.decode(block.flip()).toString());
        };
        TesterTotals totals;
        try (Engine engine = new Engine(config, sink, NanoClock.SYSTEM, left::add)) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            totals = engine.done().get(20, TimeUnit.SECONDS);
        }
        left.add(totals.toString());
        assertThat(totals.rejected()).containsOnlyKeys("line with ***");
        assertThat(totals.aborted()).contains("refused ***");
        assertThat(left).anyMatch(text -> text.contains("of.***"));
        assertThat(left).noneMatch(text -> text.contains("sesame") || text.contains("open-ses"));
    }
}
