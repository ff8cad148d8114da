package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.MonitorSettings;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;

/** The key {@code monitors}: its form, and what is made of it. */
final class MonitorKeys {

    /** The first monitor is called so unless it is given a name: then its series are {@code server.cpu} and the like. */
    private static final String FIRST = "server";

    private static final Key<String> NAME = Key.optional(
            "name",
            Scalar.text("letters, digits, hyphens and underscores, at most 40", "[A-Za-z0-9][A-Za-z0-9_-]{0,39}"),
            "name of the monitor; default: server for the first, the kind for others");
    private static final Key<List<String>> METRICS = Key.withDefault(
            "metrics",
            new Shapes.ListOf<>("a list of metric names", Scalar.text("a name such as cpu or network.*", "\\S+"), 0),
            List.of(),
            "metrics to keep (* matches any characters); default: all");

    static final Key<List<FormValues>> MONITORS = key(List.of());

    private MonitorKeys() {}

    private static Key<String> kind(String id, String summary) {
        return Key.required("kind", Scalar.oneOf(List.of(id)), summary);
    }

    private static Key<Duration> period(String help) {
        return Key.optional("period", Quantities.duration(true), help);
    }

    static Key<List<FormValues>> key(List<MonitorPlugin> plugins) {
        Map<String, Fields> variants = new LinkedHashMap<>();
        for (MonitorPlugin plugin : plugins) {
            Fields common = Fields.of(
                    "a monitor",
                    kind(plugin.id(), plugin.summary()),
                    NAME,
                    period("time between samples, at least " + Quantity.format(plugin.shortestPeriod()) + "; default: "
                            + usual(plugin)),
                    METRICS);
            variants.put(plugin.id(), common.and(ExperimentShape.parameters(plugin.parameters(), Names.NONE)));
        }
        return Key.withDefault(
                "monitors",
                new Shapes.ListOf<>(
                        "a list of monitors such as [{kind: host}]",
                        new Shapes.ByWord(
                                "a monitor such as {kind: process, pid-file: /run/nginx.pid}",
                                "kind",
                                "kind of monitor",
                                "kind",
                                null,
                                variants),
                        0),
                List.of(),
                "observes the service where it runs; a failing monitor never fails the run");
    }

    private static String usual(MonitorPlugin plugin) {
        Duration usual = plugin.usualPeriod(Duration.ZERO);
        boolean follows = !plugin.usualPeriod(plugin.shortestPeriod()).equals(usual);
        return Quantity.format(usual) + (follows ? ", or the declared round-trip time if that is shorter" : "");
    }

    /** Makes the monitors, and writes out their names. */
    static List<MonitorSettings> settings(FormValues experiment) {
        List<FormValues> monitors = experiment.get(MONITORS);
        Set<String> taken = new HashSet<>();
        for (FormValues monitor : monitors) {
            String name = monitor.find(NAME);
            if (name != null && !taken.add(name)) {
                monitor.problem(NAME, "expected unique names, got '" + name + "' twice");
            }
        }
        List<MonitorSettings> settings = new ArrayList<>();
        for (FormValues monitor : monitors) {
            String kind = monitor.get(kind("", ""));
            settings.add(new MonitorSettings(
                    monitor.getOrElse(NAME, () -> free(settings.isEmpty() ? FIRST : kind, taken)),
                    kind,
                    monitor.find(period("")),
                    monitor.get(METRICS),
                    monitor.parameters()));
        }
        return settings;
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
