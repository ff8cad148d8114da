package org.diperf.controller.cli;

import java.util.List;
import java.util.Map;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.run.ScriptPlugins;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plugin.Registry.Found;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes one call and shows it. */
@Command(
        name = "try",
        description = {
            "Makes one call from an experiment, after the steps that precede it, using the same engine as a run. "
                    + "Shows the request, the answer (header and body in full), captured values, and how long it "
                    + "took. Secret values are masked.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf try localhost:8080/orders/1",
            "  diperf try orders.yml",
            "  diperf try orders.yml --request order --set load.timeout=2s",
            "",
            "Exit codes: 0 the call succeeded, 2 bad usage or experiment file, 3 it failed.",
        })
final class TryCommand extends ResultCommand {

    @Mixin
    ExperimentOptions asked;

    @Option(
            names = "--request",
            paramLabel = "NAME",
            description = "Request from the experiment's mix to send. Default: the first client's first request.")
    @Nullable
    String request;

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        String what = asked.what;
        if (what == null) {
            throw new UsageException(
                    "try: expected an experiment file or a URL, for example: diperf try localhost:8080");
        }
        Rows out = new Rows(stdout());
        try (PluginOptions.Loaded loaded = pluginOptions.load(what)) {
            ExperimentFile.Content content = Commands.hidden(asked.open(what, loaded.plugins()), spec);
            Experiment experiment = content.first().experiment();
            Found<ClientPlugin> client = loaded.plugins()
                    .clients()
                    .find(experiment.client().plugin())
                    .orElseThrow(() -> new UsageException(
                            "No client plugin " + experiment.client().plugin()));
            boolean hasOwnNetwork = loaded.plugins()
                    .testbeds()
                    .plugin(experiment.testbed().kind())
                    .map(TestbedPlugin::hasOwnNetwork)
                    .orElse(false);
            if (hasOwnNetwork) {
                throw new UsageException(
                        "try: the call is made from this machine, which is outside the network of a testbed of kind "
                                + experiment.testbed().kind() + "; run the experiment with a few calls instead");
            }
            Script script = chosen(experiment.script());
            out.print(experiment.name() + " · " + experiment.targets().each().get(0) + " · "
                    + client.plugin().id());
            Map<String, ClientPlugin> known = ScriptPlugins.plugins(experiment, loaded.plugins());
            script.before().forEach(step -> asks("before", step, client.plugin(), known, out));
            if (script.requests().isEmpty()) {
                asks(
                        "asks",
                        "",
                        CheckCommand.chosen(client.plugin(), experiment.client().with()),
                        out);
            }
            String head =
                    !script.journeys().isEmpty() ? "step" : script.requests().size() > 1 ? "one of" : "asks";
            script.requests().forEach(each -> asks(head, each, client.plugin(), known, out));
            boolean ok = new SingleCallText(out).make(experiment, loaded.plugins(), script);
            if (!ok && experiment.service() != null) {
                out.row("service", "'run' starts it, 'try' does not: start it first");
            }
            result(Map.of("ok", ok, "rows", out.all()));
            return ok ? ExitCode.DONE : ExitCode.NOT_CARRIED_OUT;
        }
    }

    /** Leaves of a mix the request that is asked for. */
    private Script chosen(Script script) throws UsageException {
        if (request == null) {
            return script;
        }
        List<RequestSettings> found = script.requests().stream()
                .filter(each -> each.name().equals(request))
                .toList();
        if (found.isEmpty()) {
            List<String> names =
                    script.requests().stream().map(RequestSettings::name).toList();
            throw new UsageException("--request: expected one of " + names + ", got '" + request + "'"
                    + NearestName.suggestion(request, names));
        }
        return script.with(found);
    }

    private static void asks(
            String head, RequestSettings request, ClientPlugin own, Map<String, ClientPlugin> known, Rows out) {
        ClientPlugin plugin = known.getOrDefault(request.plugin(), own);
        asks(head, request.name(), CheckCommand.chosen(plugin, request.with()), out);
    }

    /** Says what a request is, as the file has it: what is filled in per call is not yet. */
    private static void asks(String head, String name, Map<String, Object> with, Rows out) {
        if (!name.isEmpty()) {
            out.row(head, name);
        }
        with.forEach((parameter, value) ->
                out.row(name.isEmpty() ? head : "", parameter + ": " + CheckCommand.words(value)));
    }
}
