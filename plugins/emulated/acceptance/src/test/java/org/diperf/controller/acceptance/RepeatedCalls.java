package org.diperf.controller.acceptance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.plugins.emulated.netem.NetemCommands;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * A shell script with two clients and a server of {@code wire.c} on an emulated network and nothing next to them: by the commands of
 * the engine netem, but without a JVM, whose threads look at the clock at instants of their own. Stateless.
 */
final class RepeatedCalls {

    /** Of each client. */
    static final int CALLS = 100;

    /** The second client's numbers begin with it. */
    private static final int SECOND = 1_000;

    private static final int PORT = 7_000;
    private static final String SERVER = "10.99.0.1";
    /** After the start of the machine: all has been made until then, and the kernel's first two minutes are over. */
    private static final long BEGIN_NANOS = 130_000_000_000L;

    private static final int FIRST_HOLDER = 900_000;

    private RepeatedCalls() {}

    private static Direction direction(double bitsPerSecond, long latencyNanos) {
        return new Direction(bitsPerSecond, latencyNanos, 0, Queue.DEFAULT, Loss.NONE);
    }

    private static Link link(String from, String to, double bitsPerSecond, long latencyNanos) {
        List<Direction> both = List.of(direction(bitsPerSecond, latencyNanos));
        return new Link(from + "-" + to, from, to, both, both);
    }

    /** Two clients at different distances before one link that is too slow for both. */
    private static Topology topology() {
        return new Topology(
                1,
                List.of(
                        new EmulatedHost("server", "", Address.parse(SERVER)),
                        new EmulatedHost("near", "", Address.parse("10.99.0.2")),
                        new EmulatedHost("far", "", Address.parse("10.99.0.3"))),
                List.of("r"),
                List.of(
                        link("near", "r", 100e6, 1_000_000),
                        link("far", "r", 100e6, 7_000_000),
                        link("r", "server", 8e6, 3_000_000)));
    }

    /** Writes it; it prints all calls, as clients and server saw them, at its end. */
    static String script(String wire) {
        Topology topology = topology();
        NetemCommands commands = new NetemCommands(topology);
        Map<String, Long> holders = new HashMap<>();
        topology.nodes().forEach(node -> holders.put(node, (long) FIRST_HOLDER + holders.size()));
        List<String> lines = new ArrayList<>(
                List.of("set -e", "cd /dev/shm", "on() { node=$1; shift; nsenter --target \"$node\" --net \"$@\"; }"));
        for (String node : topology.nodes()) {
            lines.add("unshare --net sleep infinity & " + node + "=$!");
        }
        lines.add("sleep 1");
        for (String node : topology.nodes()) {
            lines.add("on $" + node + " sh -c 'cd /proc/sys/net && echo 1 > ipv6/conf/all/disable_ipv6"
                    + " && echo 1 > ipv6/conf/default/disable_ipv6 && echo 0 > ipv4/conf/all/rp_filter"
                    + " && echo 0 > ipv4/conf/default/rp_filter && echo 1 > ipv4/ip_forward && ip link set lo up'");
        }
        for (String pair : commands.pairs(holders::get)) {
            String named = pair;
            for (String node : topology.nodes()) {
                named = named.replace("netns " + holders.get(node), "netns $" + node);
            }
            lines.add("ip " + named);
        }
        commands.devicesAndRoutes()
                .forEach((node, all) -> all.forEach(each -> lines.add("on $" + node + " ip " + each)));
        commands.disciplines().forEach((node, all) -> all.forEach(each -> lines.add("on $" + node + " tc " + each)));
        lines.addAll(List.of(
                "on $server " + wire + " serve " + PORT + " > server &",
                "until grep -q ready server; do sleep 0.1; done",
                client(wire, "near", 0),
                client(wire, "far", SECOND),
                "wait $of_near $of_far",
                "for each in near far server; do sed -n \"s/^[0-9]/$each &/p\" $each; done"));
        return String.join("\n", lines) + "\n";
    }

    private static String client(String wire, String node, int first) {
        return "on $" + node + " " + wire + " call " + SERVER + " " + PORT + " " + CALLS + " " + BEGIN_NANOS + " "
                + first + " > " + node + " & of_" + node + "=$!";
    }
}
