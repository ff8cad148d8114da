package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
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
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.EngineListener;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.ClientFactory;
import org.diperf.tester.engine.loop.LoopShare;
import org.diperf.tester.engine.loop.TimerHeap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real thread over the JDK's own selector, which serves where the native one is missing. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TesterLoopTests {

    private static final long MS = 1_000_000L;

    private static class Prompt implements AsyncClient {
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

    private record Maker(Client client) implements ClientFactory {
        @Override
        public Client newClient() {
            return client;
        }

        @Override
        public Context context(int client, @Nullable Loop loop) {
            return new Opened(client, Url.of("test:a"), loop);
        }
    }

    @Test
    void withoutTheNativeSelectorEveryArrivalIsSentToo() throws Exception {
        RunSetup setup = setup(line -> {});
        TesterLoop thread = loop(setup);
        Counting sink = new Counting();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        CallLoop calls = new CallLoop(
                setup,
                new LoopShare(0, 1),
                NanoClock.SYSTEM,
                thread,
                new PlanRules(setup),
                new Maker(new Prompt()),
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

    @Test
    void whatHoldsALoopIsNamedWithItsClientAndAgainWhenItLetsGo() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        RunSetup setup = setup(line -> {});
        TesterLoop thread = loop(setup);
        CallLoop calls = calls(setup, thread, new Prompt() {
            @Override
            public void call(Call call) {
                entered.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                call.ok();
            }
        });
        thread.start(calls);
        thread.submit(() -> calls.openFirst(4)).get();
        thread.submit(() -> calls.start(NanoClock.SYSTEM.nanoTime())).get();
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        thread.held(0);
        List<String> told = LongStream.rangeClosed(1, 300)
                .mapToObj(look -> thread.held(look * 10 * MS))
                .filter(Objects::nonNull)
                .toList();
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("diperf-loop-1 is held by ")
                .contains("TesterLoopTests")
                .endsWith(" of client 0, request all");
        release.countDown();
        thread.submit(() -> {}).get();
        assertThat(thread.held(4_000 * MS))
                .startsWith("diperf-loop-1 was held for 4.0 s by ")
                .contains("client 0");
        assertThat(thread.held(4_010 * MS)).isNull();
        thread.submit(() -> calls.stop(0)).get();
        thread.terminate();
        thread.join(5_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLoopThatRunsOutOfMemoryEndsTheLoadAndSaysWhatToSet(boolean inACall) throws Exception {
        CompletableFuture<Long> stopped = new CompletableFuture<>();
        RunSetup setup = setup(line -> {});
        setup.whenAborted(stopped::complete);
        TesterLoop thread = loop(setup);
        CallLoop calls = calls(setup, thread, new Prompt() {
            @Override
            public void call(Call call) {
                if (inACall) {
                    throw new OutOfMemoryError("Java heap space");
                }
                call.ok();
            }
        });
        thread.start(calls);
        thread.submit(() -> calls.openFirst(4)).get();
        thread.submit(() -> calls.start(NanoClock.SYSTEM.nanoTime())).get();
        if (!inACall) {
            thread.submit(() -> calls.timers()
                            .arm(
                                    new TimerHeap.Due(false, now -> {
                                        throw new OutOfMemoryError("Java heap space");
                                    }),
                                    0))
                    .get();
        }
        assertThat(stopped.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(setup.aborted())
                .startsWith("OutOfMemoryError: Java heap space with a heap of ")
                .endsWith(" MiB; " + Memory.REMEDY);
        thread.submit(() -> calls.stop(0)).get();
        thread.terminate();
        thread.join(5_000);
    }

    private static RunSetup setup(EngineListener listener) {
        OpenLoad load = new OpenLoad(500, OpenLoad.Arrivals.CONSTANT, 0, 200 * MS, 4, 1_000 * MS);
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, load, 0)));
        return new RunSetup(1, 1, 0, plan, List.of(), LoopSettings.DEFAULT.orLoops(1), false, listener);
    }

    private static TesterLoop loop(RunSetup setup) {
        return new TesterLoop(
                0, setup, new ReceiveTimes(NanoClock.SYSTEM, WallClock.SYSTEM), NioIoHandler.newFactory());
    }

    private static CallLoop calls(RunSetup setup, TesterLoop thread, Client client) {
        return new CallLoop(
                setup,
                new LoopShare(0, 1),
                NanoClock.SYSTEM,
                thread,
                new PlanRules(setup),
                new Maker(client),
                new SampleStream(1, 0, new Counting()),
                () -> {});
    }
}
