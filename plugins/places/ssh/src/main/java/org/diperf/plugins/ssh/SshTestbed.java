package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** The machines of one run. Used by the run's thread; supervisors report on threads of their own. */
final class SshTestbed implements Testbed {

    private final TestbedContext context;
    private final Choices choices;
    private final NanoClock clock;
    private final MachineExecutor pool;
    private final Spools spools;
    private final String run = newName();
    /** By name, in the order of the file. */
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    /** Tester to the machine on which it was started. */
    private final Map<Integer, Machine> placed = new ConcurrentHashMap<>();

    private final Map<String, SshHost> hosts = new LinkedHashMap<>();
    private final AtomicInteger programs = new AtomicInteger();
    private @Nullable Deployment deployment;
    private @Nullable List<Node> surveyed;
    private volatile boolean closing;

    /**
     * How the testbed works.
     *
     * @param throughSsh whether testers reach the controller through the log-in
     * @param cache {@code remove} or {@code keep}
     * @param folder for all runs on each node, empty: the default one
     * @param runtime a Java to send, {@code null}: none
     * @param bandwidthBy what machines measure bandwidth towards the service by, {@code null}: they do not
     * @param parallel machines dealt with at once
     */
    record Choices(
            boolean throughSsh,
            String cache,
            String folder,
            @Nullable JavaArchive runtime,
            @Nullable Url bandwidthBy,
            int parallel) {}

    SshTestbed(
            TestbedContext context, List<Candidate> candidates, SshConnector access, Choices choices, NanoClock clock) {
        this.context = context;
        this.choices = choices;
        this.clock = clock;
        this.pool = new MachineExecutor(choices.parallel());
        this.spools = new Spools(pool, access);
        for (Candidate candidate : candidates) {
            machines.put(candidate.name(), new Machine(candidate, access, run, choices.cache()));
        }
    }

    private static String newName() {
        byte[] name = new byte[8];
        new SecureRandom().nextBytes(name);
        return HexFormat.of().formatHex(name);
    }

    @Override
    public List<Node> survey() throws InterruptedException {
        long begin = clock.nanoTime();
        Survey survey = new Survey(
                context.java(), choices.folder(), context.targets(), choices.bandwidthBy(), choices.runtime(), clock);
        List<Node> nodes = pool.all(List.copyOf(machines.values()), machine -> {
            try {
                Survey.Found found = survey.look(machine.candidate(), machine.connection());
                machine.sendJava(found.sendJava());
                return found.node();
            } catch (IOException e) {
                return Survey.unreachable(machine.candidate(), String.valueOf(e.getMessage()));
            }
        });
        surveyed = nodes;
        context.log("surveyed " + nodes.size() + " machines in " + since(begin));
        return nodes;
    }

    @Override
    public void start(List<Place> places) throws Exception {
        Map<Machine, List<Integer>> wanted = new LinkedHashMap<>();
        List<String> usable = places.stream().anyMatch(place -> place.node().isEmpty()) ? usable() : List.of();
        int next = 0;
        for (Place place : places) {
            String node = place.node().isEmpty() ? usable.get(next++ % usable.size()) : place.node();
            wanted.computeIfAbsent(machine(node), machine -> new ArrayList<>()).add(place.tester());
        }
        long begin = clock.nanoTime();
        Deployment deployed = deployment();
        List<String> failures =
                pool
                        .all(List.copyOf(wanted.keySet()), machine -> start(machine, wanted.get(machine), deployed))
                        .stream()
                        .filter(failure -> !failure.isEmpty())
                        .toList();
        if (failures.size() == wanted.size()) {
            throw new IOException(String.join("; ", failures));
        }
        context.log("launched " + places.size() + " testers on " + wanted.size() + " machines in " + since(begin));
        for (Machine machine : machines.values()) {
            if (!placed.containsValue(machine) && !hosts.containsKey(machine.name())) {
                machine.disconnect();
            }
        }
    }

    private String since(long beginNanos) {
        return (clock.nanoTime() - beginNanos) / 1_000_000 + " ms";
    }

    /** Lists the nodes for testers that may run anywhere. */
    private List<String> usable() throws IOException, InterruptedException {
        List<Node> nodes = surveyed;
        if (nodes == null) {
            nodes = survey();
            for (Node node : nodes) {
                if (!node.usable()) {
                    context.announce("without " + node.name() + ": " + node.trouble());
                }
            }
        }
        List<String> usable =
                nodes.stream().filter(Node::usable).map(Node::name).toList();
        if (usable.isEmpty()) {
            throw new IOException("no usable machine: "
                    + nodes.stream()
                            .map(node -> node.name() + ": " + node.trouble())
                            .collect(Collectors.joining("; ")));
        }
        return usable;
    }

    private Machine machine(String name) {
        Machine machine = machines.get(name);
        if (machine == null) {
            throw new IllegalArgumentException("Expected one of " + machines.keySet() + ", got '" + name + "'");
        }
        return machine;
    }

