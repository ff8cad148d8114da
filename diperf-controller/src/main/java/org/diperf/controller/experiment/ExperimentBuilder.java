package org.diperf.controller.experiment;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.core.experiment.ClientSettings;
import org.diperf.core.experiment.ClockSettings;
import org.diperf.core.experiment.ControllerSettings;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Measure;
import org.diperf.core.experiment.MonitorSettings;
import org.diperf.core.experiment.OutputSettings;
import org.diperf.core.experiment.RelaySettings;
import org.diperf.core.experiment.ReportSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.experiment.TestbedSettings;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Targets;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Makes the experiment from the values of its file: fills in the defaults that depend on other values and checks what
 * goes together. Confined to one thread, used once.
 */
final class ExperimentBuilder {

    /** Parameters of testbeds hold no texts that are drawn by a seed. */
    private static final long NO_SEED = 0;

    /** Keys that testbeds of all kinds have, besides those of {@link FleetKeys}. */
    private static final Set<String> COMMON = Set.of("kind", "testers", "java", "jvm", "loops", "io", "spin");

    /** Few background threads and no growing heap, so that a tester disturbs neither itself nor its neighbours. */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    private final Map<String, Object> values;
    private final Node root;
    private final String source;
    private final KnownPlugins plugins;
    private final Environment environment;
    private final FileNames names;
    private final Problems problems;

    /**
     * @param values as the shape read them; the derived defaults are added
     * @param root where they stand
     * @param source name of the file
     * @param names that texts of its clients may use
     */
    ExperimentBuilder(
            Map<String, Object> values,
            Node root,
            String source,
            KnownPlugins plugins,
            Environment environment,
            FileNames names,
            Problems problems) {
        this.values = values;
        this.root = root;
        this.source = source;
        this.plugins = plugins;
        this.environment = environment;
        this.names = names;
        this.problems = problems;
    }

    /** Makes the experiment; {@code null} where there are problems. */
    @Nullable
    Experiment build() {
        values.putIfAbsent("name", nameFrom(source));
        if (!values.containsKey("seed")) {
            values.put("seed", environment.seed().getAsLong());
        }
        Map<String, Object> testbed = copyOf("testbed");
        Map<String, Object> controller = copyOf("controller");
        TestbedPlugin kind = plugins.testbed(get(testbed, "kind", String.class));
        fillIn(testbed, controller, kind);
        FleetKeys.fillIn(testbed, this::problem);
        boolean hasNodes = kind != null && kind.hasNodes();
        FleetSettings fleet = FleetKeys.choice(testbed, hasNodes);
        GroupsBuilder offered = new GroupsBuilder(values, this::problem);
        if (offered.hasGroups()) {
            countGroups(testbed, offered.testers());
        }
        int testers = FleetKeys.testers(testbed);
        LoadSettings load = offered.build(testers);
        Targets targets = targets();
        if (load == null) {
            return null;
        }
        FleetKeys.check(fleet, testers, load, this::problem);
        if (testers > 0) {
            TesterCounts.problems(targets, load, testers, TesterCounts.UNKNOWN).forEach(this::problem);
        }
        Measure measure = measure(load);
        List<Threshold> thresholds = thresholds();
        ReportSettings report = report();
        Map<String, Path> deploy = deploy();
        ServiceSettings service = null;
        if (values.containsKey("service")) {
            Map<String, Object> started = copyOf("service");
            placeService(started, testbed, kind);
            service = new ServiceBuilder(started, source, this::problem)
                    .build(targets.each().get(0));
        }
        List<MonitorSettings> monitors = MonitorKeys.choices(values, this::problem);
        List<OutputSettings> outputs = OutputKeys.choices(values, plugins.outputs(), this::problem);
        String relayProblem = RelaySettings.problem(relays(controller));
        if (!relayProblem.isEmpty()) {
            problem("controller.relays", relayProblem);
        }
        Script script = RequestKeys.script(values, source, names, load, plugins, this::problem)
                .with(TraceKeys.choice(values, plugins.client(client().plugin()), this::problem));
        new ThresholdKeys(
                        script.requestNames(),
                        script.groups().stream().map(CallGroup::name).toList(),
                        load,
                        plugins.client(client().plugin()),
                        !monitors.isEmpty(),
                        this::problem)
                .check(thresholds);
        if (problems.any()) {
            return null;
        }
        return new Experiment(
                get(values, "name", String.class),
                labels(),
                get(values, "seed", Long.class),
                targets,
                client(),
                new TestbedSettings(
                        get(testbed, "kind", String.class),
                        testers,
                        get(testbed, "java", String.class),
                        texts(testbed.get("jvm")),
                        new LoopSettings(
                                (int) (long) get(testbed, "loops", Long.class),
                                LoopSettings.Io.valueOf(constant(get(testbed, "io", String.class))),
                                get(testbed, "spin", Duration.class).toNanos()),
                        fleet,
                        others(testbed, hasNodes, kind)),
                load,
                offered.spread(),
                measure,
                thresholds,
                report,
                controllerChoice(controller, ExperimentShape.UDP.equals(testbed.get(ExperimentShape.TRANSPORT))),
                new ClockSettings(
                        get(copyOf("clock"), "sync", Quantities.Every.class).period()),
                get(values, "unreachable", String.class).equals("continue"),
                deploy,
                service,
                monitors,
                outputs,
                script);
    }

