package org.diperf.controller.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.testbeds.BareContext;

/** An emulated network without a run, and the program {@code wire.c} on its hosts. Confined to one thread. */
final class EmulatedNetwork implements AutoCloseable {

    static final long SEED = 19;

    private static final String ENGINE = "engine";
    private static final String CANNOT = "cannot be created here: ";
    private static final long GRACE_NANOS = 1_000_000_000L;

    private final Path work;
    private final Path wire;
    private final Testbed testbed;
    private final Map<String, Host> hosts = new HashMap<>();
    private int programs;

    /**
     * Makes it; the test is skipped where it cannot be made.
     *
     * @param work an existing folder
     * @param raw the testbed's keys
     */
    EmulatedNetwork(Path work, String engine, Map<String, Object> raw) throws Exception {
        this.work = work;
        assumeTrue(Command.installed("cc"), "expected a C compiler: apt-get install gcc libc6-dev");
        TestbedPlugin plugin = plugin();
        Map<String, Object> keys = new HashMap<>(raw);
        keys.put(ENGINE, engine);
        Parameters with = Parameters.read(plugin.parameters(), keys, SEED);
        plugin.check(with);
        plugin.describe(with).stream()
                .filter(line -> line.startsWith(CANNOT))
                .forEach(line -> assumeTrue(false, engine + " " + line));
        wire = compiled(work);
        testbed = plugin.open(new Context(with, work));
    }

    private static TestbedPlugin plugin() {
        Optional<TestbedPlugin> plugin = ServiceLoader.load(TestbedPlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(TestbedPlugin::hasOwnNetwork)
                .findFirst();
        assumeTrue(plugin.isPresent(), "needs the pack emulated");
        return plugin.orElseThrow();
    }

    /** Names all that carry packets where this process runs. */
    static Stream<String> engines() {
        Parameter engine = plugin().parameters().stream()
                .filter(each -> each.name().equals(ENGINE))
                .findFirst()
                .orElseThrow();
        return engine.allowed().stream()
                .filter(each -> !each.equals(engine.fallback()))
                .filter(each -> !isTimeVirtual(each));
    }

    private static boolean isTimeVirtual(String engine) {
        return !plugin().maySpin(twoHosts(engine));
    }

    private static Parameters twoHosts(String engine) {
        Map<String, Object> keys = Map.of(
                ENGINE,
                engine,
                "hosts",
                Map.of("a", Map.of(), "b", Map.of()),
                "links",
                List.of(Map.of("between", List.of("a", "b"))));
        return Parameters.read(plugin().parameters(), keys, SEED);
    }

    /** Prints what is said of two hosts and a link on this machine, by the engine that is the argument. */
    public static void main(String[] arguments) {
        plugin().describe(twoHosts(arguments[0])).forEach(System.out::println);
    }

    /** Compiles the program; returns where it is. */
    static Path compiled(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("wire.c");
        try (InputStream packed = EmulatedNetwork.class.getResourceAsStream("/wire.c")) {
            Files.copy(Objects.requireNonNull(packed), source);
        }
        Path program = folder.resolve("wire");
        try (Command cc = Command.start(folder, List.of("cc", "-O2", "-o", program.toString(), source.toString()))) {
            if (cc.exitCode() != 0) {
                throw new IllegalStateException("wire.c does not compile:\n" + cc.output());
            }
        }
        return program;
    }

    /** Starts the program on a host. */
    Wire start(String host, Object... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(wire.toString()));
        for (Object word : words) {
            command.add(word.toString());
        }
        return start(host, command);
    }

    /** Starts any command on a host. */
    Wire start(String host, List<String> command) throws Exception {
        if (!hosts.containsKey(host)) {
            hosts.put(host, testbed.host(host));
        }
        Path output = work.resolve("wire-" + ++programs);
        return new Wire(hosts.get(host).start("exec " + String.join(" ", command) + " > " + output, Map.of()), output);
    }

    /** The same of what says when it can be sent to. */
    Wire startReady(String host, Object... words) throws Exception {
        Wire wire = start(host, words);
        SlurmCluster.await(
                words[0] + " on " + host,
                () -> wire.execution.ended() || wire.lines().contains("ready"));
        return wire;
    }

    @Override
    public void close() throws Exception {
        testbed.close();
    }

    /** One start of the program. */
    record Wire(Host.Execution execution, Path output) {

        /** Returns what it has printed so far. */
        List<String> lines() throws IOException {
            return Files.exists(output) ? Files.readAllLines(output) : List.of();
        }

        /** Waits for its end; returns what it printed, but that it was ready. */
        List<String> printed() throws Exception {
            SlurmCluster.await("the end of " + output.getFileName(), execution::ended);
            if (execution.exitCode() != 0) {
                throw new IllegalStateException(execution.lastWords());
            }
            return lines().stream().filter(line -> !line.equals("ready")).toList();
        }

        void end() throws IOException {
            execution.end(GRACE_NANOS);
        }
    }

    /** The folder and the seed of a run. */
    private static final class Context extends BareContext {

        Context(Parameters with, Path folder) {
            super(with, folder);
        }

        @Override
        public long seed() {
            return SEED;
        }

        @Override
        public String java() {
            return Command.java();
        }
    }
}
