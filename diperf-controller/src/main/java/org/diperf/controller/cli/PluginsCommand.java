package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.diperf.analyzer.export.Exports;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.plugin.Plugins.FoundClient;
import org.diperf.core.plugin.Plugins.FoundExport;
import org.diperf.core.plugin.Plugins.FoundMonitor;
import org.diperf.core.plugin.Plugins.FoundOutput;
import org.diperf.core.plugin.Plugins.FoundTestbed;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists plugins, or tells what one takes. */
@Command(
        name = "plugins",
        description = {
            "Lists the client, testbed, monitor and export plugins, with the jar each came from. With an ID, shows what"
                    + " that plugin takes: parameters with types, defaults and units.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf plugins",
            "  diperf plugins http                            the parameters of one plugin",
            "  diperf plugins --plugins ./my-plugins",
            "",
            "Exit codes: 0 done, even if a plugin is broken (a message says so); 2 bad usage or no such plugin.",
        })
final class PluginsCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "ID of a plugin, such as http.")
    @Nullable
    String id;

    @Mixin
    PluginOptions pluginOptions;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
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
            return ExitCode.DONE;
        }
    }

    private static void list(Plugins plugins, PrintWriter out) {
        out.println("Clients (client.plugin):");
        for (FoundClient found : plugins.clients()) {
            row(out, found.plugin().id(), found.plugin().summary(), found.source());
        }
        out.println();
        out.println("Testbeds (testbed.kind):");
        for (FoundTestbed found : plugins.testbeds()) {
            row(out, found.plugin().id(), found.plugin().summary(), found.source());
        }
        out.println();
        out.println("Monitors (monitors.kind):");
        for (FoundMonitor found : plugins.monitors()) {
            row(out, found.plugin().id(), found.plugin().summary(), found.source());
        }
        out.println();
        out.println("Formats (export --format):");
        for (FoundExport found : formats(plugins)) {
            row(out, found.plugin().id(), found.plugin().summary(), found.source());
        }
        if (!plugins.outputs().isEmpty()) {
            out.println();
            out.println("outputs:");
            for (FoundOutput found : plugins.outputs()) {
                row(out, found.plugin().id(), found.plugin().summary(), found.source());
            }
        }
        out.println();
        out.println("What one takes: diperf plugins ID");
    }

    /** Lists the formats that DiPerF has itself, and those of plugins. */
    private static List<FoundExport> formats(Plugins plugins) {
        List<FoundExport> formats = new ArrayList<>();
        Exports.bundled(Duration.ofSeconds(1).toNanos())
                .forEach(format -> formats.add(new FoundExport(format, "bundled")));
        formats.addAll(plugins.exports());
        return formats;
    }

    private static void row(PrintWriter out, String id, String summary, String source) {
        out.printf("  %-12s %s%n  %-12s from: %s%n", id, summary, "", source);
    }

    private static void describe(Plugins plugins, String id, PrintWriter out) throws UsageException {
        var client = plugins.client(id);
        var testbed = plugins.testbed(id);
        var monitor = plugins.monitor(id);
        var format = formats(plugins).stream()
                .filter(found -> found.plugin().id().equals(id))
                .findFirst();
        // One ID may be of several kinds: gram is a client, and a testbed.
        List<Runnable> kinds = new ArrayList<>();
        client.ifPresent(found -> kinds.add(() -> describe(found.plugin(), found.source(), out)));
        testbed.ifPresent(found -> kinds.add(() -> {
            TestbedPlugin plugin = found.plugin();
            head(plugin.id(), plugin.summary(), found.source(), out);
            parameters(plugin.parameters(), "testbed", out);
        }));
        monitor.ifPresent(found -> kinds.add(() -> {
            MonitorPlugin plugin = found.plugin();
            head(plugin.id(), plugin.summary(), found.source(), out);
            parameters(plugin.parameters(), "monitors", out);
        }));
        format.ifPresent(found -> kinds.add(() -> {
            ExportPlugin plugin = found.plugin();
            head(plugin.id(), plugin.summary(), found.source(), out);
            out.println();
            out.println("Write it with: diperf export RUN_DIR --format " + plugin.id());
        }));
        plugins.output(id)
                .ifPresent(found -> kinds.add(() -> {
                    head(id, found.plugin().summary(), found.source(), out);
                    out.println();
                    out.println("Use it with: outputs: [ { " + id + ": ADDRESS } ]");
                }));
        if (kinds.isEmpty()) {
            List<String> known = new ArrayList<>(
                    plugins.clients().stream().map(found -> found.plugin().id()).toList());
            plugins.testbeds().forEach(found -> known.add(found.plugin().id()));
            plugins.monitors().forEach(found -> known.add(found.plugin().id()));
            formats(plugins).forEach(found -> known.add(found.plugin().id()));
            throw new UsageException(
                    "No plugin '" + id + "' among " + String.join(", ", known) + Plugins.missing(id, known));
        }
        for (int i = 0; i < kinds.size(); i++) {
            if (i > 0) {
                out.println();
            }
            kinds.get(i).run();
        }
    }

    private static void head(String id, String summary, String source, PrintWriter out) {
        out.println(id + ": " + summary);
        out.println("from: " + source);
    }

    private static void describe(ClientPlugin plugin, String source, PrintWriter out) {
        head(plugin.id(), plugin.summary(), source, out);
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
