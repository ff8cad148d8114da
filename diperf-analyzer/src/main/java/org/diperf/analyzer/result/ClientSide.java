package org.diperf.analyzer.result;

import java.util.Map;
import org.diperf.analyzer.result.Summary.Times;
import org.jspecify.annotations.Nullable;

/**
 * What clients measured besides how long calls took, over the measured part of the run. Ok calls alone.
 *
 * @param bandwidth payload moved; {@code null} where clients report no bytes
 * @param firstCalls response times, ms, of the calls that were the first on their connection; {@code null} where all were, or none
 * @param laterCalls those of the others
 * @param metrics by name: what clients measured themselves
 */
public record ClientSide(
        @Nullable Bandwidth bandwidth,
        @Nullable Times firstCalls,
        @Nullable Times laterCalls,
        @Nullable Map<String, MetricSummary> metrics) {

    /** A rate of payload, in both the units that people use. */
    public record Bandwidth(double bytesPerSecond, double megabitsPerSecond) {}

    /** Statistics of a metric, in its unit; the unit is empty where the client does not say. */
    public record MetricSummary(
            String unit,
            long count,
            double min,
            double mean,
            double stddev,
            double p50,
            double p90,
            double p95,
            double p99,
            double max) {}
}
