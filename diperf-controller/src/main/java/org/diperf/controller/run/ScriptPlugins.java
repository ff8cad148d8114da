package org.diperf.controller.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameters;

/** What an experiment's script needs of plugins. */
public final class ScriptPlugins {

    private ScriptPlugins() {}

    /** Returns the plugins of all calls by their ids, the client's own first; those that there are. */
    public static Map<String, ClientPlugin> plugins(Experiment experiment, Plugins known) {
        Map<String, ClientPlugin> found = new LinkedHashMap<>();
        for (String id : experiment.script().plugins(experiment.client().plugin())) {
            known.clients().plugin(id).ifPresent(client -> found.put(id, client));
        }
        return found;
    }

    /** Reads the parameters of what calls may be, in the order of their numbers. */
    public static List<Parameters> parameters(Experiment experiment, Plugins known) {
        Map<String, ClientPlugin> plugins = plugins(experiment, known);
        return experiment
                .script()
                .parameters(
                        experiment.client().plugin(),
                        id -> {
                            ClientPlugin plugin = plugins.get(id);
                            return plugin == null ? List.of() : plugin.parameters();
                        },
                        experiment.client().with(),
                        experiment.seed());
    }

    /** Lists the metrics that calls may have, in the order of their columns. */
    static List<Metric> metrics(Experiment experiment, Plugins known) {
        return plugins(experiment, known).values().stream()
                .flatMap(plugin -> plugin.metrics().stream())
                .distinct()
                .toList();
    }
}
