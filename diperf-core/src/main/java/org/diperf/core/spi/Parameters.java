package org.diperf.core.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The values of a plugin's parameters, each of its declared {@link Parameter.Type}. Immutable. Asking for a value that
 * is absent, or with a type that was not declared, is a bug in the plugin: {@link IllegalStateException}.
 */
public final class Parameters {

    private final String path;
    private final Map<String, Object> values;
    private final Map<String, Object> written;
    private final Set<String> callValues;

    /**
     * @param path of the mapping below the plugin's parameters; empty: it is they
     * @param written the values as in the file, defaults included
     */
    private Parameters(String path, Map<String, Object> values, Map<String, Object> written) {
        this.path = path;
        this.values = Map.copyOf(values);
        this.written = Collections.unmodifiableMap(written);
        Set<String> used = new LinkedHashSet<>();
        values.values().forEach(value -> addCallValues(value, used));
        this.callValues = Set.copyOf(used);
    }

    private static void addCallValues(Object value, Set<String> used) {
        if (value instanceof Text text) {
            used.addAll(text.values());
        } else if (value instanceof Parameters inner) {
            used.addAll(inner.callValues);
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
        return new Reader(seed, names).mapping("", declared, raw);
    }

    /** Reads values whose texts draw from one seed and know the same names. */
    private record Reader(long seed, Names names) {

        Parameters mapping(String path, List<Parameter> declared, Map<?, ?> raw) {
            List<String> known = declared.stream().map(Parameter::name).toList();
            for (Object key : raw.keySet()) {
                String name = String.valueOf(key);
                if (!known.contains(name)) {
                    throw new Unusable(
                            join(path, name),
                            "expected one of " + known + ", got '" + name + "'" + NearestName.suggestion(name, known));
                }
            }
            Map<String, Object> values = new LinkedHashMap<>();
            Map<String, Object> written = new LinkedHashMap<>();
            for (Parameter parameter : declared) {
                String own = join(path, parameter.name());
                Object given = raw.get(parameter.name());
                if (given == null) {
                    given = parameter.fallback();
                }
                if (given == null && parameter.required()) {
                    throw new Unusable(
                            own,
                            "is missing: expected "
                                    + (parameter.allowed().isEmpty()
                                            ? parameter.type().description()
                                            : "one of " + parameter.allowed())
                                    + " (" + parameter.help() + ")");
                }
                if (given != null) {
                    values.put(parameter.name(), read(own, parameter, given));
                    written.put(parameter.name(), given);
                }
            }
            return new Parameters(path, values, written);
        }

        private Object read(String path, Parameter parameter, Object given) {
            try {
                return convert(path, parameter, given);
            } catch (Unusable e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new Unusable(path, String.valueOf(e.getMessage()));
            }
        }

        private Object convert(String path, Parameter parameter, Object given) {
            if (parameter.content().orText() && given instanceof String text) {
                return Text.parse(text, seed, names).fixed();
            }
            if (!parameter.allowed().isEmpty() && !parameter.allowed().contains(String.valueOf(given))) {
                throw new IllegalArgumentException("expected one of " + parameter.allowed() + ", got '" + given + "'"
                        + NearestName.suggestion(String.valueOf(given), parameter.allowed()));
            }
            return switch (parameter.type()) {
                case TEXT -> Text.parse(scalar(parameter, given), seed, names);
                case STRING -> parsed(parameter, given, string(parameter, given));
                case INTEGER -> parsed(parameter, given, wholeNumber(parameter, given));
                case NUMBER -> parsed(parameter, given, number(parameter, given));
                case BOOLEAN -> bool(parameter, given);
                case DURATION -> parsed(parameter, given, Quantity.duration(scalar(parameter, given)));
                case SIZE -> parsed(parameter, given, Quantity.size(scalar(parameter, given)));
                case TEXTS -> texts(path, parameter, given);
                case TEXT_MAP -> textMap(parameter, given);
                case MAPPING -> one(path, parameter, given);
                case MAPPINGS -> list(path, parameter, given);
                case NAMED -> named(path, parameter, given);
                case TREE -> given;
            };
        }

        private static Object parsed(Parameter parameter, Object given, Object value) {
            Function<String, ?> parser = parameter.content().parser();
            return parser == null
                    ? value
                    : parser.apply(
                            (value instanceof String ? value : given).toString().strip());
        }

        private static IllegalArgumentException unwanted(Parameter parameter, Object given) {
            // What stands where names or one value are expected may hold a secret, such as a header's value.
            String found = given instanceof List
                    ? "a list"
                    : given instanceof Map
                            ? "a mapping of names to values"
                            : parameter.type() == Parameter.Type.TEXT_MAP ? "a single value" : "'" + given + "'";
            boolean isQuotable = (parameter.type() == Parameter.Type.TEXT || parameter.type() == Parameter.Type.STRING)
                    && (given instanceof Map || given instanceof List);
            return new IllegalArgumentException("expected " + parameter.type().description() + ", got " + found
                    + (isQuotable ? "; put it in single quotes" : ""));
        }

        private static String scalar(Parameter parameter, Object given) {
            if (given instanceof Map || given instanceof List) {
                throw unwanted(parameter, given);
            }
            return given.toString();
        }

        private String string(Parameter parameter, Object given) {
            return Text.parse(scalar(parameter, given), seed, names).fixed();
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

        private List<?> texts(String path, Parameter parameter, Object given) {
            List<Object> texts = new ArrayList<>();
            for (Object item : given instanceof List<?> list ? list : List.of(given)) {
                Text text = Text.parse(scalar(parameter, item), seed + 31L * texts.size(), names);
                try {
                    texts.add(parameter.content().parser() == null ? text : parsed(parameter, item, text.fixed()));
                } catch (IllegalArgumentException e) {
                    String own = given instanceof List ? path + "." + texts.size() : path;
                    throw new Unusable(own, String.valueOf(e.getMessage()));
                }
            }
            return List.copyOf(texts);
        }

        private Map<String, Text> textMap(Parameter parameter, Object given) {
            if (!(given instanceof Map<?, ?> map)) {
                throw unwanted(parameter, given);
            }
            Map<String, Text> texts = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                texts.put(
                        String.valueOf(entry.getKey()),
                        Text.parse(scalar(parameter, text(entry.getValue())), seed + 31L * texts.size(), names));
            }
            return Collections.unmodifiableMap(texts);
        }

        /** Writes mappings and lists as JSON. */
        private static String text(@Nullable Object value) {
            if (value instanceof Map<?, ?> map) {
                return map.entrySet().stream()
                        .map(entry -> quoted(String.valueOf(entry.getKey())) + ":" + nested(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            }
            return value instanceof List<?> list
                    ? list.stream().map(Reader::nested).collect(Collectors.joining(",", "[", "]"))
                    : String.valueOf(value);
        }

        private static String nested(@Nullable Object value) {
            return value instanceof String plain ? quoted(plain) : text(value);
        }

        private static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            text.chars()
                    .forEach(c -> quoted.append(
                            c == '"' || c == '\\'
                                    ? "\\" + (char) c
                                    : c < ' ' ? String.format("\\u%04x", c) : String.valueOf((char) c)));
            return quoted.append('"').toString();
        }

        private Parameters one(String path, Parameter parameter, Object given) {
            String shortFor = parameter.content().shortFor();
            if (given instanceof Map<?, ?> map) {
                return mapping(path, parameter.keys(), map);
            }
            if (shortFor.isEmpty() || given instanceof List) {
                throw new Unusable(
                        path,
                        "expected a mapping with the keys "
                                + parameter.keys().stream().map(Parameter::name).toList() + ", got "
                                + (given instanceof List ? "a list" : "a single value"));
            }
            return mapping(path, parameter.keys(), Map.of(shortFor, given));
        }

        private List<Parameters> list(String path, Parameter parameter, Object given) {
            if (!(given instanceof List<?> list)) {
                throw unwanted(parameter, given);
            }
            List<Parameters> items = new ArrayList<>();
            list.forEach(item -> items.add(one(path + "." + items.size(), parameter, item)));
            return List.copyOf(items);
        }

        private Map<String, Parameters> named(String path, Parameter parameter, Object given) {
            Map<String, Parameters> named = new LinkedHashMap<>();
            if (given instanceof Map<?, ?> map) {
                map.forEach((name, item) -> named.put(String.valueOf(name), one(path + "." + name, parameter, item)));
            } else if (given instanceof List<?> list) {
                for (Object item : list) {
                    String name = scalar(parameter, item);
                    String own = path + "." + named.size();
                    if (named.put(name, one(own, parameter, Map.of())) != null) {
                        throw new Unusable(own, "expected unique names, got '" + name + "' twice");
                    }
                }
            } else {
                throw unwanted(parameter, given);
            }
            return Collections.unmodifiableMap(named);
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /**
     * Makes what is wrong with one of these values, or below it, for the plugin to throw.
     *
     * @param name of the parameter, with a place or name below it behind a dot; empty: all of this mapping
     * @param message what was expected, what it got
     */
    public Unusable unusable(String name, String message) {
        return new Unusable(name.isEmpty() ? path : join(path, name), message);
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

    /** Returns a value of type {@link Parameter.Type#MAPPING}. */
    public Parameters mapping(String name) {
        return get(name, Parameters.class);
    }

    /** Returns a value of type {@link Parameter.Type#MAPPINGS}; empty if it was not given. */
    @SuppressWarnings("unchecked")
    public List<Parameters> mappings(String name) {
        return has(name) ? (List<Parameters>) get(name, List.class) : List.of();
    }

    /** Returns a value of type {@link Parameter.Type#NAMED}, in the order of the file; empty if it was not given. */
    @SuppressWarnings("unchecked")
    public Map<String, Parameters> named(String name) {
        return has(name) ? (Map<String, Parameters>) get(name, Map.class) : Map.of();
    }

    /** Returns what {@link Parameter#parsedBy} made of a value. */
    public <T> T value(String name, Class<T> type) {
        return get(name, type);
    }

    /** Returns what {@link Parameter#parsedBy} made of each of the texts; empty if they were not given. */
    public <T> List<T> values(String name, Class<T> type) {
        return has(name)
                ? ((List<?>) get(name, List.class)).stream().map(type::cast).toList()
                : List.of();
    }

    /** Returns whether a text stands in place of the value; see {@link Parameter#orText}. */
    public boolean isText(String name) {
        return values.get(name) instanceof String;
    }

    /** Returns a value of type {@link Parameter.Type#TREE}: text, number, boolean, list or map of these. */
    public Optional<Object> tree(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Returns the values as in the file, defaults included: texts, numbers, booleans, lists and maps of these. */
    public Map<String, Object> asWritten() {
        return written;
    }

    /** Returns which of {@link Names#values} its texts use. */
    public Set<String> callValues() {
        return callValues;
    }

    private <T> T get(String name, Class<T> type) {
        Object value = values.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalStateException("The plugin requested parameter '" + name + "' as " + type.getSimpleName()
                    + "; it is " + describe(value) + ". Declare it with that type in parameters()");
        }
        return type.cast(value);
    }

    private static String describe(@Nullable Object value) {
        return value == null ? "not given" : value.getClass().getSimpleName();
    }

    /** A parameter value that is not valid; the message says what was expected and what it got. */
    public static final class Unusable extends IllegalArgumentException {

        private final String parameter;

        /**
         * @param parameter its name, and with dots the path below it, so that its place in the file can be shown
         * @param message what was expected, what it got
         */
        public Unusable(String parameter, String message) {
            super(message);
            this.parameter = parameter;
        }

        /** Returns the message with the parameter's name, for readers of a stack trace. */
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