    /** There are as many testers as the groups want: the file may leave that to them. */
    private void countGroups(Map<String, Object> testbed, long expected) {
        boolean given = Node.find(root, "testbed.testers") != null;
        if (given && !Long.valueOf(expected).equals(testbed.get("testers"))) {
            problem(
                    "testbed.testers",
                    "expected as many testers as the groups have together (" + expected + "), got "
                            + testbed.get("testers") + "; leave it out, or change the 'testers' of a group");
        }
        testbed.put("testers", expected);
    }

    /** Makes a name of a file's: what no name may hold becomes a hyphen. */
    static String nameFrom(String source) {
        String file = source.replaceFirst(".*[/\\\\]", "").replaceFirst("(?i)(?<=.)\\.(ya?ml|json)$", "");
        String name = file.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        return name.isEmpty() ? "experiment" : name.substring(0, Math.min(100, name.length()));
    }

    private void fillIn(Map<String, Object> testbed, Map<String, Object> controller, @Nullable TestbedPlugin kind) {
        boolean here = kind != null && kind.runsHere();
        // A path of this machine means nothing on others.
        testbed.putIfAbsent("java", here ? environment.java() : "java");
        // Testers inside the controller have its JVM.
        testbed.putIfAbsent("jvm", kind != null && kind.runsInController() ? List.of() : JVM);
        if (!maySpin(kind, testbed)) {
            withoutSpinning(testbed);
        }
        controller.putIfAbsent("listen", arrivesAtLoopback(kind, testbed) ? "127.0.0.1" : "0.0.0.0");
        if (!controller.containsKey("advertise")) {
            String listen = get(controller, "listen", String.class);
            boolean everywhere = listen.equals("0.0.0.0") || listen.equals("::");
            controller.put("advertise", everywhere ? environment.host().get() : listen);
        }
    }

    /** The testbed may say where the service runs, if the service itself does not. */
    private void placeService(Map<String, Object> service, Map<String, Object> testbed, @Nullable TestbedPlugin kind) {
        if (kind == null) {
            return;
        }
        try {
            String host = kind.serviceHost(parameters(kind, testbed));
            if (!host.isEmpty() && Node.find(root, "service.on") == null) {
                service.put("on", host);
            }
        } catch (Parameters.Unusable toldElsewhere) {
            return;
        }
        if (kind.hasOwnNetwork() && ServiceSettings.LOCAL.equals(service.get("on"))) {
            problem(
                    "service.on",
                    "expected a machine of the testbed, which has a network of its own, got " + ServiceSettings.LOCAL
                            + ": testers could not reach it");
        }
    }

    private static Parameters parameters(TestbedPlugin kind, Map<String, Object> testbed) {
        return Parameters.read(kind.parameters(), others(testbed, kind.hasNodes(), kind), NO_SEED);
    }

