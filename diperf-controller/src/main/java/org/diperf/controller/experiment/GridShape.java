package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.diperf.controller.grid.Ranges;
import org.diperf.controller.grid.Trials;
import org.diperf.core.expression.Expression;
import org.jspecify.annotations.Nullable;

/** Declares the keys that make a grid of an experiment: {@code sweep}, {@code variants}, {@code trials}. */
final class GridShape {

    private static final String PATH = "[^.\\s]+(\\.[^.\\s]+)*";

    static final Key<Map<String, AxisValues>> AXES =
            Key.required("axes", new Axes(), "key paths with their values: a list, or " + Ranges.WANTED);
    static final Key<List<Expression>> EXCEPT = Key.withDefault(
            "except",
            new Shapes.ListOf<>(
                    "a list of expressions such as mode == stream && parallelism > 1",
                    Quantities.expression("an expression over axes such as parallelism > 1", UnaryOperator.identity()),
                    0),
            List.of(),
            "combinations to exclude: those that match any of these expressions, over axes (the last part "
                    + "of their path) and variant");
    static final Key<Order> ORDER = Key.withDefault(
            "order",
            Scalar.oneOf(Order.class),
            Order.SHUFFLED,
            "shuffled: in an order determined by the seed, so that drift does not look like an effect;"
                    + " given: the last axis changes fastest");

    private static final Key<Long> COUNT =
            Key.withDefault("count", Scalar.whole("trials", 1, 1_000), 1L, "number of runs for each point");
    private static final Key<TrialOrder> TRIAL_ORDER = Key.withDefault(
            "order",
            Scalar.oneOf(TrialOrder.class),
            TrialOrder.INTERLEAVED,
            "interleaved: all points once, then all again; grouped: all trials of a point one after another");
    private static final Key<Duration> PAUSE =
            Key.withDefault("pause", Quantities.duration(false), Duration.ZERO, "pause between runs");

    static final Key<FormValues> SWEEP = Key.optional(
            "sweep", Fields.of("a sweep", AXES, EXCEPT, ORDER), "run the experiment with each combination of values");
    static final Key<Map<String, Node.Mapping>> VARIANTS = Key.optional(
            "variants",
            new Variants(),
            "run the experiment with each of these variants: names with key paths and values");
    static final Key<FormValues> TRIALS = Key.optional(
            "trials", Fields.of("trials", COUNT, TRIAL_ORDER, PAUSE), "number of times to run each combination");

    /** All of them. */
    static final List<Key<?>> KEYS = List.of(SWEEP, VARIANTS, TRIALS);

    static final List<String> NAMES = KEYS.stream().<String>map(Key::name).toList();

    private GridShape() {}

    /** In which order the points are run. */
    enum Order {
        SHUFFLED,
        GIVEN
    }

    /** In which order the trials of all points are run. */
    private enum TrialOrder {
        INTERLEAVED,
        GROUPED
    }

    static Trials trials(@Nullable FormValues given) {
        return given == null
                ? Trials.ONE
                : new Trials(
                        (int) (long) given.get(COUNT),
                        given.get(TRIAL_ORDER) == TrialOrder.INTERLEAVED,
                        given.get(PAUSE));
    }

    /**
     * Values of one axis.
     *
     * @param key where the path stands
     * @param values each where it stands
     */
    record AxisValues(SourcePosition key, List<Node> values) {}

    /** Key paths with lists of values, or ranges of them. Gives {@link AxisValues} by path. */
    private record Axes() implements Shape<Map<String, AxisValues>> {

        @Override
        public String expected() {
            return "key paths with values such as {client.with.size: [1KiB, 1MiB]}";
        }

