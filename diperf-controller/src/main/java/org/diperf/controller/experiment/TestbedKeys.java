package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.FleetSettings.WhenLost;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.TestbedSettings;
import org.diperf.core.expression.Expression;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;

/** The section {@code testbed}: the keys that all kinds have, and the settings that they give. */
final class TestbedKeys {

    private static final long MAX_TESTERS = 10_000;

    /** Parameters of testbeds hold no texts that are drawn by a seed. */
    private static final long NO_SEED = 0;

    private static final String UDP = "udp";

    /** Few background threads and no growing heap, so that a tester disturbs neither itself nor its neighbours. */
    private static final List<String> USUAL_JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    private static final Key<Long> TESTERS = Key.withDefault(
            "testers", Scalar.whole("testers", 1, MAX_TESTERS), 1L, "number of testers that share the load");
    private static final Key<Long> TESTERS_OF_NODES = Key.optional(
            "testers",
            Scalar.whole("testers", 1, MAX_TESTERS),
            "number of testers that share the load; default: as many as the chosen nodes can hold");
    private static final Key<Expression> REQUIRE = Key.optional(
            "require",
            Quantities.expression("an expression such as cores >= 2 && load < 4", TestbedKeys::withKnownMeasures),
            "condition on properties and labels that a node must meet to be used");
    private static final Key<Long> NODES = Key.optional(
            "nodes",
            Scalar.whole("nodes", 1, MAX_TESTERS),
            "number of nodes to use, chosen by lowest load per core, then shortest round trip, then order in the "
                    + "file; default: as many as the testers need, or all");
    private static final Key<Long> TAKE =
            Key.optional("take", Scalar.whole("nodes", 1, MAX_TESTERS), "another name for 'nodes'");
    private static final Key<Long> TESTERS_PER_NODE = Key.withDefault(
            "testers-per-node", Scalar.whole("testers", 1, MAX_TESTERS), 1L, "maximum number of testers per node");
    private static final Key<WhenLost> WHEN_LOST = Key.withDefault(
            "when-lost",
            Scalar.oneOf(WhenLost.class),
            WhenLost.CONTINUE,
            "continue: the other testers continue; replace: another tester takes over its share once it is ready; "
                    + "abort:"
                    + " the run ends");
    private static final Key<Long> MINIMUM = Key.withDefault(
            "minimum",
            Scalar.whole("testers", 1, MAX_TESTERS),
            1L,
            "minimum number of testers; with fewer, the run does not start, or ends");
    private static final Key<Duration> LINGER = Key.withDefault(
            "linger",
            Quantities.duration(false),
            FleetSettings.DEFAULT.linger(),
            "how long a tester keeps its samples after losing its controller");
    private static final Key<String> JAVA = Key.optional(
            "java",
            Scalar.text("the command that starts Java", "\\S.*"),
            "Java command of the testers; default: the Java that runs the controller; on other machines, java");
    private static final Key<List<String>> JVM = Key.optional(
            "jvm",
            new Shapes.ListOf<>("a list of JVM flags", Scalar.text("a flag such as -Xmx256m", "-.+"), 0),
            "the testers' JVM flags; default: an explicit garbage collector and a fixed heap");
    private static final Key<Long> LOOPS = Key.withDefault(
            "loops",
            Scalar.whole("loops", 0, 1_000),
            (long) LoopSettings.DEFAULT.loops(),
            "event loops per tester; 0: one per available processor");
    private static final Key<LoopSettings.Io> IO = Key.withDefault(
            "io",
            Scalar.oneOf(LoopSettings.Io.class),
            LoopSettings.DEFAULT.io(),
            "I/O mechanism of a tester's sockets; auto: epoll if available, otherwise nio");
    private static final Key<Duration> SPIN = Key.withDefault(
            "spin",
            Quantities.duration(false),
            Duration.ofNanos(LoopSettings.DEFAULT.spinNanos()),
            "how long before a call is due a tester stops sleeping and spins; longer is more precise but costs "
                    + "processor time");
    private static final Key<String> TRANSPORT = Key.withDefault(
            "transport",
            Scalar.oneOf(List.of("tcp", UDP)),
            "tcp",
            "how samples reach the controller: tcp, or udp for very many testers (encrypted datagrams)");

