package org.diperf.core.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of a plugin's parameters, each of its declared {@link Parameter.Type}. Immutable. Asking for a value that
 * is absent, or with a type that was not declared, is a bug in the plugin: {@link IllegalStateException}.
 */
public final class Parameters {

    private final Map<String, Object> values;
    private final Set<String> callValues;

    private Parameters(Map<String, Object> values) {
        this.values = values;
        Set<String> used = new LinkedHashSet<>();
        values.values().forEach(value -> addCallValues(value, used));
        this.callValues = Set.copyOf(used);
    }

    private static void addCallValues(Object value, Set<String> used) {
        if (value instanceof Text text) {
            used.addAll(text.values());
        } else if (value instanceof List<?> list) {
            list.forEach(item -> addCallValues(item, used));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(item -> addCallValues(item, used));
        }
    }

    /**
     * Checks raw values against their declarations and fills in the defaults.
     *
     * @param declared the plugin's parameters
     * @param raw names to values as in the file: text, number, boolean, list or map of these
     * @param seed of the experiment, for {@code ${random:...}}
     * @throws Unusable for the first value that cannot be used
     */
    public static Parameters read(List<Parameter> declared, Map<String, ?> raw, long seed) {
        return read(declared, raw, seed, Names.NONE);
    }

    /**
     * Checks raw values whose texts may refer to values of the experiment, and to secrets.
     *
     * @param declared the plugin's parameters
     * @param raw names to values as in the file
     * @param seed of the experiment, for {@code ${random:...}}
     * @param names that texts may use
     * @throws Unusable for the first value that cannot be used
     */
    public static Parameters read(List<Parameter> declared, Map<String, ?> raw, long seed, Names names) {
        for (String name : raw.keySet()) {
            if (declared.stream().noneMatch(parameter -> parameter.name().equals(name))) {
                List<String> known = declared.stream().map(Parameter::name).toList();
                throw new Unusable(
                        name, "expected one of " + known + ", got '" + name + "'" + Nearest.suggestion(name, known));
            }
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (Parameter parameter : declared) {
            Object given = raw.get(parameter.name());
            if (given == null) {
                given = parameter.fallback();
            }
            if (given == null && parameter.required()) {
                throw new Unusable(
                        parameter.name(), "is missing: expected " + article(parameter) + " (" + parameter.help() + ")");
            }
            if (given != null) {
                try {
                    values.put(parameter.name(), convert(parameter, given, seed, names));
                } catch (IllegalArgumentException e) {
                    throw new Unusable(parameter.name(), String.valueOf(e.getMessage()));
                }
            }
        }
        return new Parameters(Map.copyOf(values));
    }

    private static String article(Parameter parameter) {
        return parameter.allowed().isEmpty() ? parameter.type().description() : "one of " + parameter.allowed();
    }

    private static Object convert(Parameter parameter, Object given, long seed, Names names) {
        if (!parameter.allowed().isEmpty() && !parameter.allowed().contains(String.valueOf(given))) {
            throw new IllegalArgumentException("expected one of " + parameter.allowed() + ", got '" + given + "'"
                    + Nearest.suggestion(String.valueOf(given), parameter.allowed()));
        }
        return switch (parameter.type()) {
            case TEXT -> Text.parse(scalar(parameter, given), seed, names);
            case STRING -> Text.parse(scalar(parameter, given), seed, names).fixed();
            case INTEGER -> wholeNumber(parameter, given);
            case NUMBER -> number(parameter, given);
            case BOOLEAN -> bool(parameter, given);
            case DURATION -> Quantity.duration(scalar(parameter, given));
            case SIZE -> Quantity.size(scalar(parameter, given));
            case TEXTS -> texts(parameter, given, seed, names);
            case TEXT_MAP -> textMap(parameter, given, seed, names);
            case TREE -> given;
        };
    }

    private static IllegalArgumentException unwanted(Parameter parameter, Object given) {
        // What stands where names or one value were wanted may hold a secret, such as a header's value.
        String found = given instanceof List
                ? "a list"
                : given instanceof Map
                        ? "names with values"
                        : parameter.type() == Parameter.Type.TEXT_MAP ? "one value" : "'" + given + "'";
        return new IllegalArgumentException("expected " + parameter.type().description() + ", got " + found);
    }

    private static String scalar(Parameter parameter, Object given) {
        if (given instanceof Map || given instanceof List) {
            throw unwanted(parameter, given);
        }
        return given.toString();
    }

    private static Long wholeNumber(Parameter parameter, Object given) {
        try {
            return Long.valueOf(scalar(parameter, given).strip());
        } catch (NumberFormatException e) {
            throw unwanted(parameter, given);
        }
    }

    private static Double number(Parameter parameter, Object given) {
        try {
            return Double.valueOf(scalar(parameter, given).strip());
        } catch (NumberFormatException e) {
            throw unwanted(parameter, given);
        }
    }

    private static Boolean bool(Parameter parameter, Object given) {
        String text = scalar(parameter, given);
        if (!text.equals("true") && !text.equals("false")) {
            throw unwanted(parameter, given);
        }
        return Boolean.valueOf(text);
    }

    private static List<Text> texts(Parameter parameter, Object given, long seed, Names names) {
        List<?> items = given instanceof List<?> list ? list : List.of(given);
        List<Text> texts = new ArrayList<>();
        for (Object item : items) {
            texts.add(Text.parse(scalar(parameter, item), seed + 31L * texts.size(), names));
        }
        return List.copyOf(texts);
    }

    private static Map<String, Text> textMap(Parameter parameter, Object given, long seed, Names names) {
        if (!(given instanceof Map<?, ?> map)) {
            throw unwanted(parameter, given);
        }
        Map<String, Text> texts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            texts.put(
                    String.valueOf(entry.getKey()),
                    Text.parse(scalar(parameter, String.valueOf(entry.getValue())), seed + 31L * texts.size(), names));
        }
        return java.util.Collections.unmodifiableMap(texts);
    }

