package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.MonitorSettings;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;

/** The key {@code monitors}: its form, and what is made of it. */
final class MonitorKeys {

    private static final Set<String> COMMON = Set.of("kind", "name", "period", "metrics");

    /** The first monitor is called so unless it is given a name: then its series are {@code server.cpu} and the like. */
    private static final String FIRST = "server";

    private MonitorKeys() {}

    static Shape<List<Map<String, Object>>> shape(List<MonitorPlugin> plugins) {
        Map<String, Fields> variants = new LinkedHashMap<>();
        for (MonitorPlugin plugin : plugins) {
            Fields common = Fields.of(
                    "a monitor",
                    Key.required("kind", Scalar.oneOf(List.of(plugin.id())), plugin.summary()),
                    Key.optional(
                            "name",
                            Scalar.text(
                                    "letters, digits, hyphens and underscores, at most 40",
                                    "[A-Za-z0-9][A-Za-z0-9_-]{0,39}"),
                            "name of the monitor; default: server for the first, its kind for others"),
                    Key.optional(
                            "period",
                            Quantities.duration(true),
                            "time between samples, at least " + Quantity.format(plugin.shortestPeriod()) + "; default: "
                                    + usual(plugin)),
                    Key.withDefault(
                            "metrics",
                            new Shapes.ListOf<>(
                                    "a list of names of metrics",
                                    Scalar.text("a name such as cpu or network.*", "\\S+"),
                                    0),
                            List.of(),
                            "metrics to keep, * standing for any letters; default: all"));
            variants.put(plugin.id(), common.and(ExperimentShape.parameters(plugin.parameters())));
        }
        return new Shapes.ListOf<>(
                "a list of monitors such as [{kind: host}]",
                new Shapes.ByWord(
                        "a monitor such as {kind: process, pid-file: /run/nginx.pid}",
                        "kind",
                        "kind of monitor",
                        "kind",
                        null,
                        variants),
                0);
    }

    private static String usual(MonitorPlugin plugin) {
        Duration usual = plugin.usualPeriod(Duration.ZERO);
        boolean follows = !plugin.usualPeriod(plugin.shortestPeriod()).equals(usual);
        return Quantity.format(usual) + (follows ? ", or the declared round trip where that is shorter" : "");
    }

    /** Makes the monitors and writes their names into the values. */
    static List<MonitorSettings> choices(Map<String, Object> values, BiConsumer<String, String> problem) {
        List<MonitorSettings> choices = new ArrayList<>();
        List<Object> written = new ArrayList<>();
        Set<String> given = new HashSet<>();
        List<?> monitors = (List<?>) values.getOrDefault("monitors", List.of());
        for (int i = 0; i < monitors.size(); i++) {
            Object name = ExperimentBuilder.map(monitors.get(i)).get("name");
            if (name != null && !given.add(name.toString())) {
                problem.accept("monitors." + i + ".name", "expected names that differ, got '" + name + "' twice");
            }
        }
        for (int i = 0; i < monitors.size(); i++) {
            Map<String, Object> monitor = ExperimentBuilder.map(monitors.get(i));
            String kind = ExperimentBuilder.get(monitor, "kind", String.class);
            if (!monitor.containsKey("name")) {
                monitor.put("name", free(i == 0 ? FIRST : kind, given));
            }
            written.add(monitor);
            Map<String, Object> with = new LinkedHashMap<>(monitor);
            with.keySet().removeAll(COMMON);
            List<?> metrics = (List<?>) monitor.getOrDefault("metrics", List.of());
            choices.add(new MonitorSettings(
                    ExperimentBuilder.get(monitor, "name", String.class),
                    kind,
                    (Duration) monitor.get("period"),
                    metrics.stream().map(String::valueOf).toList(),
                    with));
        }
        values.put("monitors", written);
        return choices;
    }

    private static String free(String expected, Set<String> taken) {
        String name = expected;
        for (int i = 2; !taken.add(name); i++) {
            name = expected + "-" + i;
        }
        return name;
    }

    /** Lets the plugins check what their declarations alone cannot say. */
    static void askPlugins(Experiment experiment, KnownPlugins plugins, Node root, Problems problems) {
        for (int i = 0; i < experiment.monitors().size(); i++) {
            MonitorSettings choice = experiment.monitors().get(i);
            MonitorPlugin plugin = plugins.monitor(choice.kind());
            if (plugin != null) {
                Duration period = choice.period();
                Duration shortest = plugin.shortestPeriod();
                if (period != null && period.compareTo(shortest) < 0) {
                    String path = "monitors." + i + ".period";
                    problems.add(
                            Node.positionOf(root, path),
                            path,
                            "expected at least " + Quantity.format(shortest) + ", got " + Quantity.format(period));
                }
                try {
                    plugin.check(Parameters.read(plugin.parameters(), choice.with(), experiment.seed()));
                } catch (Parameters.Unusable e) {
                    String path = "monitors." + i + "." + e.parameter();
                    problems.add(Node.positionOf(root, path), path, String.valueOf(e.getMessage()));
                }
            }
        }
    }
}
