package org.diperf.plugins.emulated.netem;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * The commands of ip(8) and tc(8) by which the kernel carries a topology's packets. Each node has a network namespace; each
 * physical link is a pair of devices, with a queueing discipline at either end. Packets go from node to node by static routes
 * to hosts, of parallel links by a hash of addresses and ports. Immutable.
 *
 * <p>The discipline of a device is netem with losses, latency and jitter, and below it another one with rate and queue: one
 * alone would count the packets on their way as part of the queue. The order does not matter for what arrives when.
 */
public final class NetemCommands {

    /** What netem holds by default is less than what is on its way on a fast, long link. */
    private static final int ANY_NUMBER = 10_000_000;
    /** So that packets do not overtake one another, which only a netem with a rate ensures. */
    private static final String ANY_RATE = " rate 100gbit";
    /** Rates count IP packets; the kernel counts what Ethernet puts before them too. */
    private static final int ETHERNET_BYTES = 14;

    /** Major number of the discipline with losses, latency and jitter. */
    public static final int DISTANCE = 1;

    /** Major number of the one with rate and queue. */
    public static final int RATE = 2;

    private final Topology topology;

    /** @param topology of which {@link #refusal} says nothing */
    public NetemCommands(Topology topology) {
        this.topology = topology;
    }

    /** Says what the kernel cannot do of a topology; empty: nothing. */
    public static String refusal(Topology topology) {
        for (Link link : topology.links()) {
            if (link.hashSeed().isPresent()) {
                return "netem lets the kernel assign flows to parallel links; got a hash-seed on link '" + link.name()
                        + "'";
            }
            List<Direction> all = new ArrayList<>(link.there());
            all.addAll(link.back());
            for (Direction direction : all) {
                if (direction.loss().burst() > 1) {
                    return "netem drops packets one at a time; got losses of "
                            + direction.loss().burst() + " in a row on link '" + link.name() + "'";
                }
                if (direction.bitsPerSecond() > 0 && direction.queue().inBytes()) {
                    return "netem limits queues in packets; got a queue of "
                            + direction.queue().limit() + " bytes on link '" + link.name() + "'";
                }
            }
        }
        return "";
    }

    /** Names the device of a physical link at one of its ends. */
    public static String device(int link, int member, boolean isFirstEnd) {
        return "l" + link + "m" + member + (isFirstEnd ? "a" : "b");
    }

    /**
     * Returns commands of ip(8) that make the links, from any namespace.
     *
     * @param holders of a node's name: the process whose network namespace is the node's
     */
    public List<String> pairs(ToLongFunction<String> holders) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            for (int member = 0; member < link.there().size(); member++) {
                // Both ends have one address and ask for none: no packets but those of the programs.
                String address = String.format(Locale.ROOT, "02:00:%02x:%02x:%02x:00", i >> 8 & 255, i & 255, member);
                lines.add("link add " + device(i, member, true) + " address " + address + " netns "
                        + holders.applyAsLong(link.from()) + " type veth peer name " + device(i, member, false)
                        + " address " + address + " netns " + holders.applyAsLong(link.to()));
            }
        }
        return lines;
    }

    /** Returns commands of ip(8) for each node by its name, in its namespace: devices, the host's address, routes. */
    public Map<String, List<String>> devicesAndRoutes() {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        topology.nodes().forEach(node -> lines.put(node, new ArrayList<>()));
        topology.hosts()
                .forEach(host ->
                        node(lines, host.name()).add("addr add " + Address.format(host.address()) + "/32 dev lo"));
        forEachEnd((node, device, direction) -> {
            // The kernel would hand over several packets as one, which netem loses, counts and queues as one.
            node(lines, node)
                    .add("link set " + device + " arp off gso_max_segs 1 txqueuelen 10000 mtu " + Topology.MTU + " up");
        });
        routes(lines);
        return lines;
    }

    /** Returns commands of tc(8) for each node by its name, in its namespace: what the links do to packets. */
    public Map<String, List<String>> disciplines() {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        topology.nodes().forEach(node -> lines.put(node, new ArrayList<>()));
        forEachEnd((node, device, direction) -> node(lines, node).addAll(disciplines(device, direction)));
        return lines;
    }

    private interface End {
        void at(String node, String device, Direction direction);
    }

    /** Visits both ends of each physical link, with what is done to packets that leave there. */
    private void forEachEnd(End end) {
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            for (int member = 0; member < link.there().size(); member++) {
                end.at(link.from(), device(i, member, true), link.there().get(member));
                end.at(link.to(), device(i, member, false), link.back().get(member));
            }
        }
    }

    private static List<String> node(Map<String, List<String>> lines, String node) {
        return lines.computeIfAbsent(node, name -> new ArrayList<>());
    }

    /** Returns the commands of tc(8) that have a device do to packets what a link does. */
    public static List<String> disciplines(String device, Direction direction) {
        StringBuilder distance = new StringBuilder();
        if (direction.latencyNanos() > 0) {
            distance.append(" delay ").append(micros(direction.latencyNanos()));
        }
        if (direction.jitterNanos() > 0) {
            distance.append(' ').append(micros(direction.jitterNanos())).append(ANY_RATE);
        }
        if (direction.loss().rate() > 0) {
            distance.append(" loss random ")
                    .append(BigDecimal.valueOf(direction.loss().rate() * 100).toPlainString())
                    .append('%');
        }
        List<String> lines = new ArrayList<>();
        if (distance.length() > 0) {
            lines.add("qdisc add dev " + device + " root handle 1: netem limit " + ANY_NUMBER + distance);
        }
        if (direction.bitsPerSecond() > 0) {
            lines.add("qdisc add dev " + device
                    + (distance.length() > 0 ? " parent 1:1" : " root")
                    + " handle 2: netem limit " + direction.queue().limit() + " rate "
                    + BigDecimal.valueOf(direction.bitsPerSecond()).toBigInteger() + "bit -" + ETHERNET_BYTES);
        }
        return lines;
    }

    /** As tc reads it: with a unit, and fractions of it. */
    private static String micros(long nanos) {
        return BigDecimal.valueOf(nanos, 3).stripTrailingZeros().toPlainString() + "us";
    }

    /** Adds a route to each host at each node of a way there. All ways from a node to a host are equally long. */
    private void routes(Map<String, List<String>> lines) {
        ShortestPaths ways = new ShortestPaths(topology);
        Set<String> known = new HashSet<>();
        int hosts = topology.hosts().size();
        for (int from = 0; from < hosts; from++) {
            for (int to = 0; to < hosts; to++) {
                String node = topology.hosts().get(from).name();
                String destination = Address.format(topology.hosts().get(to).address());
                String source =
                        " src " + Address.format(topology.hosts().get(from).address());
                for (ShortestPaths.Step step : ways.between(from, to)) {
                    if (known.add(node + " " + destination)) {
                        node(lines, node).add("route add " + destination + source + hops(step));
                    }
                    Link link = topology.links().get(step.link());
                    node = step.isBack() ? link.from() : link.to();
                    source = "";
                }
            }
        }
    }

    private String hops(ShortestPaths.Step step) {
        int members = topology.links().get(step.link()).there().size();
        StringBuilder hops = new StringBuilder();
        for (int member = 0; member < members; member++) {
            hops.append(members == 1 ? " dev " : " nexthop dev ").append(device(step.link(), member, !step.isBack()));
        }
        return hops.toString();
    }
}
