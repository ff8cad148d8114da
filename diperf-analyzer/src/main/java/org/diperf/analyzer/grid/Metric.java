package org.diperf.analyzer.grid;

import java.util.Map;
import java.util.Objects;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistic;
import org.jspecify.annotations.Nullable;

/** A number by which the points of a grid are compared. */
public enum Metric {
    /** Ok calls a second. */
    THROUGHPUT("throughput", Measures.of("throughput"), true),
    /** Bytes of ok calls, in Mbit/s. */
    BANDWIDTH("bytesPerSecond", "throughput in bits", "Mbit/s", true),
    /** Median response time. */
    MEDIAN("responseTime.p50", Measures.of("response.p50"), false),
    /** 99th percentile of the response time. */
    P99("responseTime.p99", Measures.of("response.p99"), false),
    /** Share of failed calls, in per cent. */
    FAILED("failed", "failed calls", "%", false),
    /** What a search found. */
    FOUND("found", "load found by search", "", true),
    /** Clients at the knee of the levels. */
    SATURATION("saturation.clients", "load at saturation", "clients", true);

    private static final double BITS_PER_MEGABIT_BYTE = 8e-6;

    private final String path;
    private final String words;
    private final String unit;
    private final boolean higherIsBetter;
    private final @Nullable Statistic statistic;

    /** Makes one that runs have too, of which the registry of their numbers knows words, unit and statistic. */
    Metric(String path, Measure measure, boolean higherIsBetter) {
        this(path, measure.words(), measure.unit(), higherIsBetter, measure.statistic());
    }

    Metric(String path, String words, String unit, boolean higherIsBetter) {
        this(path, words, unit, higherIsBetter, null);
    }

    Metric(String path, String words, String unit, boolean higherIsBetter, @Nullable Statistic statistic) {
        this.statistic = statistic;
        this.path = path;
        this.words = words;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /** Returns its place in {@code summary.json}. */
    public String path() {
        return path;
    }

    /** Names it for people. */
    public String words() {
        return words;
    }

    /** Returns the unit that it is shown in; may be empty. */
    public String unit() {
        return unit;
    }

    /** Says what is better. */
    public boolean isHigherBetter() {
        return higherIsBetter;
    }

    /** Returns its value of a run in the unit shown; {@code NaN} where it was not measured. */
    public double of(RunSummary run) {
        return switch (this) {
            case THROUGHPUT -> throughput(run.throughput());
            case BANDWIDTH -> or(run.bytesPerSecond()) * BITS_PER_MEGABIT_BYTE;
            case MEDIAN, P99 ->
                run.responseTime() == null ? Double.NaN : run.responseTime().of(Objects.requireNonNull(statistic));
            case FAILED -> failedShare(run.calls()) * 100;
            case FOUND -> or(run.found());
            case SATURATION ->
                run.saturation() == null ? Double.NaN : or(run.saturation().clients());
        };
    }

    /** Returns its spread over the trials of a point, in the unit shown. */
    public @Nullable Spread of(PointSummary point) {
        Map<String, Spread> times = point.responseTime();
        return switch (this) {
            case THROUGHPUT -> point.throughput();
            case BANDWIDTH -> scaled(point.bytesPerSecond(), BITS_PER_MEGABIT_BYTE);
            case MEDIAN, P99 ->
                times == null
                        ? null
                        : times.get(Objects.requireNonNull(statistic).key());
            case FAILED -> scaled(point.failed(), 100);
            case FOUND -> point.found();
            case SATURATION ->
                point.saturation() == null ? null : point.saturation().clients();
        };
    }

    static double failedShare(@Nullable CallCounts calls) {
        return calls == null || calls.total() == 0 ? Double.NaN : (double) calls.failed() / calls.total();
    }

    private static double throughput(@Nullable Throughput throughput) {
        return throughput == null ? Double.NaN : throughput.mean();
    }

    private static double or(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    private static @Nullable Spread scaled(@Nullable Spread spread, double factor) {
        if (spread == null) {
            return null;
        }
        Double low = spread.low();
        Double high = spread.high();
        return new Spread(
                spread.n(),
                spread.median() * factor,
                spread.q1() * factor,
                spread.q3() * factor,
                spread.mean() * factor,
                low == null ? null : (Double) (low * factor),
                high == null ? null : (Double) (high * factor));
    }
}
