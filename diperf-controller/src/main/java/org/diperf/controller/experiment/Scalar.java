package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * A text, number or boolean.
 *
 * @param expected what is expected
 * @param parse gives the value, or throws {@link IllegalArgumentException} whose message says what was expected and found
 * @param format gives what stands in the file: text, number or boolean
 * @param schema describes it
 * @param <V> type of the value
 */
record Scalar<V>(String expected, Function<String, V> parse, Function<V, Object> format, Map<String, Object> schema)
        implements Shape<V> {

    /** Matches a text that takes its value from the environment: a schema cannot look inside. */
    static final String FROM_ENVIRONMENT = "\\$\\{env:";

    /** Makes a text whose form is given by a regular expression. */
    static Scalar<String> text(String expected, String pattern) {
        return new Scalar<>(
                expected,
                text -> {
                    if (!text.matches(pattern)) {
                        throw unwanted(expected, text);
                    }
                    return text;
                },
                value -> value,
                Map.of("anyOf", List.of(patterned(pattern), Map.of("type", "number"))));
    }

    /** Makes a quantity written as text; {@code schema} describes it. */
    static <V> Scalar<V> quantity(
            String expected, Map<String, Object> schema, Function<String, V> parse, Function<V, Object> format) {
        return new Scalar<>(
                expected,
                text -> {
                    try {
                        return parse.apply(text.strip());
                    } catch (ArithmeticException | IllegalArgumentException e) {
                        throw unwanted(expected, text);
                    }
                },
                format,
                schema);
    }

    /** Makes a choice among words. */
    static Scalar<String> oneOf(List<String> words) {
        return new Scalar<>(
                "one of " + words,
                text -> {
                    if (!words.contains(text)) {
                        throw new IllegalArgumentException("expected one of " + words + ", got '" + text + "'"
                                + NearestName.suggestion(text, words));
                    }
                    return text;
                },
                value -> value,
                Map.of("enum", words));
    }

    /** Makes a choice among the constants of an enum, written in lower case with hyphens. */
    static <E extends Enum<E>> Scalar<E> oneOf(Class<E> type) {
        Map<String, E> constants = new LinkedHashMap<>();
        for (E constant : Objects.requireNonNull(type.getEnumConstants(), "constants")) {
            constants.put(word(constant), constant);
        }
        Scalar<String> words = oneOf(List.copyOf(constants.keySet()));
        return new Scalar<>(
                words.expected,
                text -> Objects.requireNonNull(constants.get(words.parse.apply(text)), "constant"),
                Scalar::word,
                words.schema);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Makes a whole number within bounds. */
    static Scalar<Long> whole(String what, long least, long most) {
        String expected = "a whole number" + (what.isEmpty() ? "" : " of " + what) + bounds(least, most);
        Map<String, Object> number = new LinkedHashMap<>();
        number.put("type", "integer");
        number.put("minimum", least);
        number.put("maximum", most);
        return new Scalar<>(
                expected,
                text -> {
                    try {
                        long value = Long.parseLong(text.strip());
                        if (value >= least && value <= most) {
                            return value;
                        }
                    } catch (NumberFormatException notWhole) {
                        // said below
                    }
                    throw unwanted(expected, text);
                },
                value -> value,
                Map.of("anyOf", List.of(number, Map.of("type", "string", "pattern", FROM_ENVIRONMENT))));
    }

    private static String bounds(long least, long most) {
        if (least == Long.MIN_VALUE) {
            return "";
        }
        return most == Long.MAX_VALUE ? ", at least " + least : " from " + least + " to " + most;
    }

    /** Makes {@code true} or {@code false}. */
    static Scalar<Boolean> bool() {
        return new Scalar<>(
                "true or false",
                text -> {
                    if (!text.equals("true") && !text.equals("false")) {
                        throw unwanted("true or false", text);
                    }
                    return Boolean.valueOf(text);
                },
                value -> value,
                Map.of("type", "boolean"));
    }

    /** Describes a text by a regular expression, or by coming from the environment. */
    static Map<String, Object> patterned(String pattern) {
        return Map.of("type", "string", "pattern", "^(?:" + pattern + ")$|" + FROM_ENVIRONMENT);
    }

    static IllegalArgumentException unwanted(String expected, String found) {
        return new IllegalArgumentException("expected " + expected + ", got "
                + (found.isEmpty() ? "nothing" : "'" + found + "'") + TheirWords.unit(found));
    }

    @Override
    public @Nullable V read(Node node, String path, Problems problems) {
        if (!(node instanceof Node.Scalar scalar) || scalar.kind() == Node.Kind.NULL) {
            problems.add(node.position(), path, "expected " + expected + ", got " + node.found());
            return null;
        }
        try {
            return parse.apply(scalar.text());
        } catch (IllegalArgumentException e) {
            problems.add(node.position(), path, String.valueOf(e.getMessage()));
            return null;
        }
    }

    @Override
    public Object write(V value) {
        return format.apply(value);
    }
}
