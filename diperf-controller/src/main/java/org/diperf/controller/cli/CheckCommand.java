package org.diperf.controller.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.experiment.ExperimentGrid;
import org.diperf.controller.fleet.Candidate;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.NodeSurvey;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.NameLookup;
import org.diperf.controller.run.ScriptPlugins;
import org.diperf.controller.service.ServiceUnderTest;
import org.diperf.controller.testbed.EventsAfterLoad;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.plan.Journey;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.plugin.Registry.Found;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.spi.Url;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what an experiment would do. */
@Command(
        name = "check",
        description = {
            "Reads an experiment file or the options of 'run URL', finds its plugins and probes its target. "
                    + "Shows what a run would do: the timeline, the testers, and what each tester receives. Generates "
                    + "no load.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf check orders.yml",
            "  diperf check localhost:8080 --rate 200              what 'run' with these arguments would do",
            "  diperf check orders.yml --call --set client.with.path=/orders/1     make one call and show it",
            "",
            "Exit codes: 0 the experiment can run; 2 bad usage or experiment file;",
            "3 the target is unreachable, the service that the run should start is already running,",
            "too few nodes qualify, or the call made by --call failed.",
        })
final class CheckCommand extends ResultCommand {

    private static final Duration PROBE = Duration.ofSeconds(5);

    @Mixin
    ExperimentOptions asked;

