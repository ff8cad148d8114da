package org.diperf.analyzer.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.grid.GridNames;
import org.diperf.core.spi.Quantity;

/**
 * One direction of a grid: an axis, the variants, the trials, or the levels within runs.
 *
 * @param key in the settings of a point
 * @param name for people
 * @param values as in the settings, at least one
 */
record GridDimension(String key, String name, List<Object> values) {

    private static final double DECADE = 10;
    private static final int LONGEST = 24;

    GridDimension {
        values = List.copyOf(values);
    }

    /** Returns the values as they stand on an axis. */
    List<String> labels() {
        return values.stream()
                .map(GridNames::text)
                .map(text -> text.length() > LONGEST ? text.substring(0, LONGEST - 1) + "…" : text)
                .toList();
    }

    /** Returns the values as numbers, sizes in bytes and times in ns; {@code NaN} for what is none. */
    double[] numbers() {
        return values.stream().mapToDouble(GridDimension::number).toArray();
    }

    /** Returns whether all values are numbers that rise. */
    boolean isNumeric() {
        double[] numbers = numbers();
        boolean rises = Double.isFinite(numbers[0]);
        for (int i = 1; i < numbers.length; i++) {
            rises &= numbers[i] > numbers[i - 1];
        }
        return rises;
    }

    /** Returns whether the values are best laid on a logarithmic axis. */
    boolean isWide() {
        double[] numbers = numbers();
        return isNumeric() && numbers[0] > 0 && numbers[numbers.length - 1] / numbers[0] >= DECADE;
    }

    private static double number(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        String text = String.valueOf(value).strip();
        List<ToDoubleFunction<String>> readings = new ArrayList<>();
        readings.add(Double::parseDouble);
        readings.add(Quantity::rate);
        readings.add(given -> Quantity.duration(given).toNanos());
        readings.add(Quantity::size);
        for (ToDoubleFunction<String> reading : readings) {
            try {
                return reading.applyAsDouble(text);
            } catch (IllegalArgumentException another) {
                // It may be of the next kind.
            }
        }
        return Double.NaN;
    }
}
