package org.diperf.plugins.emulated.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
            check(nodes.add(host.name()), "one node by each name", host.name());
            check(addresses.add(host.address()), "an address of its own for each host", host.name());
            check(
                    host.control().isEmpty() || addresses.add(host.control().getAsInt()),
                    "an address of its own for each host",
                    host.name());
        }
        for (Link link : links) {
            check(nodes.contains(link.from()) && nodes.contains(link.to()), "links between its nodes", link.name());
            check(!link.from().equals(link.to()), "links between two nodes", link.name());
            check(names.add(link.name()), "one link by each name", link.name());
        }
    }

    private static void check(boolean holds, String wanted, String found) {
        if (!holds) {
            throw new IllegalArgumentException("A topology wants " + wanted + "; found another with '" + found + "'");
        }
    }

    /** Lists all nodes, hosts first; a node's place in this list is its number. */
    public List<String> nodes() {
        List<String> nodes =
                new ArrayList<>(hosts.stream().map(EmulatedHost::name).toList());
        nodes.addAll(routers);
        return nodes;
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
