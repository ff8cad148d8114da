package org.diperf.plugins.emulated;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.plugins.emulated.annex.LinkMetrics;
import org.diperf.plugins.emulated.annex.NetworkAnnex;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.limits.CgroupGuard;
import org.diperf.plugins.emulated.limits.Cgroups;
import org.diperf.plugins.emulated.routing.Rerouting;
import org.diperf.plugins.emulated.routing.RoutingWatcher;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.virtual.VirtualTime;
import org.jspecify.annotations.Nullable;

/** The hosts of one run. The network is made when the first of them is asked for. Confined to the run's thread. */
final class EmulatedTestbed implements Testbed {

    private static final long EXIT_SECONDS = 5;
    private static final Duration JOIN = Duration.ofSeconds(60);
    private static final Duration JOIN_EACH = Duration.ofSeconds(1);
    /** In the private folder; where testers of this machine leave what nobody took. */
    private static final String SPOOLS = "spool";

    private final TestbedContext context;
    private final NetworkDeclaration declared;
    private final NetworkFacts facts;
    private final Map<Integer, Process> testers = new LinkedHashMap<>();
    private final List<LabHost> hosts = new ArrayList<>();
    private @Nullable ScratchFolder scratch;
    private volatile @Nullable Lab lab;
    private @Nullable Carrier carrier;
    private @Nullable IdleStateGuard awake;
    private @Nullable BirdProcesses birds;
    private @Nullable InformationService information;
    private @Nullable Cgroups groups;
    private @Nullable CgroupGuard groupGuard;
    private volatile boolean closing;

    EmulatedTestbed(TestbedContext context, NetworkDeclaration declared) {
        this.context = context;
        this.declared = declared;
        this.facts = new NetworkFacts(declared);
    }

    /** Lists the hosts for testers; they are all this one machine, of which nothing is measured. */
    @Override
    public List<Node> survey() {
        Topology topology = declared.topology();
        List<Node> nodes = new ArrayList<>();
        for (String name : declared.testers()) {
            EmulatedHost host = topology.hosts().get(topology.host(name));
            Map<String, String> labels = host.site().isEmpty() ? Map.of() : Map.of("site", host.site());
            nodes.add(new Node(name, labels, Map.of(), Map.of(), ""));
        }
        return nodes;
    }

    private Lab lab() throws IOException, InterruptedException {
        Lab made = lab;
        return made == null ? make() : made;
    }

    private Lab make() throws IOException, InterruptedException {
        if (Engines.isVirtual(declared.engine()) && !VirtualTime.isHere()) {
            throw new IOException("the engine " + declared.engine()
                    + " needs the whole run in virtual time, got a run in real time; start it with: diperf run FILE");
        }
        String missing = Engines.missing(declared);
        if (!missing.isEmpty()) {
            throw new IOException(missing);
        }
        limit();
        scratch = ScratchFolder.temporary();
        Lab made = Lab.open();
        lab = made;
        Topology topology = declared.topology();
        int controller = topology.host(declared.controller());
        if (controller < 0) {
            made.joinBeside();
        } else {
            topology = made.management().within(topology, controller);
        }
        IdleStateGuard held = IdleStateGuard.hold();
        awake = held;
        Carrier started = Engines.start(declared, made, topology, context.java());
        carrier = started;
        made.addHosts(topology, controller, started);
        BirdProcesses routers = declared.routing().isStatic() ? null : route(made, topology);
        LinkStates states = new LinkStates(declared.topology());
        started.awaitReady((number, atNanos) -> {
            Change change = declared.changes().get(number);
            states.changed(change);
            if (routers != null) {
                routers.changed(change, atNanos);
            }
            context.changed(atNanos, change.text());
        });
        DirectoryAddress where = declared.information();
        if (where != null) {
            information = InformationService.start(declared, where, states, made, started);
        }
        if (routers != null) {
            routers.awaitWays();
        }
        started.ended().thenAccept(end -> {
            if (!closing) {
                context.suspect("the emulated network went down: its engine exited with code " + end.exitValue());
            }
        });
        context.log("the emulated network is up: " + topology.hosts().size() + " hosts, "
                + topology.links().size() + " links, forwarded by " + started.name()
                + (held.isHeld() ? "; idle processors do not enter sleep states" : ""));
        return made;
    }

    private BirdProcesses route(Lab where, Topology topology) throws IOException, InterruptedException {
        RoutingWatcher watch = new RoutingWatcher(
                topology, declared.routing(), declared.testers(), declared.service(), context::changed);
        BirdProcesses started =
                BirdProcesses.start(where, topology, declared.routing(), watch, context.folder(), context::announce);
        birds = started;
        return started;
    }

    /** Makes the groups of hosts with limits. */
    private void limit() throws IOException {
        if (declared.limits().isEmpty()) {
            return;
        }
        String missing = Cgroups.missing(declared.limits().values());
        if (!missing.isEmpty()) {
            throw new IOException(missing);
        }
        Cgroups made = Cgroups.make(declared.limits());
        groups = made;
        groupGuard = CgroupGuard.of(made);
    }

    private List<Path> groups(String host) {
        Cgroups made = groups;
        return made == null ? List.of() : made.of(host);
    }

    @Override
    public void start(List<Place> places) throws IOException, InterruptedException {
        Lab where = lab();
        int port = context.controller().getPort();
        for (Place place : places) {
            int tester = place.tester();
            Path folder = Files.createDirectory(scratch().resolve("tester-" + tester));
            Path log = context.folder().resolve("tester-" + tester + ".log");
            Process process = new ProcessBuilder(
                            where.on(place.node(), Path.of("").toAbsolutePath(), groups(place.node()), command(folder)))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            testers.put(tester, process);
            process.onExit().thenAccept(end -> {
                if (!closing && end.exitValue() != 0) {
                    context.failed(
                            tester,
                            "its process on " + place.node() + " exited with code " + end.exitValue() + " (" + log
                                    + ")");
                }
            });
            give(tester, process, context.ticket(tester, where.management().controller(), port));
        }
    }

