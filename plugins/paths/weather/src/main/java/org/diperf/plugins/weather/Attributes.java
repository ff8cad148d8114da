package org.diperf.plugins.weather;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An object as NWS registers it: names with values, in their order, written {@code name:value}, each with a tab behind it, and a further tab
 * at the end. Immutable.
 *
 * @param values by name; a name has no colon, neither has a tab or a byte 0
 */
record Attributes(Map<String, String> values) {

    static final int MAX_CHARS = 16 << 10;

    Attributes {
        values.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf(':') >= 0 || isControlled(name) || isControlled(value)) {
                throw new IllegalArgumentException(
                        "expected an attribute without tabs and line ends, got '" + name + ":" + value + "'");
            }
        });
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    private static boolean isControlled(String text) {
        return text.chars().anyMatch(each -> each < ' ');
    }

    /** Makes one of names and values in turn; an empty value is left out. */
    static Attributes of(String... namesAndValues) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (!namesAndValues[i + 1].isEmpty()) {
                values.put(namesAndValues[i], namesAndValues[i + 1]);
            }
        }
        return new Attributes(values);
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException when it is none, or too long
     */
    static Attributes read(String text) {
        if (text.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "expected an object of at most " + MAX_CHARS + " characters, got " + text.length());
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : text.split("\t")) {
            int colon = each.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("expected name:value, got '" + each + "'");
            }
            values.putIfAbsent(each.substring(0, colon), each.substring(colon + 1));
        }
        return new Attributes(values);
    }

    /** Reads objects that stand one behind another. */
    static List<Attributes> readAll(String text) {
        List<Attributes> all = new ArrayList<>();
        for (String each : text.split("\t\t")) {
            if (!each.isEmpty()) {
                all.add(read(each));
            }
        }
        return all;
    }

    /** Returns the value of a name; empty where there is none. */
    String get(String name) {
        return values.getOrDefault(name, "");
    }

    String name() {
        return get("name");
    }

    /**
     * Returns the whole number of a name.
     *
     * @throws IllegalArgumentException when there is none from {@code least} to {@code most}
     */
    long whole(String name, long least, long most) {
        String value = get(name);
        long number = value.matches("-?[0-9]{1,18}") ? Long.parseLong(value) : least - 1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "expected " + least + " to " + most + " for " + name + ", got '" + value + "'");
        }
        return number;
    }

    /** Returns it as it is sent. */
    String text() {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (name, value) -> text.append(name).append(':').append(value).append('\t'));
        return text.append('\t').toString();
    }
}
