package org.diperf.controller.experiment;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.experiment.GridShape.AxisValues;
import org.diperf.controller.grid.Axis;
import org.diperf.controller.grid.Grid;
import org.diperf.controller.grid.Point;
import org.diperf.controller.grid.Settings;
import org.diperf.core.expression.Expression;
import org.diperf.core.run.GridRecord;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/** Makes the grid of a file: reads its keys, and has every point checked as an experiment of its own. Used once. */
final class GridBuilder {

    private static final int MAX_POINTS = 1_000;
    /** Keys whose texts are paths next to the experiment file: a run's own file stands elsewhere. */
    private static final Set<String> PATHS = Set.of("deploy", "service.deploy");

    private final Node.Mapping whole;
    private final Node.Mapping base;
    private final String source;
    private final Resolver resolver;

    /** Reads one experiment that has no grid. */
    interface Resolver {
        ExperimentFile.Resolved resolve(Node.Mapping root) throws ExperimentException;

        /** Reads what {@link ExperimentFile.Resolved#yaml} says. */
        Node.Mapping read(String yaml) throws ExperimentException;
    }

    /**
     * @param root with name and seed
     * @param source name of the file, next to which relative paths are looked for
     */
    GridBuilder(Node.Mapping root, String source, Resolver resolver) {
        this.whole = root;
        this.source = source;
        this.resolver = resolver;
        this.base = (Node.Mapping) absolute("", root.without(GridShape.NAMES));
    }

    /** Returns whether a file asks for more than one run. */
    static boolean isGrid(Node.Mapping root) {
        return GridShape.NAMES.stream().anyMatch(root.entries()::containsKey);
    }

    ExperimentGrid build(Problems problems) throws ExperimentException {
        FormValues sweep = read(GridShape.SWEEP, problems);
        FormValues trials = read(GridShape.TRIALS, problems);
        Map<String, Node.Mapping> given = read(GridShape.VARIANTS, problems);
        problems.check();
        Map<String, AxisValues> axisValues = sweep == null ? Map.of() : sweep.get(GridShape.AXES);
        Map<String, Node.Mapping> variants = given == null ? Map.of() : given;
        checkPaths(axisValues, variants, problems);
        List<String> paths = List.copyOf(axisValues.keySet());
        List<Axis> axes = new ArrayList<>();
        axisValues.forEach((path, values) -> axes.add(new Axis(
                path,
                Axis.shortName(path, paths),
                values.values().stream().map(Node::plain).toList())));
        List<Expression> except = sweep == null ? List.of() : sweep.get(GridShape.EXCEPT);
        checkNames(except, new Settings(axes).names(), problems);
        problems.check();
        Map<String, Map<String, Object>> sets = new LinkedHashMap<>();
        variants.forEach((name, mapping) -> sets.put(name, mapping.plain()));
        // Without a sweep there are variants or trials alone, which are shuffled too.
        boolean shuffled = sweep == null || sweep.get(GridShape.ORDER) == GridShape.Order.SHUFFLED;
        Grid grid = new Grid(axes, sets, except, shuffled, GridShape.trials(trials));
        List<Point> points = points(grid, problems);
        List<ExperimentFile.Resolved> resolved = new ArrayList<>();
        PointProblems found = new PointProblems(points.size());
        for (Point point : points) {
            try {
                resolved.add(resolver.resolve(at(base, point, axisValues, variants)));
            } catch (ExperimentException e) {
                found.add(point, axes, e.problems());
            }
        }
        found.check();
        ExperimentFile.Resolved first = resolved.get(0);
        return new ExperimentGrid(
                grid,
                first.experiment().name(),
                first.experiment().labels(),
                seed(problems),
                yaml(sweep, trials, variants, resolved, points, axisValues),
                points,
                resolved);
    }

    private long seed(Problems problems) throws ExperimentException {
        Node seed = requireNonNull(base.entries().get("seed"), "seed");
        Long read = ExperimentShape.SEED.shape().read(seed, "seed", problems);
        problems.check();
        return requireNonNull(read, "seed");
    }

    private List<Point> points(Grid grid, Problems problems) throws ExperimentException {
        Node sweep = whole.entries().get(GridShape.SWEEP.name());
        SourcePosition position = sweep == null ? whole.position() : sweep.position();
        if (grid.whole() > 100L * MAX_POINTS) {
            problems.add(position, "expected at most " + MAX_POINTS + " points, got " + grid.whole());
            problems.check();
        }
        List<Point> points = grid.points();
        long runs = (long) points.size() * grid.trials().count();
        if (points.isEmpty() || points.size() > MAX_POINTS || runs > GridRecord.MAX_RUNS) {
            problems.add(
                    position,
                    "expected 1 to " + MAX_POINTS + " points and at most " + GridRecord.MAX_RUNS + " runs, got "
                            + (points.isEmpty()
                                    ? "none, because 'except' excludes all points"
                                    : Numbers.count(points.size(), "point") + " and " + Numbers.count(runs, "run")));
        }
        problems.check();
        return points;
    }

    private <V> @Nullable V read(Key<V> key, Problems problems) {
        Node node = whole.entries().get(key.name());
        return node == null ? null : key.shape().read(node, key.name(), problems);
    }

