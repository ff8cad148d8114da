package org.diperf.plugins.emulated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.netem.NetemCommands;
import org.diperf.plugins.emulated.netem.Probes;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Has the kernel carry the packets, by netem. It says nothing of how well it does, so probes go over a link next to those of the topology. Confined to
 * one thread.
 */
final class KernelCarrier implements Carrier {

    /** The nodes of the link for probes: no host or router can have such names. */
    private static final List<String> OF_PROBES = List.of(".sender", ".receiver");

    private static final String PROBE_DEVICE = "probe";
    /** For documentation, so nobody's. */
    private static final String PROBE_SENDER = "192.0.2.1";

    private static final String PROBE_RECEIVER = "192.0.2.2";

    private final Lab lab;
    private final Topology topology;
    private @Nullable Probes probes;
    private @Nullable LinkEndReader ends;
    private @Nullable KernelStatistics account;

    /** @param topology that netem can carry */
    KernelCarrier(Lab lab, Topology topology) {
        this.lab = lab;
        this.topology = topology;
    }

    /** Says what this machine lacks, by trying it in a network that is gone with the command; empty: nothing. */
    static String missing() throws InterruptedException {
        try {
            Commands.run(
                    List.of("unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"));
            return "";
        } catch (IOException e) {
            return "the engine netem needs tc (iproute2) and a kernel with netem (CONFIG_NET_SCH_NETEM; try: modprobe"
                    + " sch_netem); got: " + e.getMessage();
        }
    }

    @Override
    public String device(int host) {
        return "";
    }

    @Override
    public void awaitReady(Engine.ChangeListener listener) throws IOException, InterruptedException {
        lab.addRouters(topology.routers());
        NetemCommands commands = new NetemCommands(topology);
        List<String> script = new ArrayList<>(List.of("set -e"));
        for (String node : topology.nodes()) {
            script.add(in(node) + "sh -c 'cd /proc/sys/net/ipv4"
                    // The way back may be by another of parallel links.
                    + " && echo 0 > conf/all/rp_filter && echo 0 > conf/default/rp_filter"
                    + " && echo 1 > fib_multipath_hash_policy"
                    + (topology.host(node) < 0 ? " && echo 1 > ip_forward'" : "'"));
        }
        script.add("ip -batch " + file("pairs", commands.pairs(lab::holder)));
        for (Map.Entry<String, List<String>> node : commands.devicesAndRoutes().entrySet()) {
            script.add(in(node.getKey()) + "ip -batch " + file("ip-" + node.getKey(), node.getValue()));
        }
        for (Map.Entry<String, List<String>> node : commands.disciplines().entrySet()) {
            script.add(in(node.getKey()) + "tc -batch " + file("tc-" + node.getKey(), node.getValue()));
        }
        Commands.run(
                lab.inside(List.of("sh", file("netem", script))),
                Commands.forNodes(topology.nodes().size()));
        LinkEndReader opened = LinkEndReader.open(lab, topology);
        ends = opened;
        Probes started = probe();
        probes = started;
        account = new KernelStatistics(topology, opened, started::report, started::count, NanoClock.SYSTEM);
    }

    private Probes probe() throws IOException, InterruptedException {
        lab.addRouters(OF_PROBES);
        String sender = OF_PROBES.get(0);
        String receiver = OF_PROBES.get(1);
        Direction way = new Direction(0, Probes.LATENCY_NANOS, 0, Queue.DEFAULT, Loss.NONE);
        String address = " address 02:00:00:00:00:01 ";
        String up = "link set " + PROBE_DEVICE + " arp off up";
        List<String> script = List.of(
                "set -e",
                "ip link add " + PROBE_DEVICE + address + "netns " + lab.holder(sender) + " type veth peer name "
                        + PROBE_DEVICE + address + "netns " + lab.holder(receiver),
                in(sender) + "ip -batch "
                        + file("probe-sender", List.of("addr add " + PROBE_SENDER + "/30 dev " + PROBE_DEVICE, up)),
                in(receiver) + "ip -batch "
                        + file("probe-receiver", List.of("addr add " + PROBE_RECEIVER + "/30 dev " + PROBE_DEVICE, up)),
                in(sender) + "tc -batch " + file("probe-tc", NetemCommands.disciplines(PROBE_DEVICE, way)));
        Commands.run(lab.inside(List.of("sh", file("probe", script))));
        return Probes.start(
                within(sender), within(receiver), Address.parse(PROBE_RECEIVER), WallClock.SYSTEM, NanoClock.SYSTEM);
    }

    private Probes.Within within(String node) {
        return new Probes.Within() {
            @Override
            public <T> T run(Callable<T> action) throws Exception {
                return NetworkNamespace.within(lab.network(node), action);
            }
        };
    }

    @Override
    public String name() {
        return Engines.NETEM;
    }

    /** Hosts hand packets over to netem themselves. */
    @Override
    public long droppedBefore(Lab where) {
        return 0;
    }

    @Override
    public void begun(long startNanos, List<Change.Order> changes) {
        if (probes != null) {
            probes.countFrom(startNanos);
        }
        if (!changes.isEmpty()) {
            throw new IllegalArgumentException("Expected no link changes, got " + changes.size());
        }
    }

    private String in(String node) {
        return "nsenter --target " + lab.holder(node) + " --net ";
    }

    /** Writes lines to a file of the lab; its path has no spaces. */
    private String file(String name, List<String> lines) throws IOException {
        Path file = lab.folder().resolve(name);
        Files.write(file, lines);
        return file.toString();
    }

    @Override
    public CompletableFuture<Process> ended() {
        return new CompletableFuture<>();
    }

    @Override
    public Optional<CarrierStatistics> account() {
        return Optional.ofNullable(account);
    }

    /** The links go with the lab. */
    @Override
    public void end() throws InterruptedException {
        if (account != null) {
            account.over();
        }
        if (probes != null) {
            probes.close();
        }
        if (ends != null) {
            ends.close();
        }
    }

    @Override
    public void close() {
        // It has ended.
    }
}