    private static boolean maySpin(@Nullable TestbedPlugin kind, Map<String, Object> testbed) {
        try {
            return kind == null || kind.maySpin(parameters(kind, testbed));
        } catch (Parameters.Unusable toldElsewhere) {
            return true;
        }
    }

    private void withoutSpinning(Map<String, Object> testbed) {
        Duration given = get(testbed, "spin", Duration.class);
        if (Node.find(root, "testbed.spin") != null && !given.isZero()) {
            problem(
                    "testbed.spin",
                    "expected 0s, because testers of this testbed may not spin, got " + Quantity.format(given));
        }
        testbed.put("spin", Duration.ZERO);
    }

    private static boolean arrivesAtLoopback(@Nullable TestbedPlugin kind, Map<String, Object> testbed) {
        if (kind == null) {
            return false;
        }
        try {
            return kind.arrivesAtLoopback(parameters(kind, testbed));
        } catch (Parameters.Unusable toldElsewhere) {
            return kind.runsHere();
        }
    }

    /** Returns the files to deploy as they are on this machine, and writes them so. */
    private Map<String, Path> deploy() {
        Path folder = Path.of(source).toAbsolutePath().getParent();
        Map<String, Object> written = copyOf("deploy");
        Map<String, Path> files = new LinkedHashMap<>();
        for (Map.Entry<String, Object> entry : written.entrySet()) {
            Path file = Path.of(String.valueOf(entry.getValue()));
            Path found = folder == null ? file : folder.resolve(file).normalize();
            if (!Files.isReadable(found)) {
                problem("deploy", "expected a file or folder that can be read, got none at " + found);
            }
            files.put(entry.getKey(), found);
            entry.setValue(found.toString());
        }
        return files;
    }

    private Targets targets() {
        Object target = values.get("target");
        if (target instanceof URI uri) {
            return Targets.one(uri);
        }
        Map<String, Object> map = copyOf("target");
        List<URI> each = ((List<?>) map.getOrDefault("each", List.of()))
                .stream().map(URI.class::cast).toList();
        return new Targets(
                each,
                Targets.Assign.valueOf(constant(get(map, "assign", String.class))),
                Targets.Per.valueOf(constant(get(map, "per", String.class))));
    }

