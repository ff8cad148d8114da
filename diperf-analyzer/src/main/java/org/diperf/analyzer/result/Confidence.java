package org.diperf.analyzer.result;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.diperf.analyzer.stats.BatchSeries;
import org.diperf.analyzer.stats.Interval;
import org.diperf.analyzer.stats.Statistic;
import org.jspecify.annotations.Nullable;

/**
 * Within which bounds the numbers of a part of the run would stay if it were repeated. What the data do not carry is absent.
 *
 * @param level of all intervals, such as 0.95
 * @param throughput of the mean, per second
 * @param responseTime of statistics of ok calls by their names, ms; {@code null}: there are none
 * @param missing why others are absent: name to reason; {@code null}: none is
 * @param coarse bounds in the place of those, by name, that assume little and have no level; {@code null}: there are none, as in
 *     summaries of versions without
 */
public record Confidence(
        double level,
        @Nullable Bounds throughput,
        @Nullable Map<String, Bounds> responseTime,
        @Nullable Map<String, String> missing,
        @Nullable Map<String, Bounds> coarse) {

    private static final double RAREST = 0.99;
    private static final String THROUGHPUT = "throughput";
    private static final String RESPONSE_TIME = "responseTime.";

    /**
     * An interval, with no more digits than it carries.
     *
     * @param batches of time on which it rests; 0 of coarse ones
     */
    public record Bounds(double low, double high, int batches) {

        static @Nullable Bounds of(Interval interval) {
            Interval rounded = interval.rounded();
            return interval.isCarried() || interval.isCoarse()
                    ? new Bounds(rounded.low(), rounded.high(), rounded.batches())
                    : null;
        }

        /** Returns half the width. */
        public double half() {
            return (high - low) / 2;
        }
    }

    /**
     * Makes the intervals of a part of the run.
     *
     * @param quantileMillis gives a quantile of all its response times
     */
    public static Confidence of(BatchSeries batches, DoubleUnaryOperator quantileMillis) {
        Map<String, String> missing = new LinkedHashMap<>();
        Map<String, Bounds> coarse = new LinkedHashMap<>();
        Bounds rate = bounds(THROUGHPUT, batches.rate(), missing, coarse);
        Map<String, Bounds> times = new LinkedHashMap<>();
        for (Statistic statistic : Statistic.listed()) {
            Interval interval = interval(batches, quantileMillis, statistic);
            if (interval != null) {
                Bounds bounds = bounds(RESPONSE_TIME + statistic.key(), interval, missing, coarse);
                if (bounds != null) {
                    times.put(statistic.key(), bounds);
                }
            }
        }
        return new Confidence(
                Interval.LEVEL,
                rate,
                times.isEmpty() ? null : times,
                missing.isEmpty() ? null : missing,
                coarse.isEmpty() ? null : coarse);
    }

    /**
     * Returns the interval of any statistic of response times, or the coarse bounds in its place: files have those of the listed
     * ones.
     *
     * @param quantileMillis gives a quantile of all its response times
     * @return {@code null} where there is neither
     */
    public static @Nullable Bounds of(BatchSeries batches, DoubleUnaryOperator quantileMillis, Statistic statistic) {
        Interval interval = interval(batches, quantileMillis, statistic);
        return interval == null ? null : Bounds.of(interval);
    }

    private static @Nullable Interval interval(
            BatchSeries batches, DoubleUnaryOperator quantileMillis, Statistic statistic) {
        if (statistic.isQuantile()) {
            return batches.quantile(statistic.fraction(), quantileMillis);
        }
        return hasInterval(statistic) ? batches.mean().times(1e-6) : null;
    }

    /** Returns whether a table shows a statistic's interval where the data carry one: of the mean, and of quantiles that are not too rare. */
    public static boolean hasInterval(Statistic statistic) {
        return statistic.equals(Statistic.MEAN) || statistic.fraction() <= RAREST;
    }

    /** Returns the interval of a statistic of response times; {@code null}: there is none. */
    public @Nullable Bounds responseTime(Statistic statistic) {
        return responseTime == null ? null : responseTime.get(statistic.key());
    }

    /** Returns the interval of the throughput, or the coarse bounds in its place; {@code null}: there is neither. */
    @Nullable
    Bounds ofThroughput() {
        return throughput == null ? coarse(THROUGHPUT) : throughput;
    }

    /** Returns the interval of a statistic of response times, or the coarse bounds in its place; {@code null}: there is neither. */
    @Nullable
    Bounds ofResponseTime(Statistic statistic) {
        Bounds interval = responseTime(statistic);
        return interval == null ? coarse(RESPONSE_TIME + statistic.key()) : interval;
    }

    private @Nullable Bounds coarse(String name) {
        return coarse == null ? null : coarse.get(name);
    }

    private static @Nullable Bounds bounds(
            String name, Interval interval, Map<String, String> missing, Map<String, Bounds> coarse) {
        Bounds bounds = Bounds.of(interval);
        if (interval.isCarried()) {
            return bounds;
        }
        missing.put(name, interval.reason());
        if (bounds != null) {
            coarse.put(name, bounds);
        }
        return null;
    }
}