    /** What both an axis and a variant set would be the variant's alone. */
    private static void checkPaths(
            Map<String, AxisValues> axes, Map<String, Node.Mapping> variants, Problems problems) {
        variants.forEach((name, sets) -> sets.entries()
                .keySet()
                .forEach(path -> axes.keySet().forEach(axis -> {
                    if (axis.equals(path) || axis.startsWith(path + ".")) {
                        problems.add(
                                sets.positionOf(path),
                                "expected a key that is not swept by an axis, got '" + path + "' in the variant '"
                                        + name + "' and '" + axis + "' among the axes; remove one of them");
                    }
                })));
    }

    private void checkNames(List<Expression> except, List<String> names, Problems problems) {
        for (int i = 0; i < except.size(); i++) {
            for (String path : except.get(i).paths()) {
                if (!names.contains(path)) {
                    String at = "sweep.except." + i;
                    problems.add(
                            Node.positionOf(whole, at),
                            at,
                            "expected one of " + names + ", got '" + path + "'" + NearestName.suggestion(path, names));
                }
            }
        }
    }

    private Node.Mapping at(
            Node.Mapping root, Point point, Map<String, AxisValues> axes, Map<String, Node.Mapping> variants)
            throws ExperimentException {
        Problems problems = new Problems();
        Node changed = root;
        for (Map.Entry<String, AxisValues> axis : axes.entrySet()) {
            Object expected = point.set().get(axis.getKey());
            Node value = axis.getValue().values().stream()
                    .filter(node -> node.plain().equals(expected))
                    .findFirst()
                    .orElseThrow();
            changed = change(changed, axis.getKey(), axis.getValue().key(), value, problems);
        }
        Object variant = point.set().get(GridRecord.VARIANT);
        Node.Mapping sets = variant == null ? null : variants.get(variant.toString());
        if (sets != null) {
            for (Map.Entry<String, Node> entry : sets.entries().entrySet()) {
                changed = change(changed, entry.getKey(), sets.positionOf(entry.getKey()), entry.getValue(), problems);
            }
        }
        problems.check();
        return (Node.Mapping) changed;
    }

    private Node change(Node root, String path, SourcePosition key, Node value, Problems problems) {
        return KeyOverride.at(path, key, absolute(path, value)).apply(root, problems);
    }

    /** Makes paths next to the experiment file absolute. */
    private Node absolute(String path, Node node) {
        boolean isPath = path.matches("data\\.[^.]+\\.file")
                || PATHS.stream().anyMatch(key -> path.equals(key) || path.startsWith(key + "."));
        if (node instanceof Node.Scalar scalar) {
            return isPath && scalar.kind() != Node.Kind.NULL
                    ? new Node.Scalar(scalar.position(), scalar.kind(), ExperimentPaths.absolute(source, scalar.text()))
                    : scalar;
        }
        if (node instanceof Node.Sequence list) {
            // Of a list of files to deploy the path is also the name there.
            if (path.equals("deploy")) {
                Map<String, Node> named = new LinkedHashMap<>();
                for (Node item : list.items()) {
                    if (!(item instanceof Node.Scalar scalar)) {
                        return list;
                    }
                    named.put(
                            scalar.text(),
                            new Node.Scalar(
                                    scalar.position(), scalar.kind(), ExperimentPaths.absolute(source, scalar.text())));
                }
                return new Node.Mapping(list.position(), named, Map.of());
            }
            return new Node.Sequence(
                    list.position(),
                    list.items().stream().map(item -> absolute(path, item)).toList());
        }
        Node.Mapping mapping = (Node.Mapping) node;
        Map<String, Node> entries = new LinkedHashMap<>();
        mapping.entries().forEach((key, value) -> entries.put(key, absolute(Fields.join(path, key), value)));
        return new Node.Mapping(mapping.position(), entries, mapping.keys());
    }

    /**
     * Writes what repeats the grid: with every default written out where that changes no run; otherwise, such as where axes or
     * variants give what the file leaves out, as the file has it.
     */
    private String yaml(
            @Nullable FormValues sweep,
            @Nullable FormValues trials,
            Map<String, Node.Mapping> variants,
            List<ExperimentFile.Resolved> resolved,
            List<Point> points,
            Map<String, AxisValues> axes) {
        Map<String, Object> grid = new LinkedHashMap<>();
        if (sweep != null) {
            grid.put(GridShape.SWEEP.name(), sweep.written());
        }
        if (!variants.isEmpty()) {
            Map<String, Object> written = new LinkedHashMap<>();
            variants.forEach((name, sets) -> {
                Map<String, Object> values = new LinkedHashMap<>();
                sets.entries()
                        .forEach((path, value) ->
                                values.put(path, absolute(path, value).plain()));
                written.put(name, values);
            });
            grid.put(GridShape.VARIANTS.name(), written);
        }
        if (trials != null) {
            grid.put(GridShape.TRIALS.name(), trials.written());
        }
        Node.Mapping complete = complete(resolved, points, axes, variants);
        Map<String, Object> all = (complete == null ? base : complete).plain();
        all.putAll(grid);
        return ExperimentFile.GRID_HEADER + YamlWriter.write(all);
    }

    private Node.@Nullable Mapping complete(
            List<ExperimentFile.Resolved> resolved,
            List<Point> points,
            Map<String, AxisValues> axes,
            Map<String, Node.Mapping> variants) {
        try {
            Node.Mapping complete = resolver.read(resolver.resolve(base).yaml());
            for (Point point : points) {
                String again =
                        resolver.resolve(at(complete, point, axes, variants)).yaml();
                if (!again.equals(resolved.get(point.index()).yaml())) {
                    return null;
                }
            }
            return complete;
        } catch (ExperimentException incomplete) {
            return null;
        }
    }
}
