package org.diperf.analyzer.grid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.AxisRecord;

/** How the points of a grid are called. */
public final class GridNames {

    private final Map<String, String> names = new LinkedHashMap<>();

    GridNames(List<AxisRecord> axes, boolean hasVariants) {
        axes.forEach(axis -> names.put(axis.path(), RunText.clean(axis.name())));
        if (hasVariants) {
            names.put(GridRecord.VARIANT, GridRecord.VARIANT);
        }
    }

    /** Returns those of a grid. */
    public static GridNames of(GridSummary grid) {
        return new GridNames(grid.axes(), !grid.variants().isEmpty());
    }

    /** Lists the keys of {@code set}: paths of the axes, then {@code variant}, where there are any. */
    public List<String> keys() {
        return List.copyOf(names.keySet());
    }

    /** Returns the short name of a key. */
    public String name(String key) {
        return names.getOrDefault(key, key);
    }

    /** Returns a value as it stands in tables. */
    public static String value(Map<String, Object> set, String key) {
        Object value = set.get(key);
        return value == null ? "" : text(value);
    }

    /** Writes a value in one line. */
    public static String text(Object value) {
        if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
            return String.valueOf(number.longValue());
        }
        if (value instanceof List<?> list) {
            List<String> items = new ArrayList<>();
            list.forEach(item -> items.add(text(String.valueOf(item))));
            return "[" + String.join(", ", items) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            StringJoiner entries = new StringJoiner(", ", "{", "}");
            map.forEach((key, item) -> entries.add(key + ": " + text(item == null ? "" : item)));
            return RunText.clean(entries.toString());
        }
        return RunText.clean(String.valueOf(value));
    }

    /** Returns the settings of a point in words: {@code size=8KiB, parallelism=4}; a variant by its name alone. */
    public String point(Map<String, Object> set) {
        List<String> parts = new ArrayList<>();
        for (String key : keys()) {
            if (set.containsKey(key)) {
                parts.add(key.equals(GridRecord.VARIANT) ? value(set, key) : name(key) + "=" + value(set, key));
            }
        }
        return parts.isEmpty() ? "every trial" : String.join(", ", parts);
    }
}
