package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.RelaySettings;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.TestbedPlugin;

/** Declares every key of the experiment file: the one place where they stand. */
final class ExperimentShape {

    static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    private ExperimentShape() {}

    static Fields of(KnownPlugins plugins) {
        return of(plugins, Names.NONE, false);
    }

    /**
     * Declares the keys of one file.
     *
     * @param names that texts of its clients may use
     * @param mixed whether parameters that must be given may be given for each request instead
     */
    static Fields of(KnownPlugins plugins, Names names, boolean mixed) {
        Fields measure = measure();
        Fields report = report();
        Fields controller = controller();
        Fields clock = clock();
        return Fields.of(
                        "an experiment",
                        Key.optional(
                                "name",
                                Scalar.text("letters, digits, dots, hyphens and underscores, at most 100", NAME),
                                "name of the experiment; default: the file's name"),
                        Key.withDefault(
                                "labels",
                                new Shapes.TextMap("names with texts"),
                                Map.of(),
                                "any labels; they are copied into the results"),
                        Key.optional(
                                "seed",
                                Scalar.whole("", Long.MIN_VALUE, Long.MAX_VALUE),
                                "determines every random choice of the run; default: a new one, which is recorded"),
                        Key.required(
                                "target",
                                new Shapes.WordOrMapping(Quantities.uri(), target()),
                                "the service under test, or several"),
                        Key.optional(
                                "client",
                                client(plugins.clients(), names, mixed),
                                "what makes the calls; default: the plugin for the URI's scheme"),
                        Key.optional(
                                "data", RequestKeys.data(), "files whose rows can be used in texts: ${NAME.COLUMN}"),
                        Key.optional(
                                "service",
                                service(),
                                "how the run starts and stops the service under test; default: it is already running"),
                        Key.optional("testbed", testbed(plugins.testbeds()), "where testers (load generators) run"),
                        Key.withDefault(
                                "deploy",
                                new DeployShape(),
                                Map.of(),
                                "files sent to testers on other machines, into their working folder under the same"
                                        + " relative paths; relative to the experiment file"),
                        Key.optional(
                                "load",
                                LoadForms.load(),
                                "the load to offer; all numbers are for the whole run, never per tester"),
                        Key.optional(
                                "groups",
                                GroupsBuilder.shape(),
                                "instead of load: groups of testers side by side, each with its own load"),
                        Key.withDefault(
                                "measure", measure, measure.defaults(), "part of the run that the numbers cover"),
                        Key.withDefault(
                                "thresholds", thresholds(), List.of(), "conditions that must hold over 'measure'"),
                        Key.withDefault("report", report, report.defaults(), "how the report shows the run"),
                        Key.withDefault(
                                "controller", controller, controller.defaults(), "how testers reach the controller"),
                        Key.withDefault("clock", clock, clock.defaults(), "how testers' clocks are compared"),
                        Key.withDefault(
                                "capture",
                                capture(),
                                capture().defaults(),
                                "calls that page and report show whole, with what was said in them; 0: none"),
                        Key.optional(
                                "trace",
                                TraceKeys.shape(),
                                "w3c: requests carry ids by which a tracing system knows them, and which export tells"),
                        Key.withDefault(
                                "unreachable",
                                Scalar.oneOf(List.of("stop", "continue")),
                                "stop",
                                "whether the run starts even if a target cannot be reached"),
                        Key.withDefault(
                                "monitors",
                                MonitorKeys.shape(plugins.monitors()),
                                List.of(),
                                "what observes the service from its own side; a monitor that fails never fails the"
                                        + " run"),
                        Key.optional(
                                "outputs",
                                OutputKeys.shape(),
                                "where numbers go while the run is under way, beside its folder"))
                .and(GridShape.keys())
                .needing("load", "groups");
    }

    private static Fields capture() {
        return Fields.of(
                "calls to show",
                Key.withDefault(
                        "failures",
                        Scalar.whole("a number of calls", 0, CaptureSettings.MOST),
                        3L,
                        "how many of each cause of failure, the first ones"),
                Key.withDefault(
                        "slowest",
                        Scalar.whole("a number of calls", 0, CaptureSettings.MOST),
                        5L,
                        "how many ok calls, the slowest ones"));
    }

    private static Fields target() {
        return Fields.of(
                "targets",
                Key.required(
                        "each",
                        new Shapes.ListOf<>("a list of at least one URI", Quantities.uri(), 1),
                        "the services, in order"),
                Key.withDefault(
                        "assign",
                        Scalar.oneOf(List.of("round-robin", "one-to-one", "all-to-all")),
                        "round-robin",
                        "round-robin: unit i calls target i mod m; one-to-one: unit j calls target j; all-to-all: call"
                                + " k of client i goes to target (i + k) mod m"),
                Key.withDefault(
                        "per",
                        Scalar.oneOf(List.of("client", "tester", "host")),
                        "client",
                        "what a unit is: a client, a tester, or a machine that runs testers"));
    }

