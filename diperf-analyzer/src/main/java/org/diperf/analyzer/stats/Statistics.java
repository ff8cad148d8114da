package org.diperf.analyzer.stats;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The listed statistics of at least one value, in the unit of the values; times are in ms. An object of {@code summary.json},
 * with a field for each. Other percentiles can be asked for as long as the set is there; what was read back from a file has
 * those alone that the file holds. Immutable, provided that the set no longer changes.
 */
public final class Statistics {

    private static final String COUNT = "count";
    private static final String NEGATIVE = "negative";
    private static final String RANGES = "ranges";

    private final long count;
    /** By {@link Statistic#listed}; {@code NaN} where a file that was read does not hold it. */
    private final double[] values;

    private final @Nullable Long negative;
    /** By the statistics' keys; of those of which nothing is known, none. */
    private final Map<String, Uncertainty> ranges;

    /** What the ranges are made of, while the set is there. */
    private final Map<String, Function<Statistic, @Nullable Range>> parts;

    private final @Nullable ValueSet set;

    private Statistics(
            long count,
            double[] values,
            @Nullable Long negative,
            Map<String, Uncertainty> ranges,
            Map<String, Function<Statistic, @Nullable Range>> parts,
            @Nullable ValueSet set) {
        this.count = count;
        this.values = values;
        this.negative = negative;
        this.ranges = ranges;
        this.parts = parts;
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
        return new Statistics(set.count(), values, negative, Map.of(), Map.of(), set);
    }

    /** Reads the object of a file. */
    @JsonCreator
    public static Statistics read(Map<String, Object> fields) {
        double[] values = Statistic.listed().stream()
                .mapToDouble(statistic -> number(fields, statistic.key()))
                .toArray();
        double count = number(fields, COUNT);
        double negative = number(fields, NEGATIVE);
        Map<String, Uncertainty> ranges = new LinkedHashMap<>();
        objects(fields.get(RANGES)).forEach((key, range) -> ranges.put(key, range(range)));
        return new Statistics(
                Double.isNaN(count) ? 0 : Math.round(count),
                values,
                Double.isNaN(negative) ? null : Math.round(negative),
                ranges,
                Map.of(),
                null);
    }

    private static double number(Map<?, ?> fields, String key) {
        return fields.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static Uncertainty range(Map<?, ?> fields) {
        Map<String, Range> parts = new LinkedHashMap<>();
        objects(fields.get("parts"))
                .forEach((name, part) -> parts.put(name, new Range(number(part, "low"), number(part, "high"))));
        return new Uncertainty(number(fields, "low"), number(fields, "high"), parts);
    }

    private static Map<String, Map<?, ?>> objects(@Nullable Object found) {
        Map<String, Map<?, ?>> objects = new LinkedHashMap<>();
        if (found instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value instanceof Map<?, ?> object) {
                    objects.put(String.valueOf(key), object);
                }
            });
        }
        return objects;
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
        if (!ranges.isEmpty()) {
            fields.put(RANGES, ranges);
        }
        return fields;
    }

    /** Returns how far off a statistic can be; {@code null}: nothing is known of that. */
    public @Nullable Uncertainty range(Statistic statistic) {
        return Statistic.listed().contains(statistic) ? ranges.get(statistic.key()) : range(statistic, of(statistic));
    }

    /**
     * Returns how far off a statistic can be, to judge it by: where nothing is known of what sampling leaves open, the least that the
     * number of values does.
     *
     * @return {@code null}: nothing is known of that, as of fewer than ten values
     */
    public @Nullable Uncertainty rangeToJudge(Statistic statistic) {
        Uncertainty known = range(statistic);
        if (set == null || known != null && known.parts().containsKey(Uncertainty.SAMPLING)) {
            return known;
        }
        Interval interval = BatchHistograms.independent(set, statistic);
        if (!(interval.low() < interval.high())) {
            return known;
        }
        Map<String, Range> all = new LinkedHashMap<>(known == null ? Map.of() : known.parts());
        all.put(Uncertainty.SAMPLING, new Range(interval.low(), interval.high()));
        return Uncertainty.of(of(statistic), all);
    }

    private @Nullable Uncertainty range(Statistic statistic, double value) {
        Map<String, Range> known = new LinkedHashMap<>();
        if (!Double.isNaN(value)) {
            parts.forEach((part, of) -> {
                Range range = of.apply(statistic);
                if (range != null) {
                    known.put(part, range);
                }
            });
        }
        return known.isEmpty() ? null : Uncertainty.of(value, known);
    }

    /**
     * Returns the same, with another part of what is known of how far off its numbers can be.
     *
     * @param part its name, such as {@link Uncertainty#SAMPLING}
     * @param of gives the part of a statistic, {@code null} where there is none
     */
    public Statistics with(String part, Function<Statistic, @Nullable Range> of) {
        Map<String, Function<Statistic, @Nullable Range>> more = new LinkedHashMap<>(parts);
        more.put(part, of);
        Map<String, Uncertainty> listed = new LinkedHashMap<>();
        Statistics with = new Statistics(count, values, negative, listed, more, set);
        for (int i = 0; i < values.length; i++) {
            Statistic statistic = Statistic.listed().get(i);
            Uncertainty range = with.range(statistic, values[i]);
            if (range != null) {
                listed.put(statistic.key(), range);
            }
        }
        return with;
    }

    /** Returns a statistic; {@code NaN} where it is not listed and the set is not there. */
    public double of(Statistic statistic) {
        int place = Statistic.listed().indexOf(statistic);
        return place >= 0 ? values[place] : set == null ? Double.NaN : statistic.of(set);
    }

    /** Returns the same without its set, which takes the memory. */
    public Statistics alone() {
        return new Statistics(count, values, negative, ranges, Map.of(), null);
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
                && Objects.equals(negative, statistics.negative)
                && ranges.equals(statistics.ranges);
    }

    @Override
    public int hashCode() {
        return Objects.hash(count, Arrays.hashCode(values), negative, ranges);
    }

    @Override
    public String toString() {
        return fields().toString();
    }
}
