package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.diperf.core.spi.Nearest;
import org.diperf.core.spi.Parameters.Unusable;

/**
 * A value of the experiment file with its place, so that what is wrong with it is said where it stands. Immutable.
 *
 * @param path below {@code testbed}, with dots
 * @param value text, number, boolean, list or map of these
 */
record Tree(String path, Object value) {

    /** Makes what is wrong here: what was wanted; what was found is added. */
    Unusable unusable(String wanted) {
        String found = value instanceof Map<?, ?> map
                ? map.isEmpty() ? "nothing" : "the keys " + map.keySet()
                : value instanceof List ? "a list" : "'" + value + "'";
        return problem("expected " + wanted + ", got " + found);
    }

    /** Makes what is wrong here, in words of its own. */
    Unusable problem(String message) {
        return new Unusable(path, message);
    }

    /** Returns the values of a mapping by their keys, in the order of the file. */
    Map<String, Tree> entries(String wanted) {
        if (!(value instanceof Map<?, ?> map)) {
            throw unusable(wanted);
        }
        Map<String, Tree> entries = new LinkedHashMap<>();
        map.forEach((key, item) -> entries.put(String.valueOf(key), new Tree(path + "." + key, item)));
        return entries;
    }

    /** Returns the same of a mapping that has no other keys than these. */
    Map<String, Tree> keys(String wanted, List<String> known) {
        Map<String, Tree> entries = entries(wanted);
        entries.forEach((key, item) -> {
            if (!known.contains(key)) {
                throw item.problem("expected one of " + known + ", got '" + key + "'" + Nearest.suggestion(key, known));
            }
        });
        return entries;
    }

    /** Returns whether it is a part of what a key of the testbed has. */
    boolean isBelow(String key) {
        return path.startsWith(key + ".");
    }

    boolean isMapping() {
        return value instanceof Map;
    }

    boolean isList() {
        return value instanceof List;
    }

    List<Tree> items(String wanted) {
        if (!(value instanceof List<?> list)) {
            throw unusable(wanted);
        }
        List<Tree> items = new ArrayList<>();
        for (Object item : list) {
            items.add(new Tree(path + "." + items.size(), item));
        }
        return items;
    }

    /** Returns it as people would say it. */
    String words() {
        return value instanceof Map<?, ?> map
                ? map.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(" "))
                : String.valueOf(value);
    }

    String text(String wanted) {
        if (isMapping() || isList()) {
            throw unusable(wanted);
        }
        return String.valueOf(value).strip();
    }

    boolean yesOrNo(String wanted) {
        if (value instanceof Boolean is) {
            return is;
        }
        throw unusable(wanted);
    }

    int whole(String wanted, int least, int most) {
        if (value instanceof Long number && number >= least && number <= most) {
            return Math.toIntExact(number);
        }
        throw unusable(wanted);
    }

    /** Has its text parsed by what throws {@link IllegalArgumentException} with what was wanted and found. */
    <T> T parsed(String wanted, Function<String, T> parser) {
        String text = text(wanted);
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw problem(String.valueOf(e.getMessage()));
        }
    }
}
