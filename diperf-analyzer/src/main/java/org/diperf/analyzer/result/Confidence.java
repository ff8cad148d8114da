package org.diperf.analyzer.result;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.diperf.analyzer.stats.BatchSeries;
import org.diperf.analyzer.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * Within which bounds the numbers of a part of the run would stay if it were repeated. What the data do not carry is absent.
 *
 * @param level of all intervals, such as 0.95
 * @param throughput of the mean, per second
 * @param responseTime of ok calls, ms
 * @param missing why others are absent: name to reason; {@code null}: none is
 */
public record Confidence(
        double level,
        @Nullable Bounds throughput,
        @Nullable TimeBounds responseTime,
        @Nullable Map<String, String> missing) {

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

        /** Gives half the width. */
        public double half() {
            return (high - low) / 2;
        }
    }

    /** Intervals of statistics of times, ms. */
    public record TimeBounds(
            @Nullable Bounds mean,
            @Nullable Bounds p50,
            @Nullable Bounds p90,
            @Nullable Bounds p95,
            @Nullable Bounds p99) {}

    /**
     * Makes the intervals of a part of the run.
     *
     * @param quantileMillis gives a quantile of all its response times
     */
    public static Confidence of(BatchSeries batches, DoubleUnaryOperator quantileMillis) {
        Map<String, String> missing = new LinkedHashMap<>();
        Bounds rate = bounds("throughput", batches.rate(), missing);
        Bounds mean = bounds("responseTime.mean", batches.mean().times(1e-6), missing);
        Bounds p50 = quantile("p50", 0.5, batches, quantileMillis, missing);
        Bounds p90 = quantile("p90", 0.9, batches, quantileMillis, missing);
        Bounds p95 = quantile("p95", 0.95, batches, quantileMillis, missing);
        Bounds p99 = quantile("p99", 0.99, batches, quantileMillis, missing);
        boolean any = mean != null || p50 != null || p90 != null || p95 != null || p99 != null;
        return new Confidence(
                Interval.LEVEL,
                rate,
                any ? new TimeBounds(mean, p50, p90, p95, p99) : null,
                missing.isEmpty() ? null : missing);
    }

    private static @Nullable Bounds quantile(
            String name,
            double fraction,
            BatchSeries batches,
            DoubleUnaryOperator quantileMillis,
            Map<String, String> missing) {
        return bounds("responseTime." + name, batches.quantile(fraction, quantileMillis), missing);
    }

    private static @Nullable Bounds bounds(String name, Interval interval, Map<String, String> missing) {
        if (!interval.isCarried()) {
            missing.put(name, interval.reason());
        }
        return Bounds.of(interval);
    }
}