    @Override
    public void begun(long startNanos) throws IOException {
        if (birds != null) {
            birds.begun(startNanos);
        }
        Carrier running = carrier;
        if (running != null) {
            List<Change.Order> orders = new ArrayList<>();
            for (Change change : declared.changes()) {
                orders.add(change.order(orders.size(), startNanos));
            }
            running.begun(startNanos, orders);
        }
    }

    private Path scratch() {
        ScratchFolder folder = scratch;
        if (folder == null) {
            throw new IllegalStateException("The network must be created before its folders");
        }
        return folder.path();
    }

    private void give(int tester, Process process, String ticket) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(ticket.getBytes(StandardCharsets.UTF_8));
        } catch (CompletionException | IOException e) {
            // It ended before it read its ticket; the exit handler says why.
            context.log("tester-" + tester + " could not read its join ticket: " + e.getMessage());
        }
    }

    private List<String> command(Path folder) {
        List<String> command = new ArrayList<>();
        command.add(context.java());
        command.addAll(context.jvm());
        if (VirtualTime.isHere()) {
            // Compiling takes no time there.
            command.add("-Ddiperf.rehearse=false");
        }
        // The name by which testers are found in a list of processes.
        command.add("-Ddiperf.role=diperf-tester");
        command.add("-cp");
        command.add(context.testerClassPath().stream()
                .map(path -> path.toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator)));
        command.addAll(List.of("org.diperf.tester.TesterMain", "--folder", folder.toString()));
        command.addAll(List.of(
                "--spool",
                context.privateFolder().resolve(SPOOLS).toAbsolutePath().toString()));
        for (Path jar : context.pluginJars()) {
            command.addAll(List.of("--plugin", jar.toAbsolutePath().toString()));
        }
        return command;
    }

    @Override
    public Duration patience() {
        return JOIN.plus(JOIN_EACH.multipliedBy(context.testers()));
    }

    @Override
    public Host host(String name) throws IOException, InterruptedException {
        checkHost(name);
        Lab where = lab();
        Path folder = Files.createDirectory(scratch().resolve("host-" + name + "-" + hosts.size()));
        LabHost host = new LabHost(name, where, folder, groups(name));
        hosts.add(host);
        return host;
    }

    @Override
    public <T> T within(String host, Callable<T> action) throws Exception {
        Lab where = lab;
        if (where == null) {
            throw new IllegalStateException("The network must be created before it is inspected");
        }
        checkHost(host);
        return NetworkNamespace.within(where.network(host), action);
    }

    private void checkHost(String name) {
        if (declared.topology().host(name) < 0 || name.equals(declared.controller())) {
            throw new IllegalArgumentException("expected a host in the testbed, one of "
                    + declared.topology().hosts().stream()
                            .map(EmulatedHost::name)
                            .toList()
                    + ", got '" + name + "'");
        }
    }

    @Override
    public Duration shortestRoundTrip() {
        return Duration.ofNanos(facts.shortestRoundTripNanos());
    }

    @Override
    public List<Annex> annexes() {
        Carrier running = carrier;
        Lab where = lab;
        if (running == null || where == null) {
            return List.of();
        }
        List<Rerouting> reroutings = birds == null ? List.of() : birds.reroutings();
        CarrierStatistics account = running.account().orElse(null);
        EngineReport report = account == null ? new EngineReport(facts.parts().size()) : account.last();
        OptionalLong probes = account == null ? OptionalLong.empty() : account.probes();
        return List.of(NetworkAnnex.of(
                facts.network(running.name(), report, probes, droppedBefore(running, where), reroutings),
                Engines.isVirtual(declared.engine())));
    }

    private OptionalLong droppedBefore(Carrier running, Lab where) {
        try {
            return OptionalLong.of(running.droppedBefore(where));
        } catch (IOException | RuntimeException e) {
            context.log("emulated network: cannot read how many packets its hosts dropped: " + e.getMessage());
            return OptionalLong.empty();
        }
    }

    @Override
    public Optional<Monitor> monitor() {
        return Optional.ofNullable(carrier)
                .flatMap(Carrier::account)
                .map(account -> new LinkMonitor(account, facts.parts()));
    }

    @Override
    public String monitorName() {
        return LinkMetrics.MONITOR;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closing = true;
        try {
            // What routers say from now on is of the end.
            if (birds != null) {
                birds.close();
            }
            for (Process tester : testers.values()) {
                if (!tester.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                    tester.children().forEach(ProcessHandle::destroy);
                }
            }
            Carrier running = carrier;
            if (running != null) {
                running.end();
                running.account().ifPresent(this::log);
                running.close();
            }
        } finally {
            closeNetwork();
        }
    }

    private void log(CarrierStatistics account) {
        account.words(facts.words()).forEach(line -> context.log("emulated network: " + line));
    }

    private void closeNetwork() throws IOException, InterruptedException {
        try {
            if (information != null) {
                information.close();
            }
            if (lab != null) {
                lab.close();
            }
            if (groupGuard != null) {
                groupGuard.close();
            }
        } finally {
            try {
                if (awake != null) {
                    awake.close();
                }
            } finally {
                if (scratch != null) {
                    scratch.close();
                }
            }
        }
    }
}
