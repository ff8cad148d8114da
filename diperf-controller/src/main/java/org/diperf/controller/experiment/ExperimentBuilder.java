package org.diperf.controller.experiment;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.core.experiment.ClientChoice;
import org.diperf.core.experiment.ControllerChoice;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.experiment.LoopChoice;
import org.diperf.core.experiment.Measure;
import org.diperf.core.experiment.ReportChoice;
import org.diperf.core.experiment.ServiceChoice;
import org.diperf.core.experiment.TestbedChoice;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Targets;
import org.jspecify.annotations.Nullable;

/**
 * Makes the experiment from the values of its file: fills in the defaults that depend on other values and checks what
 * goes together. Confined to one thread, used once.
 */
final class ExperimentBuilder {

    /** Kinds of testbed whose testers need no address but the loopback. */
    private static final Set<String> ON_THIS_MACHINE = Set.of("in-process", "local");

    /** Few background threads and no growing heap, so that a tester disturbs neither itself nor its neighbours. */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    private final Map<String, Object> values;
    private final Node root;
    private final String source;
    private final Surroundings surroundings;
    private final Problems problems;

    /**
     * @param values as the shape read them; the derived defaults are added
     * @param root where they stand
     * @param source name of the file
     */
    ExperimentBuilder(
            Map<String, Object> values, Node root, String source, Surroundings surroundings, Problems problems) {
        this.values = values;
        this.root = root;
        this.source = source;
        this.surroundings = surroundings;
        this.problems = problems;
    }

    /** Makes the experiment; {@code null} where there are problems. */
    @Nullable
    Experiment build() {
        values.putIfAbsent("name", nameFrom(source));
        if (!values.containsKey("seed")) {
            values.put("seed", surroundings.seed().getAsLong());
        }
        Map<String, Object> testbed = copyOf("testbed");
        Map<String, Object> controller = copyOf("controller");
        fillIn(testbed, controller);
        int testers = (int) (long) get(testbed, "testers", Long.class);
        LoadBuilder builder = new LoadBuilder(copyOf("load"), testers, this::problem);
        LoadChoice load = builder.build();
        Targets targets = targets();
        if (load == null) {
            return null;
        }
        checkCounts(targets, load, testers);
        Measure measure = measure(load);
        List<Threshold> thresholds = thresholds();
        ReportChoice report = report();
        ServiceChoice service = values.containsKey("service")
                ? new ServiceBuilder(copyOf("service"), source, this::problem)
                        .build(targets.each().get(0))
                : null;
        if (problems.any()) {
            return null;
        }
        return new Experiment(
                get(values, "name", String.class),
                labels(),
                get(values, "seed", Long.class),
                targets,
                client(),
                new TestbedChoice(
                        get(testbed, "kind", String.class),
                        testers,
                        get(testbed, "java", String.class),
                        texts(testbed.get("jvm")),
                        new LoopChoice(
                                (int) (long) get(testbed, "loops", Long.class),
                                LoopChoice.Io.valueOf(constant(get(testbed, "io", String.class))),
                                get(testbed, "spin", Duration.class).toNanos()),
                        others(testbed, Set.of("kind", "testers", "java", "jvm", "loops", "io", "spin"))),
                load,
                measure,
                thresholds,
                report,
                controllerChoice(controller),
                get(values, "unreachable", String.class).equals("continue"),
                service);
    }

    /** Makes a name of a file's: what no name may hold becomes a hyphen. */
    static String nameFrom(String source) {
        String file = source.replaceFirst(".*[/\\\\]", "").replaceFirst("(?i)(?<=.)\\.(ya?ml|json)$", "");
        String name = file.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        return name.isEmpty() ? "experiment" : name.substring(0, Math.min(100, name.length()));
    }

