package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.expression.Expression;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.spi.Nearest;

/** The keys of a testbed that say which nodes it uses and what happens when testers are lost. */
final class FleetKeys {

    private static final Set<String> OF_ALL = Set.of("when-lost", "minimum", "linger");
    private static final Set<String> OF_NODES = Set.of("require", "nodes", "take", "testers-per-node");

    private static final long MOST = 10_000;

    private FleetKeys() {}

    /** Names the keys; a kind that does not know its nodes may have parameters of its own by the names of the rest. */
    static Set<String> names(boolean hasNodes) {
        Set<String> names = new HashSet<>(OF_ALL);
        names.addAll(hasNodes ? OF_NODES : Set.of());
        return names;
    }

    /** @param hasNodes whether testbeds of this kind know their nodes beforehand */
    static List<Key<?>> of(boolean hasNodes) {
        List<Key<?>> keys = new ArrayList<>();
        if (hasNodes) {
            keys.add(Key.optional(
                    "testers",
                    Scalar.whole("testers", 1, MOST),
                    "number of testers that share the load; default: as many as the chosen nodes hold"));
            keys.add(Key.optional(
                    "require", require(), "condition on measures and labels that a node must meet to be used"));
            keys.add(Key.optional(
                    "nodes",
                    Scalar.whole("nodes", 1, MOST),
                    "number of nodes to use, the best that qualify: lowest load per core, then shortest round"
                            + " trip, then order in the file; default: as many as the testers need, or all"));
            keys.add(Key.optional("take", Scalar.whole("nodes", 1, MOST), "another name for 'nodes'"));
            keys.add(
                    Key.withDefault("testers-per-node", Scalar.whole("testers", 1, MOST), 1L, "most testers per node"));
        } else {
            keys.add(Key.withDefault(
                    "testers", Scalar.whole("testers", 1, MOST), 1L, "number of testers that share the load"));
        }
        keys.add(Key.withDefault(
                "when-lost",
                Scalar.oneOf(List.of("continue", "replace", "abort")),
                "continue",
                "continue: the others carry on; replace: another tester takes over its share once it is ready; abort:"
                        + " the run ends"));
        keys.add(Key.withDefault(
                "minimum",
                Scalar.whole("testers", 1, MOST),
                1L,
                "testers that must take part; with fewer the run does not start, or ends"));
        keys.add(Key.withDefault(
                "linger",
                Quantities.duration(false),
                FleetSettings.DEFAULT.linger(),
                "how long a tester that has lost its controller keeps its samples"));
        return keys;
    }

    private static Scalar<Expression> require() {
        return Quantities.expression("an expression such as cores >= 2 && load < 4", FleetKeys::withKnownMeasures);
    }

    /** A number belongs to a measure or to a label; labels are known only when the nodes are. */
    private static Expression withKnownMeasures(Expression expression) {
        for (Expression.Limit limit : expression.limits()) {
            String suggestion = Nearest.suggestion(limit.path(), FleetSettings.MEASURES);
            if (!FleetSettings.MEASURES.contains(limit.path()) && !suggestion.isEmpty()) {
                throw new IllegalArgumentException("expected a measure of a node, one of " + FleetSettings.MEASURES
                        + ", or a label, got '" + limit.path() + "'" + suggestion);
            }
        }
        return expression;
    }

    /** Writes {@code take} as {@code nodes}. */
    static void fillIn(Map<String, Object> testbed, BiConsumer<String, String> problems) {
        Object take = testbed.remove("take");
        if (take != null && testbed.putIfAbsent("nodes", take) != null) {
            problems.accept(
                    "testbed.take", "expected 'nodes' or 'take', which are the same, got both; leave one of them out");
        }
    }

    static FleetSettings choice(Map<String, Object> testbed, boolean hasNodes) {
        return new FleetSettings(
                FleetSettings.WhenLost.valueOf(
                        String.valueOf(testbed.get("when-lost")).toUpperCase(Locale.ROOT)),
                count(testbed, "minimum", 1),
                ExperimentBuilder.get(testbed, "linger", Duration.class),
                String.valueOf(testbed.getOrDefault("require", "")),
                hasNodes ? count(testbed, "nodes", 0) : 0,
                hasNodes ? count(testbed, "testers-per-node", 1) : 1);
    }

    /** Counts the testers as far as the file says how many; 0: the nodes that are found decide. */
    static int testers(Map<String, Object> testbed) {
        return count(testbed, "testers", 0);
    }

    private static int count(Map<String, Object> testbed, String key, int otherwise) {
        Object value = testbed.get(key);
        return value instanceof Long number ? (int) (long) number : otherwise;
    }

    /** Checks what goes together. */
    static void check(FleetSettings fleet, int testers, LoadSettings load, BiConsumer<String, String> problems) {
        long room = (long) fleet.nodes() * fleet.testersPerNode();
        if (testers > 0 && room > 0 && testers > room) {
            problems.accept(
                    "testbed.testers",
                    "expected at most nodes x testers-per-node = " + room + " testers, got " + testers
                            + "; raise testers-per-node or nodes");
        }
        long most = testers > 0 ? testers : room;
        if (most > 0 && fleet.minimum() > most) {
            problems.accept(
                    "testbed.minimum",
                    "expected at most as many as there are testers (" + most + "), got " + fleet.minimum());
        }
        boolean quota = load instanceof LoadSettings.Groups groups
                ? groups.groups().stream().anyMatch(group -> isLimited(group.load()))
                : isLimited(load);
        if (quota && fleet.whenLost() == FleetSettings.WhenLost.REPLACE) {
            problems.accept(
                    "testbed.when-lost",
                    "expected continue or abort with a load of so many calls or bytes, got replace: what the lost"
                            + " tester had done would be done again");
        }
    }

    private static boolean isLimited(LoadSettings load) {
        return load instanceof LoadSettings.Single single
                && single.load() instanceof ClosedLoad closed
                && closed.quota().isLimited();
    }
}
