package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to keep one sample: added to its block, and laid out in the block's final bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallWriterBenchmark {

    private static final int CALLS = 1_000;
    private static final int CLIENTS = 64;
    private static final int METRICS = 3;

    private final CallWriter writer = new CallWriter(1, CALLS, METRICS);
    private final TestCall row = new TestCall(0, 0, 0).bytes(6).metric(2, 0.25);
    private final long[] lags = new long[CALLS];
    private final long[] latencies = new long[CALLS];
    private ByteBuffer block = ByteBuffer.allocate(0);
    private long number;
    private long intendedNanos;

    /** Draws lags and latencies as a fast service on the loopback gives them. */
    @Setup
    public void draw() {
        java.util.Random random = new java.util.Random(42);
        for (int i = 0; i < CALLS; i++) {
            lags[i] = random.nextInt(20_000);
            latencies[i] = lags[i] + 200_000 + random.nextInt(300_000);
        }
        fill();
        block = ByteBuffer.allocate(2 * writer.maxEncodedLength());
        writer.encode(block, ++number);
    }

    private void fill() {
        for (int i = 0; i < CALLS; i++) {
            intendedNanos += 7_000;
            writer.add(row.times(intendedNanos, lags[i], latencies[i]).client(i % CLIENTS));
        }
    }

    /** Time a sample. The few bytes that a block allocates are spread over its 1,000 samples. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int addAndEncode() {
        fill();
        writer.encode(block.clear(), ++number);
        return block.position();
    }
}
