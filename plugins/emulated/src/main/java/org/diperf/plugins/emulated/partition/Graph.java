package org.diperf.plugins.emulated.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A graph with weights of vertices and edges, of which no two join the same vertices. Immutable. */
final class Graph {

    /** @param weight what it costs to cut it */
    record Edge(int a, int b, long weight, long lookaheadNanos) {}

    private final long[] weights;
    private final List<Edge> edges;
    /** By number of the vertex, where its neighbours begin. */
    private final int[] begins;

    private final int[] neighbours;
    private final long[] costs;

    Graph(long[] weights, List<Edge> edges) {
        this.weights = weights;
        this.edges = List.copyOf(edges);
        begins = new int[weights.length + 1];
        for (Edge edge : edges) {
            begins[edge.a + 1]++;
            begins[edge.b + 1]++;
        }
        Arrays.parallelPrefix(begins, Integer::sum);
        int[] at = begins.clone();
        neighbours = new int[2 * edges.size()];
        costs = new long[neighbours.length];
        for (Edge edge : edges) {
            put(at[edge.a]++, edge.b, edge.weight);
            put(at[edge.b]++, edge.a, edge.weight);
        }
    }

    private void put(int at, int neighbour, long cost) {
        neighbours[at] = neighbour;
        costs[at] = cost;
    }

    int vertices() {
        return weights.length;
    }

    long weight(int vertex) {
        return weights[vertex];
    }

    long weight() {
        return LongStream.of(weights).sum();
    }

    List<Edge> edges() {
        return edges;
    }

    int firstNeighbour(int vertex) {
        return begins[vertex];
    }

    int endOfNeighbours(int vertex) {
        return begins[vertex + 1];
    }

    int neighbour(int at) {
        return neighbours[at];
    }

    long cost(int at) {
        return costs[at];
    }

    /**
     * Makes one vertex of each group.
     *
     * @param groups by number of the vertex, its group, from 0
     */
    Graph contract(int[] groups, int count) {
        long[] sums = new long[count];
        for (int vertex = 0; vertex < weights.length; vertex++) {
            sums[groups[vertex]] += weights[vertex];
        }
        Map<Long, Integer> places = new HashMap<>();
        List<Edge> merged = new ArrayList<>();
        for (Edge edge : edges) {
            int a = Math.min(groups[edge.a], groups[edge.b]);
            int b = Math.max(groups[edge.a], groups[edge.b]);
            if (a != b) {
                Integer place = places.putIfAbsent((long) a << Integer.SIZE | b, merged.size());
                if (place == null) {
                    merged.add(new Edge(a, b, edge.weight, edge.lookaheadNanos));
                } else {
                    Edge other = merged.get(place);
                    long least = Math.min(edge.lookaheadNanos, other.lookaheadNanos);
                    merged.set(place, new Edge(a, b, edge.weight + other.weight, least));
                }
            }
        }
        return new Graph(sums, merged);
    }

    /**
     * Returns the part of it that has one mark.
     *
     * @param places by number of the vertex, gets its number there; of others it stays as it is
     */
    Graph part(int[] marks, int mark, int[] places) {
        int count = 0;
        for (int vertex = 0; vertex < weights.length; vertex++) {
            if (marks[vertex] == mark) {
                places[vertex] = count++;
            }
        }
        long[] kept = new long[count];
        for (int vertex = 0; vertex < weights.length; vertex++) {
            if (marks[vertex] == mark) {
                kept[places[vertex]] = weights[vertex];
            }
        }
        List<Edge> within = new ArrayList<>();
        for (Edge edge : edges) {
            if (marks[edge.a] == mark && marks[edge.b] == mark) {
                within.add(new Edge(places[edge.a], places[edge.b], edge.weight, edge.lookaheadNanos));
            }
        }
        return new Graph(kept, within);
    }
}