    private static Fields service() {
        Scalar<String> command = Scalar.text("a command of the shell", "(?s).*\\S.*");
        return Fields.of(
                "a service to start",
                Key.withDefault(
                        "on",
                        Scalar.text("the name of a machine", "\\S+"),
                        ServiceSettings.LOCAL,
                        "machine to run it on: local, or one of the testbed"),
                Key.required("start", command, "shell command that starts it; it is stopped at the end of the run"),
                Key.optional(
                        "ready",
                        Scalar.text(
                                "tcp://HOST:PORT, http://..., https://... or log:TEXT",
                                "tcp://[^/:\\s]+:[0-9]{1,5}/?|https?://[^/\\s]+\\S*|log:.*\\S.*"),
                        "sign that it is ready: a port that accepts connections, a page that answers with 200 to 399,"
                                + " or a text in its output (log:TEXT); default: the port of the first target"),
                Key.withDefault(
                        "ready-within",
                        Quantities.duration(true),
                        Duration.ofSeconds(60),
                        "how long it may take to become ready"),
                Key.optional("stop", command, "shell command that stops it; default: SIGTERM"),
                Key.withDefault(
                        "deploy",
                        new Shapes.ListOf<>(
                                "a list of files and folders", Scalar.text("the path of a file or folder", "\\S.*"), 0),
                        List.of(),
                        "files and folders that are copied to where it starts; relative to the experiment file"),
                Key.withDefault(
                        "env", new Shapes.TextMap("names with texts"), Map.of(), "additional environment variables"));
    }

    private static Shape<?> client(List<ClientPlugin> plugins, Names names, boolean mixed) {
        Map<String, Fields> variants = new LinkedHashMap<>();
        for (ClientPlugin plugin : plugins) {
            List<Key<?>> parameters = parameters(plugin.parameters(), names);
            if (mixed) {
                parameters = parameters.stream().<Key<?>>map(Key::notRequired).toList();
            }
            Fields with = new Fields("parameters of '" + plugin.id() + "'", parameters, Map.of(), List.of());
            boolean anyRequired = !mixed && plugin.parameters().stream().anyMatch(Parameter::required);
            String help = "parameters; see `plugins " + plugin.id() + "`";
            variants.put(
                    plugin.id(),
                    Fields.of(
                                    "a client",
                                    Key.withDefault(
                                            "plugin",
                                            Scalar.oneOf(List.of(plugin.id())),
                                            plugin.id(),
                                            plugin.summary()),
                                    anyRequired
                                            ? Key.required("with", with, help)
                                            : Key.withDefault("with", with, with.defaults(), help))
                            .and(RequestKeys.ofClient(plugin, plugins, names)));
        }
        return new Shapes.ByWord(
                "a client such as {plugin: http}",
                "plugin",
                "client plugin; default: the one for the URI's scheme",
                "client plugin",
                null,
                variants);
    }

    private static Shape<?> testbed(List<TestbedPlugin> plugins) {
        Map<String, Fields> variants = new LinkedHashMap<>();
        for (TestbedPlugin plugin : plugins) {
            Fields testers = Fields.of(
                    "a testbed",
                    Key.withDefault("kind", Scalar.oneOf(List.of(plugin.id())), plugin.id(), plugin.summary()));
            Fields common = testers.and(FleetKeys.of(plugin.hasNodes()))
                    .and(List.of(
                            Key.optional(
                                    "java",
                                    Scalar.text("the command that starts Java", "\\S.*"),
                                    "Java command of the testers; default: the Java that runs the controller, on other"
                                            + " machines java"),
                            Key.optional(
                                    "jvm",
                                    new Shapes.ListOf<>(
                                            "a list of JVM flags", Scalar.text("a flag such as -Xmx256m", "-.+"), 0),
                                    "the testers' JVM flags; default: an explicit collector and a fixed heap"),
                            Key.withDefault(
                                    "loops",
                                    Scalar.whole("loops", 0, 1_000),
                                    (long) LoopSettings.DEFAULT.loops(),
                                    "event loops per tester; 0: one per processor that it may use"),
                            Key.withDefault(
                                    "io",
                                    Scalar.oneOf(List.of("auto", "epoll", "nio", "io-uring")),
                                    "auto",
                                    "I/O mechanism of a tester's sockets; auto: epoll if it loads, otherwise nio"),
                            Key.withDefault(
                                    "spin",
                                    Quantities.duration(false),
                                    Duration.ofNanos(LoopSettings.DEFAULT.spinNanos()),
                                    "how long before a call is due a tester stops sleeping and spins; longer is more"
                                            + " exact and costs processor time")));
            // A kind that reaches its nodes by other ways too has the key itself.
            boolean hasTransport = plugin.parameters().stream()
                    .anyMatch(parameter -> parameter.name().equals(TRANSPORT));
            if (!hasTransport) {
                common = common.and(List.of(Key.withDefault(
                        TRANSPORT,
                        Scalar.oneOf(List.of("tcp", UDP)),
                        "tcp",
                        "how samples get to the controller: tcp, or udp for very many testers (sealed datagrams)")));
            }
            Set<String> taken = Set.copyOf(common.names());
            variants.put(
                    plugin.id(),
                    common.and(parameters(plugin.parameters()).stream()
                            .filter(key -> !taken.contains(key.name()))
                            .toList()));
        }
        return new Shapes.ByWord(
                "a testbed such as {kind: local, testers: 2}", "kind", "kind of testbed", "kind", "local", variants);
    }

