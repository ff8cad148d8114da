package org.diperf.core.plugin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Plugin;
import org.diperf.core.spi.StarterPlugin;

/** Checks what a plugin says of itself, so that its faults are told when it is loaded and not in a run. */
final class Declaration {

    private static final String ID = "[a-z0-9][a-z0-9-]{0,31}";
    private static final String SCHEME = "[a-z][a-z0-9+.-]*";
    private static final int MAX_METRICS = 100;
    private static final Set<String> EVERY_MONITORS = Set.of("kind", "name", "period", "metrics");

    private Declaration() {}

    /** Finds the first fault of a plugin; what it throws is thrown on. */
    static Optional<String> fault(Plugin plugin) {
        String id = plugin.id();
        if (!id.matches(ID)) {
            return Optional.of("plugin ID '" + id
                    + "': expected at most 32 lower-case letters, digits and hyphens; correct its id()");
        }
        Optional<String> fault = Optional.empty();
        if (plugin instanceof ClientPlugin client) {
            fault = ofClient(client);
        } else if (plugin instanceof MonitorPlugin monitor) {
            fault = ofMonitor(monitor);
        } else if (plugin instanceof CommandPlugin command) {
            fault = ofCommand(command);
        }
        return fault.map(reason -> "plugin '" + id + "': " + reason)
                .or(() -> summaryOrParameters(id, plugin.summary(), plugin.parameters()));
    }

    private static Optional<String> ofClient(ClientPlugin plugin) {
        for (String scheme : plugin.schemes()) {
            if (!scheme.matches(SCHEME)) {
                return Optional.of("expected a URI scheme in lower case, got '" + scheme + "'");
            }
        }
        List<Metric> metrics = plugin.metrics();
        Set<String> names = new HashSet<>();
        for (Metric metric : metrics) {
            if (!names.add(metric.name())) {
                return Optional.of("declares the metric '" + metric.name() + "' twice");
            }
        }
        return metrics.size() > MAX_METRICS
                ? Optional.of("expected at most " + MAX_METRICS + " metrics, got " + metrics.size())
                : Optional.empty();
    }

    private static Optional<String> ofMonitor(MonitorPlugin plugin) {
        return plugin.parameters().stream()
                .map(Parameter::name)
                .filter(EVERY_MONITORS::contains)
                .findFirst()
                .map(name -> "declares the parameter '" + name + "', which every monitor has; rename it");
    }

    private static Optional<String> ofCommand(CommandPlugin plugin) {
        List<String> known = plugin.parameters().stream().map(Parameter::name).toList();
        List<String> named = new ArrayList<>(plugin.arguments());
        named.addAll(plugin.letters().keySet());
        named.removeAll(known);
        if (!named.isEmpty()) {
            return Optional.of(
                    "expected arguments and letters to refer to parameters among " + known + ", got " + named);
        }
        return plugin.examples().isEmpty() ? Optional.of("expected at least one example, got none") : Optional.empty();
    }

    /** Finds an option of a starter that is required, or has the name of one of {@code init} or of a starter found before. */
    static Optional<String> clash(StarterPlugin plugin, List<StarterPlugin> before) {
        for (Parameter parameter : plugin.parameters()) {
            if (parameter.required()) {
                return Optional.of(
                        "plugin '" + plugin.id() + "': expected an optional parameter, because 'init' also runs"
                                + " without it, got the required '" + parameter.name() + "'; give it a default");
            }
        }
        Set<String> own = new HashSet<>();
        for (String option : options(plugin)) {
            if (StarterPlugin.TAKEN.contains(option) || !own.add(option)) {
                return clash(plugin, option, StarterPlugin.TAKEN.contains(option) ? "'init'" : "its own ID");
            }
            for (StarterPlugin other : before) {
                // The same ID twice is reported as a plugin that exists twice.
                if (!other.id().equals(plugin.id()) && options(other).contains(option)) {
                    return clash(plugin, option, "the starter '" + other.id() + "'");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> clash(StarterPlugin plugin, String option, String of) {
        return Optional.of("plugin '" + plugin.id() + "': expected options of 'init' that are not in use, got --"
                + option + ", which belongs to " + of + "; rename its "
                + (option.equals(plugin.id()) ? "ID" : "parameter"));
    }

    private static List<String> options(StarterPlugin plugin) {
        List<String> names = new ArrayList<>(List.of(plugin.id()));
        plugin.parameters().forEach(parameter -> names.add(parameter.name()));
        return names;
    }

    private static Optional<String> summaryOrParameters(String id, String summary, List<Parameter> parameters) {
        if (summary.isBlank() || summary.contains("\n")) {
            return Optional.of("plugin '" + id + "': expected a one-line summary, got '" + summary + "'");
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