    private static final List<Key<?>> OF_NODES = List.of(TESTERS_OF_NODES, REQUIRE, NODES, TAKE, TESTERS_PER_NODE);
    private static final List<Key<?>> OF_ALL = List.of(WHEN_LOST, MINIMUM, LINGER, JAVA, JVM, LOOPS, IO, SPIN);

    private final FormValues given;
    private final @Nullable TestbedPlugin kind;

    /** @param given what the file gives for a testbed of this kind */
    TestbedKeys(FormValues given, KnownPlugins plugins) {
        this.given = given;
        this.kind = plugins.testbed(kindOf(given));
    }

    private static String kindOf(FormValues given) {
        return given.get(kind("", ""));
    }

    private static Key<String> kind(String id, String summary) {
        return Key.withDefault("kind", Scalar.oneOf(List.of(id)), id, summary);
    }

    static Shape<FormValues> shape(List<TestbedPlugin> plugins) {
        Map<String, Fields> variants = new LinkedHashMap<>();
        for (TestbedPlugin plugin : plugins) {
            List<Key<?>> keys = new ArrayList<>(List.of(kind(plugin.id(), plugin.summary())));
            // A kind that does not know its nodes may have parameters of its own by the names of these.
            keys.addAll(plugin.hasNodes() ? OF_NODES : List.of(TESTERS));
            keys.addAll(OF_ALL);
            // A kind that reaches its nodes by other ways too has the key itself.
            if (plugin.parameters().stream()
                    .noneMatch(parameter -> parameter.name().equals(TRANSPORT.name()))) {
                keys.add(TRANSPORT);
            }
            Set<String> taken = Set.copyOf(new Fields("", keys, Map.of(), List.of()).names());
            List<Parameter> own = plugin.parameters().stream()
                    .filter(parameter -> !taken.contains(parameter.name()))
                    .toList();
            keys.addAll(ExperimentShape.parameters(own, Names.NONE));
            variants.put(plugin.id(), new Fields("a testbed", keys, Map.of(), List.of()));
        }
        return new Shapes.ByWord(
                "a testbed such as {kind: local, testers: 2}", "kind", "kind of testbed", "kind", "local", variants);
    }

    /** A number belongs to a measure or to a label; labels are known only when the nodes are. */
    private static Expression withKnownMeasures(Expression expression) {
        for (Expression.Limit limit : expression.limits()) {
            String suggestion = NearestName.suggestion(limit.path(), FleetSettings.MEASURES);
            if (!FleetSettings.MEASURES.contains(limit.path()) && !suggestion.isEmpty()) {
                throw new IllegalArgumentException("expected a property of a node, one of " + FleetSettings.MEASURES
                        + ", or a label, got '" + limit.path() + "'" + suggestion);
            }
        }
        return expression;
    }

    /** Takes as many testers as the groups have together: the file may leave that to them. */
    void countGroups(long expected) {
        if (given.isGiven(TESTERS) && given.get(TESTERS) != expected) {
            given.problem(
                    TESTERS,
                    "expected as many testers as the groups have in total (" + expected + "), got " + given.get(TESTERS)
                            + "; drop it, or change the 'testers' of a group");
        }
        given.put(TESTERS, expected);
    }

    /** Counts the testers as far as the file says how many; 0: the nodes that are found decide. */
    int testers() {
        return count(TESTERS);
    }

    private int count(Key<Long> key) {
        Long count = given.find(key);
        return count == null ? 0 : (int) (long) count;
    }

