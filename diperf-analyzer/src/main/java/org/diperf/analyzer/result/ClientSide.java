package org.diperf.analyzer.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * What else clients measured how long calls took, over the measured part of the run. Ok calls alone.
 *
 * @param bandwidth payload moved; {@code null} where clients report no bytes
 * @param firstCalls response times, ms, of the calls that were the first on their connection; {@code null} where all were, or none
 * @param laterCalls those of the others
 * @param metrics by name: what clients measured themselves
 * @param events what came within calls, ok or not; {@code null}: nothing
 */
public record ClientSide(
        @Nullable Bandwidth bandwidth,
        @Nullable Statistics firstCalls,
        @Nullable Statistics laterCalls,
        @Nullable Map<String, MetricSummary> metrics,
        @Nullable EventCounts events) {

    /** A rate of payload, in both the units that people use. */
    public record Bandwidth(double bytesPerSecond, double megabitsPerSecond) {}

    /**
     * How many events came within calls.
     *
     * @param unit what each carries one or more of, in the singular
     */
    public record EventCounts(String unit, long total, double perSecond, long units, double unitsPerSecond) {}

    /**
     * Statistics of a metric, in its unit. One object of {@code summary.json} with the unit before the statistics.
     *
     * @param unit empty where the client does not say
     */
    public record MetricSummary(String unit, Statistics values) {

        private static final String UNIT = "unit";

        @JsonCreator
        static MetricSummary read(Map<String, Object> fields) {
            return new MetricSummary(String.valueOf(fields.getOrDefault(UNIT, "")), Statistics.read(fields));
        }

        @JsonValue
        Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>(Map.of(UNIT, unit));
            fields.putAll(values.fields());
            return fields;
        }
    }
}
