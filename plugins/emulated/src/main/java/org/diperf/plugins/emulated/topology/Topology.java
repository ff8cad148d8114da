package org.diperf.plugins.emulated.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An emulated network. Immutable.
 *
 * @param seed decides which packets are lost, jitter, and which flow uses which of parallel links
 * @param hosts with different names and addresses
 * @param routers names of nodes that pass packets on, none of them a host's
 * @param links between different nodes, with different names
 */
public record Topology(long seed, List<EmulatedHost> hosts, List<String> routers, List<Link> links) {

    /** Largest IP packet of its links, in bytes. */
    public static final int MTU = 1_500;

    public Topology {
        hosts = List.copyOf(hosts);
        routers = List.copyOf(routers);
        links = List.copyOf(links);
        Set<String> nodes = new HashSet<>(routers);
        Set<Integer> addresses = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (EmulatedHost host : hosts) {
            check(nodes.add(host.name()), "unique node names", host.name());
            check(addresses.add(host.address()), "unique host addresses", host.name());
            check(
                    host.control().isEmpty() || addresses.add(host.control().getAsInt()),
                    "unique host addresses",
                    host.name());
        }
        for (Link link : links) {
            check(
                    nodes.contains(link.from()) && nodes.contains(link.to()),
                    "links only between its nodes",
                    link.name());
            check(!link.from().equals(link.to()), "links between different nodes", link.name());
            check(names.add(link.name()), "unique link names", link.name());
        }
    }

    private static void check(boolean holds, String rule, String where) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "expected a topology with " + rule + ", got a violation at '" + where + "'");
        }
    }

    /** Lists all nodes, hosts first; a node's place in this list is its number. */
    public List<String> nodes() {
        List<String> nodes =
                new ArrayList<>(hosts.stream().map(EmulatedHost::name).toList());
        nodes.addAll(routers);
        return nodes;
    }

    /** Returns the numbers of nodes by their names. */
    public Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new HashMap<>();
        nodes().forEach(node -> numbers.put(node, numbers.size()));
        return numbers;
    }

    /**
     * A physical link in one direction.
     *
     * @param member its number among the parallel ones
     */
    public record Pipe(Link link, int member, boolean isBack) {

        /** Names it apart from all others: {@code bone.there}, {@code bone.1.back}. */
        public String name() {
            return link.name() + (link.there().size() == 1 ? "" : "." + member) + (isBack ? ".back" : ".there");
        }

        /** Names it for people. */
        public String words() {
            return link.name() + " from " + (isBack ? link.to() : link.from()) + " to "
                    + (isBack ? link.from() : link.to())
                    + (link.there().size() == 1 ? "" : ", number " + member);
        }
    }

    /** Lists all physical links, of each link those there before those back; a place in this list is a number. */
    public List<Pipe> pipes() {
        List<Pipe> pipes = new ArrayList<>();
        for (Link link : links) {
            for (boolean isBack : new boolean[] {false, true}) {
                for (int member = 0; member < link.there().size(); member++) {
                    pipes.add(new Pipe(link, member, isBack));
                }
            }
        }
        return pipes;
    }

    /** The numbers of the nodes from and to which a physical link leads. */
    public record End(int from, int to) {}

    /** Lists between which nodes physical links are, in the order of {@link #pipes}. */
    public List<End> ends() {
        Map<String, Integer> numbers = numbers();
        List<End> ends = new ArrayList<>();
        for (Pipe pipe : pipes()) {
            int from = numbers.getOrDefault(pipe.link.from(), -1);
            int to = numbers.getOrDefault(pipe.link.to(), -1);
            ends.add(pipe.isBack ? new End(to, from) : new End(from, to));
        }
        return ends;
    }

    /** Returns the number of the host with a name; -1: there is none. */
    public int host(String name) {
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
