package org.diperf.tester.engine;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to take the earliest timer out and to arm it again, among so many that are armed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimerHeapBenchmark {

    private static final int SPANS = 1 << 10;

    @Param({"64", "15000"})
    int armed;

    private final TimerHeap heap = new TimerHeap();
    private final long[] spansNanos = new long[SPANS];
    private int turn;

    /** Arms the timers at random instants within a second. */
    @Setup
    public void arm() {
        java.util.Random random = new java.util.Random(42);
        for (int i = 0; i < SPANS; i++) {
            spansNanos[i] = 1L + random.nextInt(1_000_000_000);
        }
        for (int i = 0; i < armed; i++) {
            heap.arm(new TimerHeap.Due(false, now -> {}), spansNanos[i % SPANS]);
        }
    }

    /** Time an expiry with the arming that follows; allocates nothing. */
    @Benchmark
    public long fireAndArm() {
        TimerHeap.Due due = heap.first();
        if (due == null) {
            throw new IllegalStateException("no timer is armed");
        }
        long now = due.atNanos();
        heap.disarm(due);
        due.fire(now);
        heap.arm(due, now + spansNanos[turn++ & (SPANS - 1)]);
        return now;
    }
}
