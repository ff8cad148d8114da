package org.diperf.plugins.emulated.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The shortest ways between the hosts of a topology (Dijkstra): by latency, then by the number of links, then by the order in
 * which nodes were declared. They never change. Hosts pass nothing on. Immutable.
 */
public final class ShortestPaths {

    /**
     * A link of a way.
     *
     * @param link its number in the topology
     * @param isBack whether it is used from its second node to its first
     */
    public record Step(int link, boolean isBack) {}

    /** Stands for: no way leads there. */
    private static final int NONE = -1;

    /** @param use its number, of which each link has two */
    private record Edge(int to, int use, long nanos) {}

    private record Reached(int node, long nanos, int links) {}

    private final Topology topology;
    /** By number of the use of a link: the node from which it leads. */
    private final int[] begins;
    /** By number of the host: its only link, as it leaves by it, to a router; {@link #NONE}: it has others too, or none. */
    private final int[] only;
    /**
     * By number of the node from which ways lead, then of the node: the use of the last link. Hosts that have one link share the ways from
     * their router. A way is put together when it is asked for, for there are as many as pairs of hosts.
     */
    private final int[] @Nullable [] last;

    public ShortestPaths(Topology topology) {
        this.topology = topology;
        begins = new int[2 * topology.links().size()];
        only = new int[topology.hosts().size()];
        List<String> nodes = topology.nodes();
        Map<String, Integer> numbers = topology.numbers();
        List<List<Edge>> edges = new ArrayList<>();
        nodes.forEach(node -> edges.add(new ArrayList<>()));
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            int from = numbers.getOrDefault(link.from(), -1);
            int to = numbers.getOrDefault(link.to(), -1);
            begins[2 * i] = from;
            begins[2 * i + 1] = to;
            edges.get(from).add(new Edge(to, 2 * i, shortest(link.there())));
            edges.get(to).add(new Edge(from, 2 * i + 1, shortest(link.back())));
        }
        last = new int[nodes.size()][];
        for (int host = 0; host < only.length; host++) {
            List<Edge> own = edges.get(host);
            only[host] = own.size() == 1 && own.get(0).to >= only.length ? own.get(0).use : NONE;
            int root = only[host] == NONE ? host : own.get(0).to;
            if (last[root] == null) {
                last[root] = from(root, edges);
            }
        }
    }

    private static long shortest(List<Direction> members) {
        return members.stream().mapToLong(Direction::latencyNanos).min().orElse(0);
    }

    private int[] from(int start, List<List<Edge>> edges) {
        int hosts = topology.hosts().size();
        int[] uses = new int[edges.size()];
        Arrays.fill(uses, NONE);
        long[] nanos = new long[edges.size()];
        int[] links = new int[edges.size()];
        Arrays.fill(nanos, Long.MAX_VALUE);
        nanos[start] = 0;
        PriorityQueue<Reached> open = new PriorityQueue<>(Comparator.comparingLong(Reached::nanos)
                .thenComparingInt(Reached::links)
                .thenComparingInt(Reached::node));
        open.add(new Reached(start, 0, 0));
        for (Reached at = open.poll(); at != null; at = open.poll()) {
            boolean isOld = at.nanos > nanos[at.node] || at.links > links[at.node];
            if (isOld) {
                continue;
            }
            for (Edge edge : edges.get(at.node)) {
                long sum = at.nanos + edge.nanos;
                boolean isShorter = sum < nanos[edge.to] || sum == nanos[edge.to] && at.links + 1 < links[edge.to];
                if (isShorter) {
                    nanos[edge.to] = sum;
                    links[edge.to] = at.links + 1;
                    uses[edge.to] = edge.use;
                    if (edge.to >= hosts) {
                        open.add(new Reached(edge.to, sum, at.links + 1));
                    }
                }
            }
        }
        return uses;
    }

    /** Returns the links from one host to another; empty: there is no way, or they are the same. */
    public List<Step> between(int from, int to) {
        List<Step> way = new ArrayList<>();
        if (from == to) {
            return way;
        }
        int root = only[from] == NONE ? from : begins[only[from] ^ 1];
        int[] uses = last[root];
        if (uses == null) {
            throw new IllegalArgumentException("Expected the number of a host, got " + from);
        }
        for (int node = to; node != root; node = begins[uses[node]]) {
            int use = uses[node];
            if (use == NONE) {
                return List.of();
            }
            way.add(new Step(use / 2, use % 2 == 1));
        }
        if (root != from) {
            way.add(new Step(only[from] / 2, only[from] % 2 == 1));
        }
        Collections.reverse(way);
        return way;
    }

    /** Returns the physical links of a step, as they are in its direction. */
    public List<Direction> members(Step step) {
        Link link = topology.links().get(step.link);
        return step.isBack ? link.back() : link.there();
    }

    /** Returns the latencies of a way together, in nanoseconds; of parallel links the first one's. */
    public long latencyNanos(int from, int to) {
        return between(from, to).stream()
                .mapToLong(step -> members(step).get(0).latencyNanos())
                .sum();
    }
}