    private synchronized Deployment deployment() throws IOException {
        Deployment deployed = deployment;
        if (deployed == null) {
            JavaArchive runtime = choices.runtime();
            deployed = new Deployment(
                    run,
                    choices.folder(),
                    context.testerClassPath(),
                    context.pluginJars(),
                    context.files(),
                    runtime == null ? null : runtime.archive());
            deployment = deployed;
        }
        return deployed;
    }

    /** Starts testers on a machine; gives the reason where it cannot be, else an empty text. */
    private String start(Machine machine, @Nullable List<Integer> testers, Deployment deployed) {
        List<Integer> waiting = new ArrayList<>(testers == null ? List.of() : testers);
        try {
            for (Integer tester : List.copyOf(waiting)) {
                placed.put(tester, machine);
            }
            Deployment.Site site = machine.site(deployed);
            goesOn();
            deployed.fill(machine.connection(), site);
            goesOn();
            String java = machine.java(deployed, context.java());
            goesOn();
            Supervisor supervisor = machine.supervisor(deployed, listener(machine));
            for (Integer tester : List.copyOf(waiting)) {
                String script = TesterCommand.script(tester, site, java, context.jvm(), deployed.plugins());
                spools.expect(tester, machine, site);
                String ticket = ticket(machine, tester);
                goesOn();
                supervisor.launch(TesterCommand.name(tester), script, ticket);
                waiting.remove(tester);
            }
            return "";
        } catch (IOException | RuntimeException e) {
            String reason = machine.name() + ": " + e.getMessage();
            if (!closing) {
                waiting.forEach(tester -> context.failed(tester, reason));
            }
            return reason;
        }
    }

    /** Ends a start between two steps when the run is over. */
    private void goesOn() throws IOException {
        if (closing) {
            throw new IOException("the run ended while testers were starting");
        }
    }

    private String ticket(Machine machine, int tester) throws IOException {
        return choices.throughSsh()
                ? context.ticket(tester, "127.0.0.1", machine.forwardedPort(context.controller()))
                : context.ticket(tester);
    }

    private Supervisor.Listener listener(Machine machine) {
        return new Supervisor.Listener() {
            @Override
            public void ended(String name, Supervisor.Ended how) {
                int tester = TesterCommand.number(name);
                if (tester > 0 && how.code() != 0 && !closing) {
                    context.failed(
                            tester,
                            "its process on " + machine.name() + " exited with code " + how.code()
                                    + (how.words().isEmpty() ? "" : ": " + how.words()));
                }
            }

            @Override
            public void lost(String why) {
                machine.supervisorLost();
                if (!closing) {
                    context.log("the ssh connection to " + machine.name() + " broke: " + why
                            + "; its testers continue as long as they can reach the controller");
                    pool.background(() -> reconnect(machine));
                }
            }
        };
    }

    /** One new log-in, so that what goes through it can continue. Where it fails, the end of the run tries once more. */
    private void reconnect(Machine machine) {
        try {
            machine.reconnect(context.controller());
            context.log("reconnected to " + machine.name());
        } catch (IOException e) {
            if (!closing) {
                context.log("cannot reconnect to " + machine.name() + ": " + e.getMessage());
            }
        }
    }

    @Override
    public Host host(String name) throws IOException {
        List<Machine> found = machines.values().stream()
                .filter(machine -> machine.name().equals(name)
                        || machine.candidate().address().host().equals(name)
                        || name.equals(machine.candidate().labels().get("name")))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("Expected one machine in the testbed, got " + found.size() + " for '"
                    + name + "': use one of the names " + machines.keySet() + ", or give the machine a label 'name'");
        }
        Machine machine = found.get(0);
        SshHost host = hosts.get(machine.name());
        if (host == null) {
            try {
                host = new SshHost(
                        name,
                        machine,
                        machine.site(deployment()),
                        machine.supervisor(deployment(), listener(machine)),
                        run,
                        programs);
            } catch (IOException e) {
                throw new IOException(machine.name() + ": " + e.getMessage(), e);
            }
            hosts.put(machine.name(), host);
        }
        return host;
    }

    @Override
    public List<SpoolLocation> spools() {
        return spools.places();
    }

    @Override
    public Map<Integer, String> bring(List<SpoolLocation> places, Path into) throws InterruptedException {
        return spools.bring(places, into);
    }

    @Override
    public void drop(List<SpoolLocation> places) throws IOException, InterruptedException {
        spools.drop(places);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closing = true;
        // A start that is still under way would use a machine again that was cleaned.
        pool.settle();
        try (MachineExecutor cleaning = new MachineExecutor(choices.parallel())) {
            new Cleanup(context, cleaning, run, choices.cache(), clock).close(List.copyOf(machines.values()), placed);
        }
    }
}