    /** Returns whether the parameter has a value, given or by default. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns a value of type {@link Parameter.Type#TEXT}. */
    public Text text(String name) {
        return get(name, Text.class);
    }

    /** Returns a value of type {@link Parameter.Type#STRING}. */
    public String string(String name) {
        return get(name, String.class);
    }

    /** Returns a value of type {@link Parameter.Type#INTEGER} or {@link Parameter.Type#SIZE}, the latter in bytes. */
    public long integer(String name) {
        return get(name, Long.class);
    }

    /** Returns a value of type {@link Parameter.Type#NUMBER}. */
    public double number(String name) {
        return get(name, Double.class);
    }

    /** Returns a value of type {@link Parameter.Type#BOOLEAN}. */
    public boolean bool(String name) {
        return get(name, Boolean.class);
    }

    /** Returns a value of type {@link Parameter.Type#DURATION}. */
    public Duration duration(String name) {
        return get(name, Duration.class);
    }

    /** Returns a value of type {@link Parameter.Type#TEXTS}; empty if it was not given. */
    @SuppressWarnings("unchecked")
    public List<Text> texts(String name) {
        return has(name) ? (List<Text>) get(name, List.class) : List.of();
    }

    /** Returns a value of type {@link Parameter.Type#TEXT_MAP}, in the order of the file; empty if it was not given. */
    @SuppressWarnings("unchecked")
    public Map<String, Text> textMap(String name) {
        return has(name) ? (Map<String, Text>) get(name, Map.class) : Map.of();
    }

    /** Returns a value of type {@link Parameter.Type#TREE}: text, number, boolean, list or map of these. */
    public Optional<Object> tree(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Returns which of {@link Names#values} its texts use. */
    public Set<String> callValues() {
        return callValues;
    }

    private <T> T get(String name, Class<T> type) {
        Object value = values.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalStateException("The plugin asked for parameter '" + name + "' as " + type.getSimpleName()
                    + "; it is " + describe(value) + ". Declare it so in parameters()");
        }
        return type.cast(value);
    }

    private static String describe(@Nullable Object value) {
        return value == null ? "not given" : value.getClass().getSimpleName();
    }

    /** A parameter value that is not valid; the message says what was wanted and what was found. */
    public static final class Unusable extends IllegalArgumentException {

        private final String parameter;

        /**
         * @param parameter its name, so that its place in the file can be shown
         * @param message what was wanted, what was found
         */
        public Unusable(String parameter, String message) {
            super(message);
            this.parameter = parameter;
        }

        /** Returns the message with the parameter's name, for whoever reads a stack trace. */
        @Override
        public String toString() {
            return getClass().getName() + ": " + parameter + " " + getMessage();
        }

        /** Names the parameter. */
        public String parameter() {
            return parameter;
        }
    }
}
