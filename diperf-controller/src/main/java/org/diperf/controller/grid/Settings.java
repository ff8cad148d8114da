package org.diperf.controller.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.diperf.core.expression.Expression;
import org.diperf.core.run.GridRecord;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** What {@code except} can ask of a point: its axes by path or by short name, and its variant. Immutable. */
public final class Settings {

    private static final String SHARE = ".share";

    private final List<Axis> axes;

    public Settings(List<Axis> axes) {
        this.axes = List.copyOf(axes);
    }

    /** Lists the names that an expression can use. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (Axis axis : axes) {
            names.add(axis.name());
            if (!axis.path().equals(axis.name())) {
                names.add(axis.path());
            }
        }
        names.add(GridRecord.VARIANT);
        return names;
    }

    Expression.Lookup of(Map<String, Object> set) {
        return path -> {
            boolean share = path.endsWith(SHARE) && !names().contains(path);
            Object value = set.get(key(share ? path.substring(0, path.length() - SHARE.length()) : path));
            return value == null ? null : share ? share(value) : quantity(value);
        };
    }

    private String key(String path) {
        return axes.stream()
                .filter(axis -> axis.name().equals(path))
                .map(Axis::path)
                .findFirst()
                .orElse(path);
    }

    private static @Nullable Object share(Object value) {
        String text = String.valueOf(value).strip();
        Double number = number(text.endsWith("%") ? text.substring(0, text.length() - 1) : text, Double::valueOf);
        return number == null ? null : text.endsWith("%") ? (Object) (number / 100) : number;
    }

    /** Returns a number in the unit in which expressions compare: ms, bytes, a second; otherwise the text. */
    private static Object quantity(Object value) {
        if (value instanceof Number) {
            return value;
        }
        String text = String.valueOf(value).strip();
        List<Function<String, Double>> readings = List.of(
                Double::valueOf,
                Quantity::rate,
                given -> Quantity.duration(given).toNanos() / 1e6,
                given -> (double) Quantity.size(given));
        if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            for (Function<String, Double> reading : readings) {
                Double number = number(text, reading);
                if (number != null) {
                    return number;
                }
            }
        }
        return text;
    }

    private static @Nullable Double number(String text, Function<String, Double> reading) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException | ArithmeticException another) {
            return null;
        }
    }
}