    @Option(names = "--call", description = "Also make one call, and show it as 'diperf try' does.")
    boolean call;

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        Rows out = new Rows(stdout());
        String what = asked.what;
        if (what == null) {
            throw new UsageException("check: specify an experiment file or a URL (FILE.yml|URL)");
        }
        try (PluginOptions.Loaded loaded = pluginOptions.load(what)) {
            Plugins plugins = loaded.plugins();
            warnOfBroken(plugins);
            ExperimentFile.Content content = Commands.hidden(asked.open(what, plugins), spec);
            Experiment experiment = content.first().experiment();
            Found<ClientPlugin> client = client(experiment, plugins);
            describe(experiment, client, loaded, out);
            inArguments(experiment, client.plugin()).forEach(warning -> out.row("warning", warning));
            wholeCookies(experiment.script()).forEach(warning -> out.row("warning", warning));
            ExperimentGrid grid = content.grid();
            if (grid != null) {
                out.print("");
                out.row("", "the above is the first point of a grid:");
                GridSession.describe(grid).forEach((name, value) -> out.row(name, value));
            }
            TestbedPlugin testbed = testbed(experiment, plugins);
            if (call && testbed.hasOwnNetwork()) {
                throw new UsageException(
                        "check: --call sends its call from this machine, which is outside the network of a"
                                + " testbed of kind " + testbed.id()
                                + "; drop it, or run the experiment with a few calls");
            }
            testbed.describe(Parameters.read(
                            testbed.parameters(), experiment.testbed().with(), experiment.seed()))
                    .forEach(line -> out.row("network", line));
            EventsAfterLoad.of(experiment, testbed).forEach(warning -> out.row("warning", warning));
            boolean placed = nodes(experiment, loaded, out);
            boolean reached = true;
            boolean comes = true;
            for (Experiment point : points(content)) {
                boolean there = testbed.hasOwnNetwork() || probe(point, plugins, out);
                reached &= there;
                ServiceSettings service = point.service();
                comes &= service == null ? there : starts(service, testbed.hasOwnNetwork(), out);
            }
            boolean answered =
                    !call || !reached || new SingleCallText(out).make(experiment, plugins, experiment.script());
            boolean ready = placed && comes && answered;
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("ready", ready);
            result.put("experiment", content.keys());
            result.put("rows", out.all());
            result(result);
            return ready ? ExitCode.DONE : ExitCode.NOT_CARRIED_OUT;
        }
    }

    private static Found<ClientPlugin> client(Experiment experiment, Plugins plugins) throws UsageException {
        return plugins.clients()
                .find(experiment.client().plugin())
                .orElseThrow(() -> new UsageException(
                        "No client plugin " + experiment.client().plugin()));
    }

    private static TestbedPlugin testbed(Experiment experiment, Plugins plugins) throws UsageException {
        return plugins.testbeds()
                .plugin(experiment.testbed().kind())
                .orElseThrow(() -> new UsageException(
                        "No testbed of kind " + experiment.testbed().kind()));
    }

    private static void describe(
            Experiment experiment, Found<ClientPlugin> client, PluginOptions.Loaded loaded, Rows out) {
        out.print(Headline.of(experiment));
        out.print("");
        out.row("client", client.plugin().id() + " (" + client.source() + ")");
        chosen(client.plugin(), experiment.client().with())
                .forEach((name, value) -> out.row("with", name + ": " + words(value)));
        out.row(
                "testbed",
                experiment.testbed().kind() + ", "
                        + (experiment.testbed().testers() == 0
                                ? "as many testers as its nodes allow"
                                : Numbers.count(experiment.testbed().testers(), "tester"))
                        + ", "
                        + most(experiment.load()));
        out.row("each gets", "diperf-tester.jar" + (loaded.jars().isEmpty() ? "" : ", " + loaded.jars()));
        requests(experiment.script(), out);
        data(experiment.script(), out);
        Timeline.of(experiment.load()).forEach(line -> out.row("timeline", line));
        experiment.thresholds().forEach(threshold -> out.row("threshold", words(threshold)));
    }

    /** Returns the parameters that have other values than a plugin gives them by itself, in its order. */
    static Map<String, Object> chosen(ClientPlugin plugin, Map<String, Object> with) {
        Map<String, Object> chosen = new LinkedHashMap<>();
        for (Parameter parameter : plugin.parameters()) {
            Object given = with.get(parameter.name());
            if (given != null && !words(given).equals(parameter.fallback())) {
                chosen.put(parameter.name(), given);
            }
        }
        return chosen;
    }

    /** Writes a value on a line: a mapping such as headers as in a file, a list's values with commas between them. */
    static String words(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + words(entry.getValue()))
                    .collect(Collectors.joining(", "));
        }
        return value instanceof Collection<?> list
                ? list.stream().map(CheckCommand::words).collect(Collectors.joining(", "))
                : String.valueOf(value);
    }

    private static String words(Threshold threshold) {
        return threshold.that()
                + (threshold.abort()
                        ? "; ends the run on failure, checked every " + Quantity.format(threshold.every())
                                + (threshold.after().isZero() ? "" : ", after " + Quantity.format(threshold.after()))
                        : "");
    }

    /** Says how much there can be at a time. */
    private static String most(LoadSettings load) {
        return switch (load.model()) {
            case "closed" ->
                Numbers.count(load.clients(), "client") + (load instanceof LoadSettings.Single ? "" : " at most");
            case "open" -> Numbers.count(load.clients(), "call") + " in flight at most";
            default -> Numbers.count(load.clients()) + " clients and calls in flight at most";
        };
    }

    /** Says of which parameters the process list would show secrets. */
    private static Set<String> inArguments(Experiment experiment, ClientPlugin plugin) {
        List<Map<String, Object>> all =
                new ArrayList<>(List.of(experiment.client().with()));
        experiment.script().requests().forEach(request -> all.add(request.with()));
        experiment.script().before().forEach(step -> all.add(step.with()));
        Set<String> warnings = new LinkedHashSet<>();
        for (Parameter parameter : plugin.parameters()) {
            boolean shows = all.stream()
                    .map(with -> String.valueOf(with.get(parameter.name())))
                    .anyMatch(value -> value.contains("${secret:"));
            if (parameter.isArguments() && shows) {
                warnings.add("'" + parameter.name()
                        + "' contains a secret, which any user on a tester's machine can read in its process list: "
                        + "pass "
                        + "it to the program with env: or on its standard input instead");
            }
        }
        return warnings;
    }

    /** Says what is captured of cookies that no client would send back. */
    private static List<String> wholeCookies(Script script) {
        List<String> warnings = new ArrayList<>();
        script.calls()
                .forEach(step -> step.capture().forEach((name, from) -> {
                    if (from.replace(" ", "").equalsIgnoreCase("header:set-cookie")) {
                        warnings.add("'" + name + "' of '" + step.name() + "' is a cookie with its attributes, such as"
                                + " Path and HttpOnly: capture its value with cookie:NAME, and send Cookie: NAME=${"
                                + name + "}");
                    }
                }));
        return warnings;
    }

    private static void requests(Script script, Rows out) {
        script.before()
                .forEach(step -> out.row(
                        "before",
                        step.name()
                                + (step.capture().isEmpty()
                                        ? ""
                                        : ", captures " + words(step.capture().keySet()))));
        if (!script.journeys().isEmpty()) {
            journeys(script, out);
            return;
        }
        double all =
                script.requests().stream().mapToDouble(RequestSettings::weight).sum();
        script.requests()
                .forEach(request -> out.row(
                        "request",
                        String.format(
                                Locale.ROOT,
                                "%s, %.1f %% of the calls",
                                request.name(),
                                100 * request.weight() / all)));
    }

    private static void journeys(Script script, Rows out) {
        double all = script.journeys().stream().mapToDouble(Journey::weight).sum();
        for (Journey journey : script.journeys()) {
            String steps =
                    String.join(", ", script.groups().get(journey.group()).requests());
            out.row(
                    "journey",
                    journey.weight() > 0
                            ? String.format(
                                    Locale.ROOT,
                                    "%s, %.1f %% of the iterations: %s",
                                    journey.name(),
                                    100 * journey.weight() / all,
                                    steps)
                            : journey.name() + ", within others: " + steps);
        }
    }

    private static void data(Script script, Rows out) {
        script.data()
                .forEach(data -> out.row(
                        "data",
                        data.name() + ", "
                                + data.give().name().toLowerCase(Locale.ROOT).replace('_', '-') + ": " + data.file()));
    }

    /** Says which nodes would be used, and of the others why not. */
    private static boolean nodes(Experiment experiment, PluginOptions.Loaded loaded, Rows out)
            throws RunFailedException, IOException, InterruptedException {
        Fleet fleet = NodeSurvey.look(experiment, loaded.plugins(), loaded.jars(), line -> {})
                .orElse(null);
        if (fleet == null) {
            return true;
        }
        for (Candidate candidate : fleet.candidates()) {
            out.row(
                    "node",
                    candidate.node().name()
                            + (candidate.chosen() ? " is used" : " is not used: " + candidate.reason()));
        }
        out.row("nodes", NodeRows.conclusion(fleet));
        return fleet.isEnough();
    }

    /** Returns the experiment, or those points of a grid that differ in their targets or in where their service is to answer. */
    private static Collection<Experiment> points(ExperimentFile.Content content) {
        ExperimentGrid grid = content.grid();
        if (grid == null) {
            return List.of(content.first().experiment());
        }
        Map<List<Object>, Experiment> different = new LinkedHashMap<>();
        for (ExperimentFile.Resolved point : grid.resolved()) {
            Experiment experiment = point.experiment();
            ServiceSettings service = experiment.service();
            different.putIfAbsent(
                    List.of(Set.copyOf(experiment.targets().each()), service == null ? "" : service.ready()),
                    experiment);
        }
        return different.values();
    }

    /** Says whether each target is there. */
    private static boolean probe(Experiment experiment, Plugins plugins, Rows out) throws UsageException {
        int first = experiment.script().firstOwn();
        if (first < 0) {
            return true;
        }
        ClientPlugin plugin = client(experiment, plugins).plugin();
        Parameters with = ScriptPlugins.parameters(experiment, plugins).get(first);
        boolean all = true;
        boolean isStarted = experiment.service() != null;
        for (Url target : experiment.targets().each()) {
            try {
                plugin.probe(target, with, PROBE);
                String found = isStarted ? " is already running" : " can be reached";
                out.row(
                        "target",
                        target + (isLookedAt(plugin, target) ? found : " is not probed: it has no host and port"));
                String several = NameLookup.several(target);
                if (!several.isEmpty()) {
                    out.row("", several);
                }
            } catch (IOException e) {
                out.row("target", target + (isStarted ? " is not running yet" : ": " + e.getMessage()));
                all = false;
            }
        }
        return all;
    }

    /** Returns whether the look at a target is its plugin's own, or one that connects. */
    private static boolean isLookedAt(ClientPlugin plugin, Url target) {
        try {
            Class<?> from = plugin.getClass()
                    .getMethod("probe", Url.class, Parameters.class, Duration.class)
                    .getDeclaringClass();
            return from != ClientPlugin.class || target.host() != null && target.port() >= 0;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Says whether a run would start its service, which it does only where nothing answers in its place. */
    private static boolean starts(ServiceSettings service, boolean ownNetwork, Rows out)
            throws IOException, InterruptedException {
        boolean answered = ServiceUnderTest.isAnswered(service, ownNetwork);
        out.row(
                "service",
                answered
                        ? "something already answers at " + service.ready()
                                + ", but the run should start the service: stop it, or remove 'service'"
                        : "the run starts it on " + service.on() + ": " + service.start());
        return !answered;
    }
}
