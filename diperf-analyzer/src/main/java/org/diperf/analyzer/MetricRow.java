package org.diperf.analyzer;

import org.jspecify.annotations.Nullable;

/**
 * A metric of a plugin.
 *
 * @param unit as declared; empty where it was not
 * @param statistics over the measured part; {@code null} where nothing was seen of it
 * @param values mean of each quantum of the run's series; {@code NaN} where nothing was seen
 */
public record MetricRow(
        String name, String unit, @Nullable Statistics statistics, double[] values) {

    /** Names its column, with its unit. */
    String column() {
        String words = unit.replace("/", "_per_").replaceAll("[^A-Za-z0-9]+", "_");
        return "metric." + name + (words.isEmpty() ? "" : "_" + words);
    }

    /** Of values in the metric's unit: of calls those of ok calls, by their end; percentiles within 0.4 %. */
    public record Statistics(
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
