package org.diperf.plugins.emulated.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which process emulates which nodes, so that the work is balanced and the processes need to wait for one another as seldom as
 * possible. The two goals are weighed as Liu and Chien do for MaSSF: for one latency after the other it keeps together what shorter links
 * join, splits the rest, and takes the split from which it expects the greatest speed-up. The same arguments give the same result. Stateless.
 */
public final class Partitioner {

    /** As many events cost what it costs all processes to wait for one another once; measured, of two on one machine. */
    private static final double EVENTS_OF_A_BARRIER = 200;

    private Partitioner() {}

    /**
     * Splits a topology.
     *
     * @param count parts, at least 1 and at most as many as can be told apart by links that have a latency above their jitter
     * @throws IllegalArgumentException if there are more
     */
    public static Partition split(Topology topology, Load load, int count, long seed) {
        if (count == 1) {
            return Partition.whole(topology);
        }
        Graph graph = graph(topology, load);
        Partition best = null;
        double bestSpeedup = 0;
        for (long latencyNanos : latencies(graph, count)) {
            Partition partition = split(topology, graph, latencyNanos, count, new SplittableRandom(seed));
            double speedup = partition == null ? 0 : speedup(partition, load);
            if (speedup > bestSpeedup) {
                best = partition;
                bestSpeedup = speedup;
            }
        }
        if (best == null) {
            throw new IllegalArgumentException(
                    "expected a topology that links with a latency above their jitter divide into " + count
                            + " parts, got fewer parts");
        }
        return best;
    }

    /** Returns how many times as fast as one process several are, if each event costs the same. */
    private static double speedup(Partition partition, Load load) {
        double share = load.imbalance(partition) / partition.count();
        double lookahead = Math.max(1e-9, partition.lookaheadNanos() / 1e9);
        return 1 / (share + EVENTS_OF_A_BARRIER / (lookahead * load.eventsPerSecond()));
    }

    private static Graph graph(Topology topology, Load load) {
        Map<String, Integer> numbers = topology.numbers();
        List<Graph.Edge> edges = new ArrayList<>();
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            edges.add(new Graph.Edge(
                    numbers.getOrDefault(link.from(), 0),
                    numbers.getOrDefault(link.to(), 0),
                    load.links()[i],
                    Partition.lookaheadNanos(link)));
        }
        int[] same = new int[numbers.size()];
        Arrays.setAll(same, node -> node);
        return new Graph(load.nodes(), edges).contract(same, same.length);
    }

    /**
     * Lists latencies below which links are kept whole: the largest that leaves as many groups of nodes as there are parts, the largest
     * that leaves twice as many, and so on.
     */
    private static List<Long> latencies(Graph graph, int count) {
        List<Graph.Edge> shortestFirst = graph.edges().stream()
                .sorted(Comparator.comparingLong(Graph.Edge::lookaheadNanos))
                .toList();
        int[] above = new int[graph.vertices()];
        Arrays.setAll(above, vertex -> vertex);
        TreeMap<Integer, Long> largest = new TreeMap<>();
        int groups = above.length;
        for (Graph.Edge edge : shortestFirst) {
            if (edge.lookaheadNanos() > 0) {
                largest.put(groups, edge.lookaheadNanos());
            }
            if (root(above, edge.a()) != root(above, edge.b())) {
                above[root(above, edge.a())] = root(above, edge.b());
                groups--;
            }
        }
        List<Long> latencies = new ArrayList<>();
        for (long least = count; least <= above.length; least *= 2) {
            Map.Entry<Integer, Long> found = largest.ceilingEntry((int) least);
            if (found != null && !latencies.contains(found.getValue())) {
                latencies.add(found.getValue());
            }
        }
        return latencies;
    }

    private static @Nullable Partition split(
            Topology topology, Graph graph, long latencyNanos, int count, SplittableRandom random) {
        int[] groups = new int[graph.vertices()];
        int grouped = together(graph, latencyNanos, groups);
        if (grouped < count) {
            return null;
        }
        int[] parts = new int[grouped];
        split(graph.contract(groups, grouped), count, 0, parts, random);
        if (IntStream.of(parts).distinct().count() < count) {
            return null;
        }
        int[] ofNodes = new int[groups.length];
        Arrays.setAll(ofNodes, node -> parts[groups[node]]);
        return Partition.of(topology, ofNodes, count);
    }

    /** Numbers the groups that links of less latency join; returns how many there are. */
    private static int together(Graph graph, long latencyNanos, int[] groups) {
        int[] above = new int[groups.length];
        Arrays.setAll(above, vertex -> vertex);
        for (Graph.Edge edge : graph.edges()) {
            if (edge.lookaheadNanos() < latencyNanos) {
                above[root(above, edge.a())] = root(above, edge.b());
            }
        }
        int[] numbers = new int[groups.length];
        Arrays.fill(numbers, -1);
        int count = 0;
        for (int vertex = 0; vertex < groups.length; vertex++) {
            int root = root(above, vertex);
            numbers[root] = numbers[root] < 0 ? count++ : numbers[root];
            groups[vertex] = numbers[root];
        }
        return count;
    }

    private static int root(int[] above, int of) {
        int vertex = of;
        while (above[vertex] != vertex) {
            above[vertex] = above[above[vertex]];
            vertex = above[vertex];
        }
        return vertex;
    }

    /** Splits again and again in two. */
    private static void split(Graph graph, int count, int first, int[] parts, SplittableRandom random) {
        if (count == 1 || graph.vertices() == 0) {
            Arrays.fill(parts, first);
            return;
        }
        int left = count / 2;
        int[] sides = Bisection.of(graph, (double) left / count, random);
        for (int side = 0; side < 2; side++) {
            int[] places = new int[sides.length];
            Graph half = graph.part(sides, side, places);
            int[] ofHalf = new int[half.vertices()];
            split(half, side == 0 ? left : count - left, side == 0 ? first : first + left, ofHalf, random);
            for (int vertex = 0; vertex < sides.length; vertex++) {
                if (sides[vertex] == side) {
                    parts[vertex] = ofHalf[places[vertex]];
                }
            }
        }
    }
}
