package org.diperf.core.plan;

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

/** What it costs to ask for the next arrival of open load. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ArrivalStreamBenchmark {

    private static final long SECOND = 1_000_000_000L;

    @Param({"CONSTANT", "POISSON"})
    OpenLoad.Arrivals arrivals = OpenLoad.Arrivals.CONSTANT;

    @Param({"0", "10"})
    long rampSeconds;

    private OpenLoad load = new OpenLoad(1, arrivals, 0, SECOND, 1, SECOND);
    private ArrivalStream stream = load.arrivals(42, 0, 1, 1);

    /** Makes a stream that is not used up within a measurement. */
    @Setup
    public void open() {
        load = new OpenLoad(1_000, arrivals, rampSeconds * SECOND, 2_000_000L * SECOND, 1_000, SECOND);
        stream = load.arrivals(42, 0, 1, 2);
    }

    /** Time an arrival; allocates nothing. */
    @Benchmark
    public long next() {
        return stream.next();
    }
}
