package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
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
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.ClientFactory;
import org.diperf.tester.engine.loop.LoopShare;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real thread over the JDK's own selector, which serves where the native one is missing. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TesterLoopTests {

    private static final long MS = 1_000_000L;

    private static final class Prompt implements AsyncClient {
        @Override
        public void call(Call call) {
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    private static final class Counting implements BlockSink {
        private final AtomicLong rows = new AtomicLong();
        private long number;

        @Override
        public void write(BlockWriter block) {
            assertThat(block).isInstanceOf(CallWriter.class);
            rows.addAndGet(block.rows());
            block.encode(ByteBuffer.allocate(block.maxEncodedLength()), ++number);
        }
    }

    private record Opened(int client, Url target, @Nullable Loop owner) implements Context {
        @Override
        public java.time.Duration timeout() {
            return java.time.Duration.ofSeconds(1);
        }

        @Override
        public Parameters with() {
            throw new AssertionError("not asked for");
        }

        @Override
        public Recorder recorder() {
            throw new AssertionError("not asked for");
        }

        @Override
        public Loop loop() {
            return java.util.Objects.requireNonNull(owner);
        }
    }

    private static final class Maker implements ClientFactory {
        @Override
        public Client newClient() {
            return new Prompt();
        }

        @Override
        public Context context(int client, @Nullable Loop loop) {
            return new Opened(client, Url.of("test:a"), loop);
        }
    }

    @Test
    void withoutTheNativeSelectorEveryArrivalIsSentToo() throws Exception {
        OpenLoad load = new OpenLoad(500, OpenLoad.Arrivals.CONSTANT, 0, 200 * MS, 4, 1_000 * MS);
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, load, 0)));
        RunSetup setup = new RunSetup(1, 1, 0, plan, List.of(), LoopSettings.DEFAULT.orLoops(1), false, line -> {});
        TesterLoop thread = new TesterLoop(
                0, setup, new ReceiveTimes(NanoClock.SYSTEM, WallClock.SYSTEM), NioIoHandler.newFactory());
        Counting sink = new Counting();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        CallLoop calls = new CallLoop(
                setup,
                new LoopShare(0, 1),
                NanoClock.SYSTEM,
                thread,
                new PlanRules(setup),
                new Maker(),
                new SampleStream(1, 0, sink),
                () -> done.complete(true));
        thread.start(calls);
        thread.submit(() -> calls.openFirst(4)).get();
        thread.submit(() -> assertThat(thread.inLoop()).isTrue()).get();
        assertThat(thread.unwrap(IoEventLoop.class))
                .hasValueSatisfying(
                        io -> assertThat(io.isIoType(NioIoHandler.class)).isTrue());
        thread.submit(() -> calls.start(NanoClock.SYSTEM.nanoTime() + 10 * MS)).get();
        assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
        thread.terminate();
        thread.join(5_000);
        assertThat(thread.isAlive()).isFalse();
        assertThat(sink.rows).hasValue(100);
    }
}