    static String constant(String word) {
        return word.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private Measure measure(LoadSettings load) {
        Map<String, Object> map = copyOf("measure");
        Quantities.Window window = get(map, "window", Quantities.Window.class);
        Duration skip = get(map, "skip", Duration.class);
        Measure.Window kind = Measure.Window.valueOf(constant(window.kind()));
        if (load.longestNanos().isEmpty()) {
            return new Measure(kind, window.from(), window.to(), skip);
        }
        long length = load.longestNanos().getAsLong();
        if (kind == Measure.Window.RANGE && window.to().toNanos() > length) {
            problem(
                    "measure.window",
                    "expected a window within the run of " + words(length) + ", got one until "
                            + words(window.to().toNanos()));
            return new Measure(kind, window.from(), window.to(), skip);
        }
        long width = switch (kind) {
            case WHOLE -> length;
            case RANGE -> window.to().minus(window.from()).toNanos();
            case PEAK -> peakNanos(load);
        };
        // A closed load may have no peak at all; that is said by `check` and in the report.
        if (width > 0 && skip.toNanos() >= width) {
            problem(
                    "measure.skip",
                    "expected less than the window of " + words(width) + ", got " + words(skip.toNanos())
                            + ", which leaves nothing to measure");
        }
        return new Measure(kind, window.from(), window.to(), skip);
    }

    /** Returns the planned time while all clients run, or of the full rate; at most 0 where there is none or nobody knows. */
    private static long peakNanos(LoadSettings choice) {
        if (!(choice instanceof LoadSettings.Single single)) {
            return 0;
        }
        return single.load() instanceof ClosedLoad closed
                ? closed.clientEndNanos(0) - closed.clientStartNanos(closed.clients() - 1)
                : ((OpenLoad) single.load()).forNanos();
    }

    private static String words(long nanos) {
        return org.diperf.core.spi.Quantity.format(Duration.ofNanos(nanos));
    }

    private List<Threshold> thresholds() {
        List<Threshold> thresholds = new ArrayList<>();
        List<?> given = (List<?>) values.getOrDefault("thresholds", List.of());
        for (int i = 0; i < given.size(); i++) {
            if (!(given.get(i) instanceof Map<?, ?> map)) {
                thresholds.add(new Threshold(String.valueOf(given.get(i)), Duration.ZERO, Duration.ZERO, false));
                continue;
            }
            Map<String, Object> threshold = map(map);
            Duration every = get(threshold, "every", Duration.class);
            Duration after = get(threshold, "after", Duration.class);
            boolean abort = get(threshold, "abort", Boolean.class);
            if (every.isZero() && (abort || !after.isZero())) {
                problem(
                        "thresholds." + i,
                        "expected 'every', such as every: 10s, where '" + (abort ? "abort" : "after")
                                + "' is given: without it the threshold is judged once, at the end");
            }
            thresholds.add(new Threshold(String.valueOf(threshold.get("that")), every, after, abort));
        }
        return thresholds;
    }

    private ReportSettings report() {
        Map<String, Object> map = copyOf("report");
        Quantities.Smooth smooth = get(map, "smooth", Quantities.Smooth.class);
        return new ReportSettings(
                get(map, "quantum", Duration.class),
                smooth.width(),
                smooth.points(),
                get(map, "rate", String.class).equals("per-minute"),
                ((List<?>) map.getOrDefault("figures", List.of()))
                        .stream()
                                .map(figure -> FigureKeys.choice((Map<?, ?>) figure))
                                .toList());
    }

    private static ControllerSettings controllerChoice(Map<String, Object> map, boolean datagrams) {
        Quantities.Ports ports = get(map, "ports", Quantities.Ports.class);
        return new ControllerSettings(
                get(map, "listen", String.class),
                get(map, "advertise", String.class),
                ports.first(),
                ports.last(),
                get(map, "lease", Duration.class),
                get(map, "collect", String.class).equals(ExperimentShape.MEMORY),
                relays(map),
                datagrams);
    }

    private static List<RelaySettings> relays(Map<String, Object> map) {
        return ((List<?>) map.getOrDefault("relays", List.of()))
                .stream().map(text -> RelaySettings.parse((String) text)).toList();
    }

    private ClientSettings client() {
        Map<String, Object> map = copyOf("client");
        return new ClientSettings(get(map, "plugin", String.class), map(map.get("with")));
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        map(values.get("labels")).forEach((name, value) -> labels.put(name, String.valueOf(value)));
        return labels;
    }

    private void problem(String path, String text) {
        problems.add(Node.positionOf(root, path), path, text);
    }

    /** Returns the values of a mapping as a map that can be added to, and puts it in their place. */
    private Map<String, Object> copyOf(String key) {
        Map<String, Object> copy = map(values.get(key));
        values.put(key, copy);
        return copy;
    }

    static Map<String, Object> map(@Nullable Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> copy.put(String.valueOf(key), item));
        }
        return copy;
    }

    private static List<String> texts(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** Returns what the kind of testbed takes besides. */
    private static Map<String, Object> others(
            Map<String, Object> testbed, boolean hasNodes, @Nullable TestbedPlugin kind) {
        Map<String, Object> others = new LinkedHashMap<>(testbed);
        boolean itsOwn = kind != null
                && kind.parameters().stream()
                        .anyMatch(parameter -> parameter.name().equals(ExperimentShape.TRANSPORT));
        if (!itsOwn) {
            others.remove(ExperimentShape.TRANSPORT);
        }
        others.keySet().removeAll(COMMON);
        others.keySet().removeAll(FleetKeys.names(hasNodes));
        return others;
    }

    static <T> T get(Map<String, Object> map, String key, Class<T> type) {
        Object value = map.get(key);
        if (!type.isInstance(value)) {
            throw new IllegalStateException("The shape of the experiment file gave no " + type.getSimpleName()
                    + " for '" + key + "' but " + value);
        }
        return type.cast(value);
    }
}
