package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.plugin.Registry.Found;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Plugin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists plugins, or tells what one takes. */
@Command(
        name = "plugins",
        description = {
            "Lists the client, testbed, monitor and export plugins, with the jar each came from. With an "
                    + "ID, shows the plugin's parameters with types, defaults and units.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf plugins",
            "  diperf plugins http                            the parameters of one plugin",
            "  diperf plugins --plugins ./my-plugins",
            "",
            "Exit codes: 0 done, even if a plugin is broken (which is reported); 2 bad usage or no such plugin.",
        })
final class PluginsCommand extends ResultCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "ID of a plugin, such as http.")
    @Nullable
    String id;

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = stdout();
        PrintWriter err = stderr();
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            Plugins plugins = loaded.plugins();
            if (id == null) {
                list(plugins, out);
            } else {
                describe(plugins, id, out);
            }
            for (Plugins.Broken broken : plugins.broken()) {
                err.println("broken: " + broken.source() + ": " + broken.reason());
            }
            result(Map.of(
                    "plugins",
                    kinds(plugins).stream()
                            .flatMap(kind -> kind.found().stream()
                                    .filter(found -> id == null || found.id().equals(id))
                                    .map(found -> values(kind, found)))
                            .toList()));
            return ExitCode.DONE;
        }
    }

    private static Map<String, Object> values(Kind kind, Found<? extends Plugin> found) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", found.id());
        values.put("kind", kind.title());
        values.put("summary", found.plugin().summary());
        values.put("from", found.source());
        values.put("parameters", values(found.plugin().parameters()));
        return values;
    }

    private static List<Map<String, Object>> values(List<Parameter> parameters) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("name", parameter.name());
            values.put("help", parameter.help());
            values.put("type", parameter.type().description());
            values.put("unit", parameter.unit().isEmpty() ? null : parameter.unit());
            values.put("required", parameter.required());
            values.put("default", parameter.fallback());
            values.put("allowed", parameter.allowed().isEmpty() ? null : parameter.allowed());
            values.put("example", parameter.example());
            values.put("keys", parameter.keys().isEmpty() ? null : values(parameter.keys()));
            all.add(values);
        }
        return all;
    }

    private static void list(Plugins plugins, PrintWriter out) {
        for (Kind kind : kinds(plugins)) {
            if (!kind.found().isEmpty()) {
                out.println(kind.title() + ":");
                kind.found()
                        .forEach(found -> out.printf(
                                "  %-12s %s%n  %-12s from: %s%n",
                                found.id(), found.plugin().summary(), "", found.source()));
                out.println();
            }
        }
        out.println("Parameters of a plugin: diperf plugins ID");
    }

    private static List<Kind> kinds(Plugins plugins) {
        return List.of(
                new Kind(
                        "Clients (client.plugin)", List.copyOf(plugins.clients().found()), PluginsCommand::client),
                new Kind(
                        "Testbeds (testbed.kind)",
                        List.copyOf(plugins.testbeds().found()),
                        parameters("testbed")),
                new Kind(
                        "Monitors (monitors.kind)",
                        List.copyOf(plugins.monitors().found()),
                        parameters("monitors")),
                new Kind(
                        "Formats (export --format)",
                        List.copyOf(plugins.exports().found()),
                        use("Write it with: diperf export RUN_DIR --format %s")),
                new Kind(
                        "outputs",
                        List.copyOf(plugins.outputs().found()),
                        use("Use it with: outputs: [ { %s: ADDRESS } ]")),
                new Kind(
                        "Starter experiments (init)",
                        List.copyOf(plugins.starters().found()),
                        use("Use it with: diperf init NAME --%s ...")),
                new Kind(
                        "Commands",
                        List.copyOf(plugins.commands().found()),
                        (plugin, out) ->
                                out.printf("%nIts options: diperf %s --help%n", command((CommandPlugin) plugin))));
    }

    private static String command(CommandPlugin plugin) {
        return plugin.partOf().isEmpty() ? plugin.id() : plugin.partOf();
    }

    /**
     * One kind of plugin.
     *
     * @param describe writes what a plugin takes
     */
    private record Kind(String title, List<Found<? extends Plugin>> found, BiConsumer<Plugin, PrintWriter> describe) {}

    private static void describe(Plugins plugins, String id, PrintWriter out) throws UsageException {
        List<String> known = new ArrayList<>();
        boolean first = true;
        // One ID may be of several kinds: a client, and a testbed.
        for (Kind kind : kinds(plugins)) {
            for (Found<? extends Plugin> found : kind.found()) {
                known.add(found.id());
                if (found.id().equals(id)) {
                    out.print(first ? "" : System.lineSeparator());
                    first = false;
                    out.println(id + ": " + found.plugin().summary());
                    out.println("from: " + found.source());
                    kind.describe().accept(found.plugin(), out);
                }
            }
        }
        if (first) {
            throw new UsageException(
                    "No plugin '" + id + "'; choose one of " + String.join(", ", known) + Plugins.missing(id, known));
        }
    }

    private static BiConsumer<Plugin, PrintWriter> use(String how) {
        return (plugin, out) -> out.printf("%n" + how + "%n", plugin.id());
    }

    private static BiConsumer<Plugin, PrintWriter> parameters(String where) {
        return (plugin, out) -> parameters(plugin.parameters(), where, out);
    }

    private static void client(Plugin described, PrintWriter out) {
        ClientPlugin plugin = (ClientPlugin) described;
        out.println("default client for: "
                + String.join(
                        ", ",
                        plugin.schemes().stream()
                                .sorted()
                                .map(scheme -> scheme + "://")
                                .toList()));
        parameters(plugin.parameters(), "client.with", out);
        if (!plugin.metrics().isEmpty()) {
            out.println();
            out.println("Metrics of its calls:");
            for (Metric metric : plugin.metrics()) {
                out.printf("  %-18s %s (%s)%n", metric.name(), metric.help(), metric.unit());
            }
        }
    }

    private static void parameters(List<Parameter> parameters, String where, PrintWriter out) {
        out.println();
        if (parameters.isEmpty()) {
            out.println("It takes no parameters.");
            return;
        }
        out.println("Parameters (" + where + "):");
        keys("  ", parameters, out);
    }

    private static void keys(String indent, List<Parameter> parameters, PrintWriter out) {
        for (Parameter parameter : parameters) {
            out.printf("%s%-18s %s%n", indent, parameter.name(), parameter.help());
            out.printf("%s%-18s %s%n", indent, "", facts(parameter));
            keys(indent + "  ", parameter.keys(), out);
        }
    }

    private static String facts(Parameter parameter) {
        StringBuilder facts = new StringBuilder(parameter.type().description());
        if (!parameter.unit().isEmpty()) {
            facts.append(", in ").append(parameter.unit());
        }
        if (!parameter.allowed().isEmpty()) {
            facts.append(", one of ").append(String.join(" | ", parameter.allowed()));
        }
        if (parameter.required()) {
            facts.append(", required");
        } else if (parameter.fallback() != null) {
            facts.append(", default ").append(parameter.fallback());
        }
        String example = parameter.example();
        if (example != null && !example.contains("\n")) {
            facts.append(", such as ").append(example);
        }
        return facts.toString();
    }
}
