package org.diperf.controller.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Nearest;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists plugins, or describes one. */
@Command(
        name = "plugins",
        header = "Lists the client and testbed plugins found; with an ID, describes one.",
        description = {
            "",
            "Shows where each came from: 'bundled', or its jar. With an ID: its parameters with types, defaults and units,"
                    + " and the metrics its calls report. A plugin that cannot be loaded is named on standard error with"
                    + " the reason; the others work."
        },
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf plugins",
            "  diperf plugins http",
            "  diperf plugins --plugins build/libs quote",
            "",
            "Exit codes: 0 done, 2 bad usage or no plugin of that ID."
        })
final class PluginsCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private Common common = new Common();

    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "The plugin to describe.")
    private @Nullable String id;

    @Mixin
    private PluginOption pluginOption = new PluginOption();

    PluginsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws UsageException, FailureException {
        try (PluginOption.Loaded loaded = pluginOption.load(terminal)) {
            if (id == null) {
                list(loaded.plugins());
            } else {
                describe(loaded.plugins(), id);
            }
        }
        return ExitStatus.DONE;
    }

    private void list(Plugins plugins) {
        List<List<String>> rows = new ArrayList<>();
        for (Plugins.FoundClient found : plugins.clients()) {
            String schemes = String.join(" ", found.plugin().schemes().stream().sorted().toList());
            rows.add(List.of(found.plugin().id(), schemes, found.plugin().summary(), found.source()));
        }
        terminal.out().println("Clients (client.plugin), with the URI schemes they are the default for:");
        table(terminal.out(), rows);
        rows.clear();
        for (Plugins.FoundTestbed found : plugins.testbeds()) {
            rows.add(List.of(found.plugin().id(), found.plugin().summary(), found.source()));
        }
        terminal.out().println();
        terminal.out().println("Testbeds (testbed.kind):");
        table(terminal.out(), rows);
        terminal.out().println();
        terminal.out().println("'diperf plugins ID' shows the parameters of one.");
    }

    private void describe(Plugins plugins, String wanted) throws UsageException {
        Optional<Plugins.FoundClient> client = plugins.client(wanted);
        Optional<Plugins.FoundTestbed> testbed = plugins.testbed(wanted);
        if (client.isEmpty() && testbed.isEmpty()) {
            List<String> ids = new ArrayList<>();
            plugins.clients().forEach(found -> ids.add(found.plugin().id()));
            plugins.testbeds().forEach(found -> ids.add(found.plugin().id()));
            throw new UsageException(
                    "wanted one of the plugins " + ids + ", found '" + wanted + "'" + Nearest.suggestion(wanted, ids));
        }
        PrintStream out = terminal.out();
        if (client.isPresent()) {
            ClientPlugin plugin = client.get().plugin();
            out.println(plugin.id() + " - " + plugin.summary());
            out.println("client plugin, " + client.get().source() + "; default for the schemes "
                    + String.join(" ", plugin.schemes().stream().sorted().toList()));
            parameters("client.with", plugin.parameters());
            metrics(plugin.metrics());
        }
        if (testbed.isPresent()) {
            TestbedPlugin plugin = testbed.get().plugin();
            out.println(plugin.id() + " - " + plugin.summary());
            out.println("testbed plugin, " + testbed.get().source());
            parameters("testbed, besides kind, testers, java and jvm", plugin.parameters());
        }
    }

    private void parameters(String where, List<Parameter> parameters) {
        terminal.out().println();
        if (parameters.isEmpty()) {
            terminal.out().println("No parameters (" + where + ").");
            return;
        }
        terminal.out().println("Parameters (" + where + "):");
        List<List<String>> rows = new ArrayList<>();
        for (Parameter parameter : parameters) {
            String type = parameter.allowed().isEmpty()
                    ? parameter.type().description()
                    : String.join(" | ", parameter.allowed());
            String unit = parameter.unit().isEmpty() ? "" : ", " + parameter.unit();
            String given = parameter.required()
                    ? "required"
                    : parameter.fallback() == null ? "optional" : "default " + parameter.fallback();
            rows.add(List.of(parameter.name(), type + unit, given, parameter.help()));
        }
        table(terminal.out(), rows);
    }

    private void metrics(List<Metric> metrics) {
        if (metrics.isEmpty()) {
            return;
        }
        terminal.out().println();
        terminal.out().println("Metrics of its calls:");
        List<List<String>> rows = new ArrayList<>();
        for (Metric metric : metrics) {
            rows.add(List.of(metric.name(), metric.unit(), metric.help()));
        }
        table(terminal.out(), rows);
    }

    /** Prints rows in columns that are as wide as they need to be. */
    private static void table(PrintStream out, List<List<String>> rows) {
        if (rows.isEmpty()) {
            out.println("  none");
            return;
        }
        int columns = rows.get(0).size();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int c = 0; c < columns; c++) {
                int column = c;
                int width =
                        rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
                line.append(' ').append(row.get(c));
                if (c + 1 < columns) {
                    line.append(" ".repeat(width - row.get(c).length() + 1));
                }
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
