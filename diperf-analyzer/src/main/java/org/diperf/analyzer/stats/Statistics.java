package org.diperf.analyzer.stats;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The listed statistics of at least one value, in the unit of the values; times are in ms. An object of {@code summary.json},
 * with a field for each. Other percentiles can be asked for as long as the set is there; what was read back from a file has
 * those alone that the file holds. Immutable, provided that the set no longer changes.
 */
public final class Statistics {

    private static final String COUNT = "count";
    private static final String NEGATIVE = "negative";

    private final long count;
    /** By {@link Statistic#listed}; {@code NaN} where a file that was read does not hold it. */
    private final double[] values;

    private final @Nullable Long negative;
    private final @Nullable ValueSet set;

    private Statistics(long count, double[] values, @Nullable Long negative, @Nullable ValueSet set) {
        this.count = count;
        this.values = values;
        this.negative = negative;
        this.set = set;
    }

    /** Takes the statistics of a set that no longer changes; {@code null} where it is empty. */
    public static @Nullable Statistics of(ValueSet set) {
        return of(set, null);
    }

    /** @param negative how many values are below zero, where that is told */
    public static @Nullable Statistics of(ValueSet set, @Nullable Long negative) {
        if (set.count() == 0) {
            return null;
        }
        double[] values = Statistic.listed().stream()
                .mapToDouble(statistic -> statistic.of(set))
                .toArray();
        return new Statistics(set.count(), values, negative, set);
    }

    /** Reads the object of a file. */
    @JsonCreator
    public static Statistics read(Map<String, Double> fields) {
        double[] values = Statistic.listed().stream()
                .mapToDouble(statistic -> fields.getOrDefault(statistic.key(), Double.NaN))
                .toArray();
        Double negative = fields.get(NEGATIVE);
        return new Statistics(
                Math.round(fields.getOrDefault(COUNT, 0.0)),
                values,
                negative == null ? null : Math.round(negative),
                null);
    }

    /** Returns the fields of the object, in their order. */
    @JsonValue
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(COUNT, count);
        List<Statistic> listed = Statistic.listed();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                fields.put(listed.get(i).key(), values[i]);
            }
        }
        if (negative != null) {
            fields.put(NEGATIVE, negative);
        }
        return fields;
    }

    /** Returns a statistic; {@code NaN} where it is not listed and the set is not there. */
    public double of(Statistic statistic) {
        int place = Statistic.listed().indexOf(statistic);
        return place >= 0 ? values[place] : set == null ? Double.NaN : statistic.of(set);
    }

    /** Returns the same without its set, which takes the memory. */
    public Statistics alone() {
        return new Statistics(count, values, negative, null);
    }

    /** Counts the values. */
    public long count() {
        return count;
    }

    /** Counts the values below zero; {@code null} where there can be none. */
    public @Nullable Long negative() {
        return negative;
    }

    public double min() {
        return of(Statistic.MIN);
    }

    public double mean() {
        return of(Statistic.MEAN);
    }

    public double stddev() {
        return of(Statistic.STDDEV);
    }

    public double p50() {
        return of(Statistic.P50);
    }

    public double p90() {
        return of(Statistic.P90);
    }

    public double p95() {
        return of(Statistic.P95);
    }

    public double p99() {
        return of(Statistic.P99);
    }

    public double p999() {
        return of(Statistic.P999);
    }

    public double max() {
        return of(Statistic.MAX);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Statistics statistics
                && count == statistics.count
                && Arrays.equals(values, statistics.values)
                && Objects.equals(negative, statistics.negative);
    }

    @Override
    public int hashCode() {
        return Objects.hash(count, Arrays.hashCode(values), negative);
    }

    @Override
    public String toString() {
        return fields().toString();
    }
}