        @Override
        public @Nullable Map<String, AxisValues> read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Mapping mapping) || mapping.entries().isEmpty()) {
                problems.add(node.position(), path, "expected " + expected() + ", got " + node.found());
                return null;
            }
            Map<String, AxisValues> axes = new LinkedHashMap<>();
            mapping.entries().forEach((key, value) -> {
                SourcePosition at = mapping.positionOf(key);
                if (isPath(key, at, path, problems)) {
                    axes.put(key, new AxisValues(at, values(value, path + "." + key, problems)));
                }
            });
            return axes;
        }

        private static List<Node> values(Node node, String path, Problems problems) {
            if (node instanceof Node.Sequence list && !list.items().isEmpty()) {
                List<Object> seen = new ArrayList<>();
                for (Node item : list.items()) {
                    if (seen.contains(item.plain())) {
                        problems.add(item.position(), path, "expected each value once, got " + item.found() + " again");
                    }
                    seen.add(item.plain());
                }
                return list.items();
            }
            String text = node instanceof Node.Scalar scalar ? scalar.text() : "";
            try {
                List<Object> values = Ranges.values(text);
                if (values != null) {
                    return values.stream()
                            .map(value -> scalar(node.position(), value))
                            .toList();
                }
                problems.add(
                        node.position(),
                        path,
                        "expected a list of at least one value, or " + Ranges.WANTED + ", got "
                                + (node instanceof Node.Sequence ? "an empty list" : node.found()));
            } catch (IllegalArgumentException e) {
                problems.add(node.position(), path, String.valueOf(e.getMessage()));
            }
            return List.of();
        }

        private static Node scalar(SourcePosition position, Object value) {
            Node.Kind kind = value instanceof Number ? Node.Kind.NUMBER : Node.Kind.TEXT;
            return new Node.Scalar(position, kind, String.valueOf(value));
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "type",
                    "object",
                    "minProperties",
                    1,
                    "propertyNames",
                    Map.of("pattern", "^" + PATH + "$"),
                    "additionalProperties",
                    Map.of("anyOf", List.of(Map.of("type", "array", "minItems", 1), Scalar.patterned(Ranges.PATTERN))));
        }

        @Override
        public Object write(Map<String, AxisValues> value) {
            Map<String, Object> written = new LinkedHashMap<>();
            value.forEach((path, axis) ->
                    written.put(path, axis.values().stream().map(Node::plain).toList()));
            return written;
        }
    }

    /** Names with key paths with values. Gives a {@link Node.Mapping} by name. */
    private record Variants() implements Shape<Map<String, Node.Mapping>> {

        @Override
        public String expected() {
            return "names with the settings of each, such as {old: {service.start: ./v1}, new: {service.start: "
                    + "./v2}}";
        }

        @Override
        public @Nullable Map<String, Node.Mapping> read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Mapping mapping) || mapping.entries().isEmpty()) {
                problems.add(node.position(), path, "expected " + expected() + ", got " + node.found());
                return null;
            }
            Map<String, Node.Mapping> variants = new LinkedHashMap<>();
            mapping.entries().forEach((name, sets) -> {
                if (!name.matches(ExperimentShape.NAME_PATTERN)) {
                    problems.add(
                            mapping.positionOf(name),
                            path,
                            "expected names of at most 100 letters, digits, dots, hyphens and underscores; got '" + name
                                    + "'");
                }
                if (sets instanceof Node.Mapping keys) {
                    keys.entries().keySet().forEach(key -> isPath(key, keys.positionOf(key), path, problems));
                    variants.put(name, keys);
                } else {
                    problems.add(
                            sets.position(),
                            Fields.join(path, name),
                            "expected key paths with values such as {service.start: ./v1}, or {} for the unchanged "
                                    + "experiment, got " + sets.found());
                }
            });
            return variants;
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "type",
                    "object",
                    "minProperties",
                    1,
                    "propertyNames",
                    Map.of("pattern", "^" + ExperimentShape.NAME_PATTERN + "$"),
                    "additionalProperties",
                    Map.of("type", "object", "propertyNames", Map.of("pattern", "^" + PATH + "$")));
        }

        @Override
        public Object write(Map<String, Node.Mapping> value) {
            Map<String, Object> written = new LinkedHashMap<>();
            value.forEach((name, sets) -> written.put(name, sets.plain()));
            return written;
        }
    }

    private static boolean isPath(String key, SourcePosition at, String path, Problems problems) {
        String first = key.replaceFirst("\\..*", "");
        if (!key.matches(PATH) || NAMES.contains(first)) {
            problems.add(at, path, "expected the path of a key such as client.with.size, got '" + key + "'");
            return false;
        }
        return true;
    }
}
