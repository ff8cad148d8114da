package org.diperf.core.plugin;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.OutputPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedPlugin;

/** Checks what a plugin says of itself, so that its faults are told when it is loaded and not in a run. */
final class Declaration {

    private static final String ID = "[a-z0-9][a-z0-9-]{0,31}";
    private static final String SCHEME = "[a-z][a-z0-9+.-]*";
    private static final int MAX_METRICS = 100;
    private static final Set<String> EVERY_MONITORS = Set.of("kind", "name", "period", "metrics");

    private Declaration() {}

    /** Finds the first fault of a client plugin; what it throws is thrown on. */
    static Optional<String> fault(ClientPlugin plugin) {
        String id = plugin.id();
        if (!id.matches(ID)) {
            return Optional.of(unusableId(id));
        }
        for (String scheme : plugin.schemes()) {
            if (!scheme.matches(SCHEME)) {
                return Optional.of("plugin '" + id + "': expected a URI scheme in lower case, got '" + scheme + "'");
            }
        }
        List<Metric> metrics = plugin.metrics();
        Set<String> names = new HashSet<>();
        for (Metric metric : metrics) {
            if (!names.add(metric.name())) {
                return Optional.of("plugin '" + id + "': declares the metric '" + metric.name() + "' twice");
            }
        }
        if (metrics.size() > MAX_METRICS) {
            return Optional.of(
                    "plugin '" + id + "': expected at most " + MAX_METRICS + " metrics, got " + metrics.size());
        }
        return summaryOrParameters(id, plugin.summary(), plugin.parameters());
    }

    /** Finds the first fault of a testbed plugin; what it throws is thrown on. */
    static Optional<String> fault(TestbedPlugin plugin) {
        String id = plugin.id();
        return id.matches(ID)
                ? summaryOrParameters(id, plugin.summary(), plugin.parameters())
                : Optional.of(unusableId(id));
    }

    /** Finds the first fault of a plugin for exports; what it throws is thrown on. */
    static Optional<String> fault(ExportPlugin plugin) {
        String id = plugin.id();
        return id.matches(ID) ? summaryOrParameters(id, plugin.summary(), List.of()) : Optional.of(unusableId(id));
    }

    /** Finds the first fault of a plugin for outputs; what it throws is thrown on. */
    static Optional<String> fault(OutputPlugin plugin) {
        String id = plugin.id();
        return id.matches(ID) ? summaryOrParameters(id, plugin.summary(), List.of()) : Optional.of(unusableId(id));
    }

    /** Finds the first fault of a monitor plugin; what it throws is thrown on. */
    static Optional<String> fault(MonitorPlugin plugin) {
        String id = plugin.id();
        if (!id.matches(ID)) {
            return Optional.of(unusableId(id));
        }
        for (Parameter parameter : plugin.parameters()) {
            if (EVERY_MONITORS.contains(parameter.name())) {
                return Optional.of("plugin '" + id + "': declares the parameter '" + parameter.name()
                        + "', which every monitor has; give it another name");
            }
        }
        return summaryOrParameters(id, plugin.summary(), plugin.parameters());
    }

    private static String unusableId(String id) {
        return "plugin ID '" + id + "': expected lower-case letters, digits and hyphens, at most 32; correct its id()";
    }

    private static Optional<String> summaryOrParameters(String id, String summary, List<Parameter> parameters) {
        if (summary.isBlank() || summary.contains("\n")) {
            return Optional.of("plugin '" + id + "': expected a summary of one line, got '" + summary + "'");
        }
        return parameters("plugin '" + id + "': ", parameters);
    }

    /** Finds the first fault of parameters, and of those within them. */
    private static Optional<String> parameters(String where, List<Parameter> parameters) {
        Set<String> names = new HashSet<>();
        for (Parameter parameter : parameters) {
            String name = parameter.name();
            if (!names.add(name)) {
                return Optional.of(where + "declares the parameter '" + name + "' twice");
            }
            if (parameter.fallback() != null) {
                try {
                    Parameters.read(List.of(parameter), Map.of(), 0);
                } catch (Parameters.Unusable e) {
                    return Optional.of(
                            where + "the default of its parameter '" + name + "' cannot be used: " + e.getMessage());
                }
            }
            Optional<String> within = parameters(where + "in '" + name + "' ", parameter.keys());
            if (within.isPresent()) {
                return within;
            }
        }
        return Optional.empty();
    }
}
