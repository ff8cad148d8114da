package org.diperf.tester.engine;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.LoopShare;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the engine itself costs a call of closed load: the end is taken, stamped and recorded, the block laid out when it
 * is full, and the same client's next call begun. The service is a list of calls in memory; the clock is the real one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallLoopBenchmark {

    private static final int CLIENTS = 64;
    private static final long HOUR = 3_600_000_000_000L;

    /** The calls in flight, the oldest first. */
    private final Call[] held = new Call[CLIENTS];

    private int taken;
    private int given;
    private final HandLoop hand = new HandLoop(load(), Held::new);
    private CallLoop loop = hand.loop;

    private static ClosedLoad load() {
        return new ClosedLoad(CLIENTS, 0, 1_000 * HOUR, ThinkTime.NONE, HOUR);
    }

    private final class Held implements AsyncClient {
        @Override
        public void call(Call call) {
            held[given++ % CLIENTS] = call;
        }

        @Override
        public void cancel(Call call) {
            call.fail("cancelled");
        }
    }

    /** Encodes as the link does, and forgets. */
    private static final class Encoded implements BlockSink {

        private ByteBuffer block = ByteBuffer.allocate(0);
        private long number;

        @Override
        public void write(BlockWriter calls) {
            if (block.capacity() == 0) {
                block = ByteBuffer.allocate(4 * calls.maxEncodedLength());
            }
            calls.encode(block.clear(), ++number);
        }
    }

    /** Begins the first call of every client. */
    @Setup
    public void begin() {
        Plan plan = new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, load(), 0)));
        RunSetup setup = new RunSetup(1, 1, 0, plan, List.of(), LoopSettings.DEFAULT.orLoops(1), false, line -> {});
        SampleStream samples = new SampleStream(1, 0, new Encoded());
        loop = new CallLoop(
                setup, new LoopShare(0, 1), NanoClock.SYSTEM, hand, new PlanRules(setup), hand, samples, () -> {});
        loop.openFirst(CLIENTS);
        loop.start(NanoClock.SYSTEM.nanoTime());
        while (given < CLIENTS) {
            loop.runDue();
        }
    }

    /** Time a call; allocates next to nothing: a block's few objects are spread over its 1,000 calls. */
    @Benchmark
    public long oneCall() {
        Call call = held[taken++ % CLIENTS];
        call.ok(call.ticket());
        return loop.runDue();
    }
}
