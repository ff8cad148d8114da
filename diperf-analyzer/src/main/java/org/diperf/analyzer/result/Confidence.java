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
 */
public record Confidence(
        double level,
        @Nullable Bounds throughput,
        @Nullable Map<String, Bounds> responseTime,
        @Nullable Map<String, String> missing) {

    private static final double RAREST = 0.99;

    /**
     * An interval, with no more digits than it carries.
     *
     * @param batches of time on which it rests
     */
    public record Bounds(double low, double high, int batches) {

        static @Nullable Bounds of(Interval interval) {
            Interval rounded = interval.rounded();
            return interval.isCarried() ? new Bounds(rounded.low(), rounded.high(), rounded.batches()) : null;
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
        Bounds rate = bounds("throughput", batches.rate(), missing);
        Map<String, Bounds> times = new LinkedHashMap<>();
        for (Statistic statistic : Statistic.listed()) {
            if (hasInterval(statistic)) {
                Interval interval = statistic.isQuantile()
                        ? batches.quantile(statistic.fraction(), quantileMillis)
                        : batches.mean().times(1e-6);
                Bounds bounds = bounds("responseTime." + statistic.key(), interval, missing);
                if (bounds != null) {
                    times.put(statistic.key(), bounds);
                }
            }
        }
        return new Confidence(Interval.LEVEL, rate, times.isEmpty() ? null : times, missing.isEmpty() ? null : missing);
    }

    /** Returns whether a statistic has an interval where the data carry one: the mean, and quantiles that are not too rare. */
    public static boolean hasInterval(Statistic statistic) {
        return statistic.equals(Statistic.MEAN) || statistic.fraction() <= RAREST;
    }

    /** Returns the interval of a statistic of response times; {@code null}: there is none. */
    public @Nullable Bounds responseTime(Statistic statistic) {
        return responseTime == null ? null : responseTime.get(statistic.key());
    }

    private static @Nullable Bounds bounds(String name, Interval interval, Map<String, String> missing) {
        if (!interval.isCarried()) {
            missing.put(name, interval.reason());
        }
        return Bounds.of(interval);
    }
}
