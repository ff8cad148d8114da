package org.diperf.controller.experiment;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/** The shapes that are made of others. */
final class Shapes {

    /** More names of a plugin's parameter are no file that somebody wrote. */
    private static final int MAX_NAMED = 10_000;

    private Shapes() {}

    /** A list of at least so many. */
    record ListOf<V>(String expected, Shape<V> item, int least) implements Shape<List<V>> {

        @Override
        public @Nullable List<V> read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Sequence list) || list.items().size() < least) {
                String found = node instanceof Node.Sequence ? "an empty list" : node.found();
                problems.add(node.position(), path, "expected " + expected + ", got " + found);
                return null;
            }
            List<V> values = new ArrayList<>();
            for (int i = 0; i < list.items().size(); i++) {
                V value = item.read(list.items().get(i), path + "." + i, problems);
                if (value != null) {
                    values.add(value);
                }
            }
            return values;
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("type", "array", "items", item.schema(), "minItems", least);
        }

        @Override
        public Object write(List<V> value) {
            return value.stream().map(item::write).toList();
        }
    }

    /** Free names with texts. */
    record TextMap(String expected) implements Shape<Map<String, String>> {

        @Override
        public @Nullable Map<String, String> read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Mapping mapping)) {
                problems.add(node.position(), path, "expected " + expected + ", got " + node.found());
                return null;
            }
            Map<String, String> values = new LinkedHashMap<>();
            mapping.entries().forEach((name, value) -> {
                if (value instanceof Node.Scalar scalar) {
                    values.put(name, scalar.text());
                } else {
                    problems.add(
                            value.position(), Fields.join(path, name), "expected a text value, got " + value.found());
                }
            });
            return values;
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "type", "object", "additionalProperties", Map.of("type", List.of("string", "number", "boolean")));
        }

        @Override
        public Object write(Map<String, String> value) {
            return value;
        }
    }

    /** Free names, each with a value of the same form; at least one, in the order of the file. */
    record Named<V>(String expected, String name, int most, Shape<V> each) implements Shape<Map<String, V>> {

        /** More of the kernel's own are no file that somebody wrote. */
        private static final int USUAL_MOST = 50;

        Named(String expected, String name, Shape<V> each) {
            this(expected, name, USUAL_MOST, each);
        }

        @Override
        public @Nullable Map<String, V> read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Mapping mapping)
                    || mapping.entries().isEmpty()
                    || mapping.entries().size() > most) {
                boolean isTooMany = node instanceof Node.Mapping mapping
                        && mapping.entries().size() > most;
                problems.add(
                        node.position(),
                        path,
                        "expected " + expected
                                + (isTooMany ? ", at most " + most + " entries, got more" : ", got " + node.found()));
                return null;
            }
            int before = problems.count();
            Map<String, V> values = new LinkedHashMap<>();
            mapping.entries().forEach((key, value) -> {
                if (!key.matches(name)) {
                    problems.add(
                            mapping.positionOf(key),
                            path,
                            "expected names of at most 100 letters, digits, dots, hyphens and underscores; got '" + key
                                    + "'");
                }
                V read = each.read(value, Fields.join(path, key), problems);
                if (read != null) {
                    values.put(key, read);
                }
            });
            return problems.count() == before ? values : null;
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "type",
                    "object",
                    "propertyNames",
                    Map.of("pattern", "^" + name + "$"),
                    "additionalProperties",
                    each.schema(),
                    "minProperties",
                    1,
                    "maxProperties",
                    most);
        }

        @Override
        public Object write(Map<String, V> value) {
            Map<String, Object> written = new LinkedHashMap<>();
            value.forEach((key, item) -> written.put(key, each.write(item)));
            return written;
        }
    }

    /** Names with mappings, or a list of names, each of which has an empty one. Its value stays as it stands in the file. */
    private record NamedOrNames<V>(Named<V> named) implements Shape<Object> {

        private static final Shape<List<String>> NAMES =
                new ListOf<>("a list of names", Scalar.text("a name", ".+"), 0);

        @Override
        public String expected() {
            return named.expected();
        }

        @Override
        public @Nullable Object read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Sequence)) {
                Map<String, V> values = named.read(node, path, problems);
                return values == null ? null : named.write(values);
            }
            List<String> names = NAMES.read(node, path, problems);
            for (int i = 0; names != null && i < names.size(); i++) {
                named.each().read(new Node.Mapping(node.position(), Map.of(), Map.of()), path + "." + i, problems);
            }
            return names;
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("anyOf", List.of(named.schema(), NAMES.schema()));
        }

        @Override
        public Object write(Object value) {
            return value;
        }
    }

    /** What stands in a place for a word or a mapping: one of the two. */
    record Either<W>(@Nullable W word, @Nullable FormValues mapping) {}

    /** One of two forms, told apart by what stands there: a mapping or anything else. */
    record WordOrMapping<W>(Shape<W> word, Shape<FormValues> mapping) implements Shape<Either<W>> {

        @Override
        public String expected() {
            return word.expected() + ", or " + mapping.expected();
        }

        @Override
        public @Nullable Either<W> read(Node node, String path, Problems problems) {
            if (node instanceof Node.Mapping) {
                FormValues read = mapping.read(node, path, problems);
                return read == null ? null : new Either<>(null, read);
            }
            if (node instanceof Node.Sequence) {
                problems.add(node.position(), path, "expected " + expected() + ", got a list");
                return null;
            }
            W read = word.read(node, path, problems);
            return read == null ? null : new Either<>(read, null);
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("anyOf", List.of(word.schema(), mapping.schema()));
        }

        @Override
        public Object write(Either<W> value) {
            return value.word != null ? word.write(value.word) : mapping.write(requireNonNull(value.mapping));
        }
    }

    /** A mapping with exactly one of some keys. */
    record ExactlyOne(Fields fields) implements Shape<FormValues> {

        @Override
        public String expected() {
            return fields.expected();
        }

        @Override
        public @Nullable FormValues read(Node node, String path, Problems problems) {
            if (node instanceof Node.Mapping mapping && mapping.entries().size() != 1) {
                problems.add(
                        node.position(), path, "expected exactly one of " + fields.names() + ", got " + node.found());
                return null;
            }
            return fields.read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>(fields.schema());
            schema.put("minProperties", 1);
            schema.put("maxProperties", 1);
            return schema;
        }

        @Override
        public Object write(FormValues value) {
            return value.written();
        }
    }

    /**
     * A mapping that is of one form if it has a certain key, otherwise of another.
     *
     * @param marked the form of each key that marks one
     * @param otherwise the form of a mapping with none of these keys
     */
    record Variant<C, T>(String expected, Map<String, Form<C, T>> marked, Form<C, T> otherwise)
            implements Shape<Form.Filled<C, T>> {

        @Override
        public Collection<String> keyNames() {
            return otherwise.keyNames();
        }

        @Override
        public Form.@Nullable Filled<C, T> read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Mapping mapping)) {
                problems.add(node.position(), path, "expected " + expected + ", got " + node.found());
                return null;
            }
            Set<String> names = mapping.entries().keySet();
            List<String> markers = names.stream().filter(marked::containsKey).toList();
            if (markers.isEmpty()) {
                return otherwise.read(node, path, problems);
            }
            String marker = markers.get(0);
            Form<C, T> form = marked.getOrDefault(marker, otherwise);
            String first = otherwise.fields().names().get(0);
            // A key that only stands in the wrong place is told where it belongs.
            boolean mixed = names.stream()
                    .anyMatch(name -> otherwise.fields().names().contains(name)
                            && !form.fields().names().contains(name)
                            && (name.equals(first) || form.fields().hint(path, name) == null));
            if (mixed || markers.size() > 1) {
                String other = mixed ? first : markers.get(1);
                problems.add(
                        mapping.positionOf(marker),
                        path,
                        "expected exactly one load model: either '" + marker + "' or '" + other + "', got "
                                + node.found());
                return null;
            }
            return form.read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            List<Object> forms = new ArrayList<>();
            marked.values().forEach(form -> forms.add(form.schema()));
            forms.add(otherwise.schema());
            return Map.of("oneOf", forms);
        }

        @Override
        public Object write(Form.Filled<C, T> value) {
            return value.given().written();
        }
    }

    /**
     * A mapping whose keys depend on the word of one of them, a plugin's ID.
     *
     * @param key the one
     * @param what it names, as in "testbed"
     * @param fallback the word where it is left out; {@code null}: it must be given
     */
    record ByWord(
            String expected,
            String key,
            String help,
            String what,
            @Nullable String fallback,
            Map<String, Fields> variants)
            implements Shape<FormValues> {

        @Override
        public Collection<String> keyNames() {
            return variants.values().stream()
                    .flatMap(variant -> variant.names().stream())
                    .toList();
        }

        @Override
        public @Nullable FormValues read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Mapping mapping)) {
                problems.add(node.position(), path, "expected " + expected + ", got " + node.found());
                return null;
            }
            Node given = mapping.entries().get(key);
            String word = fallback;
            if (given != null) {
                if (!(given instanceof Node.Scalar scalar)) {
                    problems.add(
                            given.position(),
                            Fields.join(path, key),
                            "expected one of " + variants.keySet() + ", got " + given.found());
                    return null;
                }
                word = scalar.text();
            }
            Fields variant = word == null ? null : variants.get(word);
            if (variant == null) {
                String found = (word == null ? "nothing" : "'" + word + "'")
                        + Plugins.missing(word == null ? "" : word, variants.keySet());
                problems.add(
                        given == null ? node.position() : given.position(),
                        Fields.join(path, key),
                        "expected one of the " + what + "s " + variants.keySet() + ", got " + found);
                return null;
            }
            return variant.read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            List<Object> conditions = new ArrayList<>();
            variants.forEach((word, fields) -> {
                Map<String, Object> condition = new LinkedHashMap<>();
                Map<String, Object> test = new LinkedHashMap<>();
                test.put("properties", Map.of(key, Map.of("const", word)));
                if (!word.equals(fallback)) {
                    test.put("required", List.of(key));
                }
                condition.put("if", test);
                condition.put("then", fields.schema());
                conditions.add(condition);
            });
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            Map<String, Object> choice = new LinkedHashMap<>();
            choice.put("description", help);
            choice.put("enum", List.copyOf(variants.keySet()));
            if (fallback != null) {
                choice.put("default", fallback);
            }
            schema.put("properties", Map.of(key, choice));
            List<String> names = variants.values().stream()
                    .flatMap(fields -> fields.names().stream())
                    .distinct()
                    .toList();
            schema.put("propertyNames", Map.of("enum", names));
            if (!conditions.isEmpty()) {
                schema.put("allOf", conditions);
            }
            return schema;
        }

        @Override
        public Object write(FormValues value) {
            return value.written();
        }
    }

    /** A parameter of a plugin; its value stays as it stands in the file, checked, with the defaults within it. */
    record PluginParameter(Parameter parameter, Names names) implements Shape<Object> {

        /** Checking a text does not depend on the seed. */
        private static final long ANY_SEED = 0;

        /** Declares the key of a parameter. */
        static Key<?> key(Parameter parameter, Names names) {
            PluginParameter shape = new PluginParameter(parameter, names);
            String unit = parameter.unit().isEmpty() ? "" : " (" + parameter.unit() + ")";
            String fallback = parameter.fallback();
            return new Key<>(
                    parameter.name(),
                    shape,
                    parameter.help() + unit,
                    fallback == null ? null : shape.typed(fallback),
                    parameter.required() ? Key.Absent.REFUSED : Key.Absent.LEFT_OUT);
        }

        /** Returns the shape of a value that holds mappings; {@code null}: it holds none. */
        private @Nullable Shape<?> nested() {
            return switch (parameter.type()) {
                case MAPPING -> mapping();
                case MAPPINGS -> new ListOf<>(expected(), mapping(), 0);
                case NAMED -> new NamedOrNames<>(new Named<>(expected(), ".+", MAX_NAMED, mapping()));
                default -> null;
            };
        }

        private Shape<?> mapping() {
            String shortFor = parameter.content().shortFor();
            Fields fields =
                    new Fields("a mapping", ExperimentShape.parameters(parameter.keys(), names), Map.of(), List.of());
            return parameter.keys().stream()
                    .filter(key -> key.name().equals(shortFor))
                    .findFirst()
                    .<Shape<?>>map(key -> new WordOrMapping<>(new PluginParameter(key, names), fields))
                    .orElse(fields);
        }

        private Object typed(String text) {
            try {
                return switch (parameter.type()) {
                    case INTEGER -> (Object) Long.valueOf(text.strip());
                    case NUMBER -> Double.valueOf(text.strip());
                    // Anything but the two words is left for the plugin's own check to refuse.
                    case BOOLEAN -> text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text;
                    default -> text;
                };
            } catch (NumberFormatException aPluginsFault) {
                return text;
            }
        }

        @Override
        public String expected() {
            String example = parameter.example();
            return !parameter.allowed().isEmpty()
                    ? "one of " + parameter.allowed()
                    : parameter.type().description()
                            + (parameter.keys().isEmpty() || example == null ? "" : " such as " + example);
        }

        @Override
        public Collection<String> keyNames() {
            return parameter.type() == Parameter.Type.MAPPING
                    ? parameter.keys().stream().map(Parameter::name).toList()
                    : List.of();
        }

        @Override
        public @Nullable Object read(Node node, String path, Problems problems) {
            if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL) {
                problems.add(node.position(), path, "expected " + expected() + ", got nothing");
                return null;
            }
            Shape<?> nested = nested();
            boolean isText = parameter.content().orText() && node instanceof Node.Scalar;
            if (nested != null && !isText) {
                return checked(nested, node, path, problems);
            }
            Object raw = raw(node);
            try {
                Parameters.read(List.of(parameter), Map.of(parameter.name(), raw), ANY_SEED, names);
                return raw;
            } catch (IllegalArgumentException e) {
                problems.add(node.position(), path, String.valueOf(e.getMessage()));
                return null;
            }
        }

        private static <V> @Nullable Object checked(Shape<V> shape, Node node, String path, Problems problems) {
            V value = shape.read(node, path, problems);
            return value == null ? null : shape.write(value);
        }

        private Object raw(Node node) {
            if (node instanceof Node.Scalar scalar) {
                // What a plugin makes of a number may be one with a unit elsewhere: it stays a number.
                boolean asWritten = parameter.type() == Parameter.Type.TREE
                        || parameter.content().parser() != null;
                return asWritten ? node.plain() : typed(scalar.text());
            }
            if (node instanceof Node.Sequence list && parameter.type() == Parameter.Type.TEXTS) {
                return list.items().stream()
                        .map(item -> item instanceof Node.Scalar scalar ? scalar.text() : item.plain())
                        .toList();
            }
            if (node instanceof Node.Mapping mapping && parameter.type() == Parameter.Type.TEXT_MAP) {
                Map<String, Object> texts = new LinkedHashMap<>();
                mapping.entries()
                        .forEach((name, value) ->
                                texts.put(name, value instanceof Node.Scalar scalar ? scalar.text() : value.plain()));
                return texts;
            }
            return node.plain();
        }

        /** Lists words as texts, and as what YAML takes them for where they have no quotes. */
        private static List<Object> asWritten(List<String> words) {
            List<Object> written = new ArrayList<>(words);
            for (String word : words) {
                if (word.matches("true|false")) {
                    written.add(Boolean.valueOf(word));
                } else if (word.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                    written.add(new BigDecimal(word));
                }
            }
            return written;
        }

        @Override
        public Map<String, Object> schema() {
            if (!parameter.allowed().isEmpty()) {
                return Map.of("enum", asWritten(parameter.allowed()));
            }
            List<String> scalar = List.of("string", "number", "boolean");
            Shape<?> nested = nested();
            if (nested != null) {
                return parameter.content().orText()
                        ? Map.of("anyOf", List.of(Map.of("type", "string"), nested.schema()))
                        : nested.schema();
            }
            return switch (parameter.type()) {
                case INTEGER -> Map.of("type", List.of("integer", "string"));
                case NUMBER -> Map.of("type", List.of("number", "string"));
                case BOOLEAN -> Map.of("type", List.of("boolean", "string"));
                case TEXTS ->
                    Map.of(
                            "anyOf",
                            List.of(Map.of("type", scalar), Map.of("type", "array", "items", Map.of("type", scalar))));
                case TEXT_MAP -> Map.of("type", "object", "additionalProperties", Map.of("type", scalar));
                case TREE -> Map.of();
                default -> Map.of("type", scalar);
            };
        }

        @Override
        public Object write(Object value) {
            return value;
        }
    }
}