    /**
     * Makes the settings, and writes out the defaults that depend on the kind.
     *
     * @param java command of the running JVM
     */
    TestbedSettings settings(String java) {
        boolean here = kind != null && kind.runsHere();
        if (!is(true, with -> kind == null || kind.maySpin(with))) {
            withoutSpinning();
        }
        return new TestbedSettings(
                kindOf(given),
                testers(),
                // A path of this machine means nothing on others.
                given.getOr(JAVA, here ? java : "java"),
                // Testers inside the controller have its JVM.
                given.getOr(JVM, kind != null && kind.runsInController() ? List.of() : USUAL_JVM),
                new LoopSettings(count(LOOPS), given.get(IO), given.get(SPIN).toNanos()),
                fleet(),
                given.parameters());
    }

    private FleetSettings fleet() {
        boolean hasNodes = kind != null && kind.hasNodes();
        if (hasNodes && given.has(TAKE)) {
            if (given.has(NODES)) {
                given.problem(TAKE, "expected 'nodes' or 'take', which mean the same, got both; drop one");
            }
            given.getOr(NODES, given.get(TAKE));
            given.remove(TAKE);
        }
        Expression require = hasNodes ? given.find(REQUIRE) : null;
        return new FleetSettings(
                given.get(WHEN_LOST),
                count(MINIMUM),
                given.get(LINGER),
                require == null ? "" : require.toString(),
                hasNodes ? count(NODES) : 0,
                hasNodes ? count(TESTERS_PER_NODE) : 1);
    }

    private void withoutSpinning() {
        Duration spin = given.get(SPIN);
        if (given.isGiven(SPIN) && !spin.isZero()) {
            given.problem(
                    SPIN, "expected 0s, because testers on this testbed must not spin, got " + Quantity.format(spin));
        }
        given.put(SPIN, Duration.ZERO);
    }

    /** Asks the kind about its parameters; what is wrong with those is reported elsewhere. */
    private <T> T is(T otherwise, Function<Parameters, T> question) {
        try {
            return kind == null
                    ? otherwise
                    : question.apply(Parameters.read(kind.parameters(), given.parameters(), NO_SEED));
        } catch (Parameters.Unusable reportedElsewhere) {
            return otherwise;
        }
    }

    boolean arrivesAtLoopback() {
        return is(kind != null && kind.runsHere(), with -> kind != null && kind.arrivesAtLoopback(with));
    }

    boolean usesDatagrams() {
        return UDP.equals(given.find(TRANSPORT));
    }

    /** Names the machine that the kind runs a service on; empty: it does not care. */
    String serviceHost() {
        return is("", with -> kind == null ? "" : kind.serviceHost(with));
    }

    boolean hasOwnNetwork() {
        return kind != null && kind.hasOwnNetwork();
    }

    /** Checks what goes together. */
    void check(TestbedSettings settings, LoadSettings load) {
        FleetSettings fleet = settings.fleet();
        long room = (long) fleet.nodes() * fleet.testersPerNode();
        if (settings.testers() > 0 && room > 0 && settings.testers() > room) {
            given.problem(
                    TESTERS,
                    "expected at most nodes x testers-per-node = " + room + " testers, got " + settings.testers()
                            + "; raise testers-per-node or nodes");
        }
        long most = settings.testers() > 0 ? settings.testers() : room;
        if (most > 0 && fleet.minimum() > most) {
            given.problem(MINIMUM, "expected at most the number of testers (" + most + "), got " + fleet.minimum());
        }
        boolean quota = load instanceof LoadSettings.Groups groups
                ? groups.groups().stream().anyMatch(group -> isLimited(group.load()))
                : isLimited(load);
        if (quota && fleet.whenLost() == WhenLost.REPLACE) {
            given.problem(
                    WHEN_LOST,
                    "expected continue or abort with a load limited by calls or bytes, got replace: the lost "
                            + "tester's work would be repeated");
        }
    }

    private static boolean isLimited(LoadSettings load) {
        return load instanceof LoadSettings.Single single
                && single.load() instanceof ClosedLoad closed
                && closed.quota().isLimited();
    }
}
