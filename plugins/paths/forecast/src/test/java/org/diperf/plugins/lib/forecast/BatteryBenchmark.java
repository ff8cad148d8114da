package org.diperf.plugins.lib.forecast;

import java.util.Random;
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

/** What it costs to score all forecasts by a value and to make the next ones. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatteryBenchmark {

    private static final int VALUES = 1 << 14;

    @Param({"NWS", "FIXED"})
    Battery.Kind kind = Battery.Kind.FIXED;

    private final double[] values =
            new Random(21).doubles(VALUES).map(each -> 50 + 50 * each).toArray();
    private Battery battery = new Battery(Battery.Kind.FIXED);
    private int at;

    /** JMH sets the parameter first. */
    @Setup
    public void make() {
        battery = new Battery(kind);
    }

    /** Time a forecast; allocates nothing. */
    @Benchmark
    public double forecast() {
        battery.take(values[at]);
        at = (at + 1) % VALUES;
        return battery.forecast(true);
    }
}
