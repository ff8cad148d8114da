package org.diperf.plugins.emulated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.netem.NetemCommands;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Topology;

/** Has the kernel carry the packets, by netem. It says nothing of how well it does. Confined to one thread. */
final class KernelCarrier implements Carrier {

    private final Lab lab;
    private final Topology topology;

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
            return "the engine netem wants tc (iproute2) and a kernel with netem (CONFIG_NET_SCH_NETEM; try: modprobe"
                    + " sch_netem); found: " + e.getMessage();
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
        Commands.run(lab.inside(List.of("sh", file("netem", script))));
    }

    @Override
    public void order(List<Change.Order> changes) {
        if (!changes.isEmpty()) {
            throw new IllegalArgumentException("Wanted no changes of links, found " + changes.size());
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
    public Optional<EngineWords> words() {
        return Optional.empty();
    }

    @Override
    public void end() {
        // It goes with the lab.
    }

    @Override
    public void close() {
        // Likewise.
    }
}