    private void fillIn(Map<String, Object> testbed, Map<String, Object> controller) {
        String kind = get(testbed, "kind", String.class);
        testbed.putIfAbsent("java", surroundings.java());
        // Testers inside the controller have its JVM.
        testbed.putIfAbsent("jvm", kind.equals("in-process") ? List.of() : JVM);
        controller.putIfAbsent("listen", ON_THIS_MACHINE.contains(kind) ? "127.0.0.1" : "0.0.0.0");
        if (!controller.containsKey("advertise")) {
            String listen = get(controller, "listen", String.class);
            boolean everywhere = listen.equals("0.0.0.0") || listen.equals("::");
            controller.put("advertise", everywhere ? surroundings.host().get() : listen);
        }
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

    private void checkCounts(Targets targets, LoadChoice load, int testers) {
        if (load.clients() < testers) {
            boolean closed = load.model().equals("closed");
            problem(
                    "testbed.testers",
                    "wanted at most as many testers as " + (closed ? "clients (" : "calls in flight (") + load.clients()
                            + "), found " + testers + "; a tester without clients measures nothing: use fewer testers"
                            + " or raise the " + (closed ? "clients" : "max-in-flight") + " of 'load'");
        }
        if (targets.assign() != Targets.Assign.ONE_TO_ONE) {
            return;
        }
        boolean perTester = targets.per() == Targets.Per.TESTER;
        int units = perTester ? testers : load.clients();
        int size = targets.each().size();
        if (units != size) {
            String unit = perTester ? "testers" : "clients";
            problem(
                    "target.assign",
                    "one-to-one wanted as many targets as " + unit + ", found " + size + " targets and " + units + " "
                            + unit + "; make them equal or use round-robin");
        }
    }

    private Measure measure(LoadChoice load) {
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
                    "wanted a window within the run of " + words(length) + ", found one until "
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
                    "wanted less than the window of " + words(width) + ", found " + words(skip.toNanos())
                            + ", which leaves nothing to measure");
        }
        return new Measure(kind, window.from(), window.to(), skip);
    }

    /** Gives the planned time while all clients run, or of the full rate; at most 0 where there is none or nobody knows. */
    private static long peakNanos(LoadChoice choice) {
        if (!(choice instanceof LoadChoice.Single single)) {
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
                        "wanted 'every', such as every: 10s, where '" + (abort ? "abort" : "after")
                                + "' is given: without it the threshold is judged once, at the end");
            }
            thresholds.add(new Threshold(String.valueOf(threshold.get("that")), every, after, abort));
        }
        return thresholds;
    }

    private ReportChoice report() {
        Map<String, Object> map = copyOf("report");
        Quantities.Smooth smooth = get(map, "smooth", Quantities.Smooth.class);
        return new ReportChoice(
                get(map, "quantum", Duration.class),
                smooth.width(),
                smooth.points(),
                get(map, "rate", String.class).equals("per-minute"));
    }

    private static ControllerChoice controllerChoice(Map<String, Object> map) {
        Quantities.Ports ports = get(map, "ports", Quantities.Ports.class);
        return new ControllerChoice(
                get(map, "listen", String.class),
                get(map, "advertise", String.class),
                ports.first(),
                ports.last(),
                get(map, "lease", Duration.class),
                get(map, "collect", String.class).equals(ExperimentShape.MEMORY));
    }

    private ClientChoice client() {
        Map<String, Object> map = copyOf("client");
        return new ClientChoice(get(map, "plugin", String.class), map(map.get("with")));
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        map(values.get("labels")).forEach((name, value) -> labels.put(name, String.valueOf(value)));
        return labels;
    }

    private void problem(String path, String text) {
        problems.add(Node.placeOf(root, path), path, text);
    }

    /** Gives the values of a mapping as a map that can be added to, and puts it in their place. */
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

    private static Map<String, Object> others(Map<String, Object> map, Set<String> without) {
        Map<String, Object> others = new LinkedHashMap<>(map);
        others.keySet().removeAll(without);
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
