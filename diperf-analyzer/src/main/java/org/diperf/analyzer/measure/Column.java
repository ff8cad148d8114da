package org.diperf.analyzer.measure;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.diperf.analyzer.stats.Statistic;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link Table}: what a file holds of a row, what people see of it, or both.
 *
 * @param <T> what is one row
 * @param name in files, with its unit, such as {@code response_p50_ms}; empty: it is in none
 * @param value in files: a number, a word, or {@code null} where there is none
 * @param shown to people; {@code null}: it is not
 */
public record Column<T>(
        String name,
        Function<T, @Nullable Object> value,
        @Nullable Shown<T> shown) {

    /** What people see of a column. */
    public record Shown<T>(String heading, Function<T, String> cell) {}

    /** Gives a statistic of a row; {@code NaN} where the row has none. */
    @FunctionalInterface
    public interface StatisticOf<T> {
        double of(T row, Statistic statistic);
    }

    /** Makes a column of a file alone. */
    public static <T> Column<T> of(String name, Function<T, @Nullable Object> value) {
        return new Column<>(name, value, null);
    }

    /** Makes a column for people alone. */
    public static <T> Column<T> forPeople(String heading, Function<T, String> cell) {
        return new Column<>("", row -> null, new Shown<>(heading, cell));
    }

    /** Shows the column to people too. */
    public Column<T> shown(String heading, Function<T, String> cell) {
        return new Column<>(name, value, new Shown<>(heading, cell));
    }

    /**
     * Makes the columns of all listed statistics. They stand as they rise.
     *
     * @param name before the statistic
     * @param unit behind it; may be empty
     */
    public static <T> List<Column<T>> ofStatistics(String name, String unit, StatisticOf<T> of) {
        String suffix = unit.isEmpty() ? "" : "_" + unit;
        return Statistic.rising().stream()
                .map(statistic ->
                        new Column<T>(name + "_" + statistic.key() + suffix, row -> of.of(row, statistic), null))
                .toList();
    }

    /**
     * The same, of which people see those that are meant for tables.
     *
     * @param format of what they see
     */
    public static <T> List<Column<T>> shownStatistics(
            String name, String unit, StatisticOf<T> of, DoubleFunction<String> format) {
        List<Column<T>> columns = ofStatistics(name, unit, of);
        List<Statistic> rising = Statistic.rising();
        return IntStream.range(0, columns.size())
                .mapToObj(i -> Statistic.shown().contains(rising.get(i))
                        ? columns.get(i).shown(rising.get(i).path(), row -> format.apply(of.of(row, rising.get(i))))
                        : columns.get(i))
                .toList();
    }
}