    static List<Key<?>> parameters(List<Parameter> parameters) {
        return parameters(parameters, Names.NONE);
    }

    static List<Key<?>> parameters(List<Parameter> parameters, Names names) {
        List<Key<?>> keys = new ArrayList<>();
        for (Parameter parameter : parameters) {
            keys.add(Shapes.PluginParameter.key(parameter, names));
        }
        return keys;
    }

    private static Fields measure() {
        return Fields.of(
                "what to measure",
                Key.withDefault(
                        "window",
                        Quantities.window(),
                        new Quantities.Window("peak", Duration.ZERO, Duration.ZERO),
                        "whole: the whole run; peak: while all clients run or, in open load, at the full rate; or"
                                + " FROM..TO after the start"),
                Key.withDefault(
                        "skip",
                        Quantities.duration(false),
                        Duration.ZERO,
                        "time to leave out at the start of the window"));
    }

    private static Shape<List<Object>> thresholds() {
        Fields full = Fields.of(
                "a threshold",
                Key.required("that", Quantities.expression(), "what must hold"),
                Key.withDefault(
                        "every",
                        Quantities.duration(false),
                        Duration.ZERO,
                        "how often to check it during the run, each time over the time since the last check; 0s:"
                                + " once, at the end"),
                Key.withDefault("after", Quantities.duration(false), Duration.ZERO, "when checks during the run start"),
                Key.withDefault("abort", Scalar.bool(), false, "whether the run ends as soon as it does not hold"));
        return new Shapes.ListOf<>("a list of thresholds", new Shapes.WordOrMapping(Quantities.expression(), full), 0);
    }

    private static Fields report() {
        return Fields.of(
                "a report",
                Key.withDefault(
                        "quantum", Quantities.duration(true), Duration.ofSeconds(1), "time per point of a series"),
                Key.withDefault(
                        "smooth",
                        Quantities.smooth(),
                        new Quantities.Smooth(Duration.ofSeconds(60), 0),
                        "width of the moving average: 60s, or '60 points'"),
                Key.withDefault(
                        "rate",
                        Scalar.oneOf(List.of("per-second", "per-minute")),
                        "per-second",
                        "unit of displayed rates"),
                Key.withDefault("figures", FigureKeys.figures(), List.of(), "additional figures of values over time"));
    }

    private static Fields clock() {
        return Fields.of(
                "the clock",
                Key.withDefault(
                        "sync",
                        Quantities.every(),
                        new Quantities.Every(Duration.ZERO),
                        "how often a tester compares its clock with the controller's; auto: as often as needed"));
    }

    /** The key and the word for sealed datagrams. */
    static final String TRANSPORT = "transport";

    static final String UDP = "udp";

    /** The words for where the controller keeps samples. */
    static final String DISK = "disk";

    static final String MEMORY = "memory";

    private static Fields controller() {
        return Fields.of(
                "the controller",
                Key.optional(
                        "listen",
                        Scalar.text("an address", "[A-Za-z0-9.:_-]+"),
                        "address to listen on; default: 127.0.0.1 if testers run on this machine, otherwise"
                                + " 0.0.0.0"),
                Key.optional(
                        "advertise",
                        Scalar.text("a host name or address", "[A-Za-z0-9.:_-]+"),
                        "name or address by which testers reach the controller; default: derived from 'listen'"),
                Key.withDefault("ports", Quantities.ports(), new Quantities.Ports(0, 0), "ports to try: A-B, or any"),
                Key.withDefault(
                        "lease",
                        Quantities.duration(true),
                        Duration.ofSeconds(10),
                        "how long a tester keeps calling without contact to its controller"),
                Key.withDefault(
                        "collect",
                        Scalar.oneOf(List.of(DISK, MEMORY)),
                        DISK,
                        "where samples are kept during the run: disk, or memory if disk writes would disturb it"),
                Key.optional(
                        "relays",
                        new Shapes.ListOf<>("a list of relays", relay(), 1),
                        "relays through which testers reach the controller, each HOST:PORT, HOST:PORT via HOST:PORT of"
                                + " an earlier one, or HOST:PORT dialled [at HOST:PORT], to which the controller"
                                + " connects; testers are spread over those that no other relay"
                                + " uses. Start each with: diperf relay --ticket RUN_DIR/control/relay-N.ticket"));
    }

    private static Scalar<String> relay() {
        String expected = "a relay as HOST:PORT, HOST:PORT via HOST:PORT, or HOST:PORT dialled";
        return new Scalar<>(
                expected,
                text -> {
                    if (!text.matches(RelaySettings.PATTERN)) {
                        throw Scalar.unwanted(expected, text);
                    }
                    return text;
                },
                value -> value,
                Scalar.patterned(RelaySettings.PATTERN));
    }
}
