package org.diperf.plugins.emulated.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Splits a graph in two so that the weights of the sides are as asked for and few edges are cut: on a coarse graph by growing one side from a
 * vertex, then on finer and finer ones by moving vertices (Fiduccia and Mattheyses 1982; in several levels as Karypis and Kumar 1998). The
 * same seed gives the same result. Stateless.
 */
final class Bisection {

    private static final int COARSE = 60;
    private static final int SEEDS = 8;
    private static final int MAX_PASSES = 8;
    /** Below this share of the weight it does not matter which side is heavier. */
    private static final double TOLERANCE = 0.01;

    /** A graph that shrinks by less is coarse. */
    private static final double MIN_SHRINKING = 0.95;

    private Bisection() {}

    /**
     * Splits a graph.
     *
     * @param share of the weight that side 0 is to have
     * @return by number of the vertex, its side: 0 or 1
     */
    static int[] of(Graph graph, double share, SplittableRandom random) {
        int[] groups = graph.vertices() > COARSE ? match(graph, random) : new int[0];
        int count = IntStream.of(groups).max().orElse(0) + 1;
        if (groups.length == 0 || count > MIN_SHRINKING * graph.vertices()) {
            return grow(graph, share, random);
        }
        int[] coarse = of(graph.contract(groups, count), share, random);
        int[] sides = new int[graph.vertices()];
        Arrays.setAll(sides, vertex -> coarse[groups[vertex]]);
        new Moves(graph, share, sides).refine();
        return sides;
    }

    /** Joins vertices in pairs by their heaviest edges. */
    private static int[] match(Graph graph, SplittableRandom random) {
        int[] order = IntStream.range(0, graph.vertices()).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        long most = Math.max(1, 3 * graph.weight() / (2 * COARSE));
        int[] groups = new int[order.length];
        Arrays.fill(groups, -1);
        int count = 0;
        for (int vertex : order) {
            if (groups[vertex] >= 0) {
                continue;
            }
            int best = -1;
            for (int at = graph.firstNeighbour(vertex); at < graph.endOfNeighbours(vertex); at++) {
                int neighbour = graph.neighbour(at);
                boolean isFree = groups[neighbour] < 0 && graph.weight(vertex) + graph.weight(neighbour) <= most;
                best = isFree && (best < 0 || graph.cost(at) > graph.cost(best)) ? at : best;
            }
            groups[vertex] = count;
            if (best >= 0) {
                groups[graph.neighbour(best)] = count;
            }
            count++;
        }
        return groups;
    }

    /** Grows side 0 from several vertices and takes the best result. */
    private static int[] grow(Graph graph, double share, SplittableRandom random) {
        int[] best = new int[graph.vertices()];
        Moves of = null;
        for (int i = 0; i < SEEDS; i++) {
            int[] sides = grown(graph, share, random.nextInt(graph.vertices()));
            Moves moves = new Moves(graph, share, sides);
            moves.refine();
            if (of == null || moves.isBetterThan(of)) {
                of = moves;
                best = sides;
            }
        }
        return best;
    }

    private record Reached(int vertex, long cost) {}

    private static int[] grown(Graph graph, double share, int seed) {
        int[] sides = new int[graph.vertices()];
        Arrays.fill(sides, 1);
        long[] bound = new long[sides.length];
        double left = share * graph.weight();
        PriorityQueue<Reached> reached = new PriorityQueue<>(
                Comparator.comparingLong(Reached::cost).reversed().thenComparingInt(Reached::vertex));
        reached.add(new Reached(seed, 0));
        int unreached = 0;
        while (left > 0) {
            Reached next = reached.poll();
            if (next == null) {
                while (unreached < sides.length && sides[unreached] == 0) {
                    unreached++;
                }
                if (unreached == sides.length) {
                    break;
                }
                next = new Reached(unreached, 0);
            }
            if (sides[next.vertex] == 0 || graph.weight(next.vertex) > 2 * left) {
                unreached += next.vertex == unreached ? 1 : 0;
                continue;
            }
            sides[next.vertex] = 0;
            left -= graph.weight(next.vertex);
            for (int at = graph.firstNeighbour(next.vertex); at < graph.endOfNeighbours(next.vertex); at++) {
                int neighbour = graph.neighbour(at);
                if (sides[neighbour] == 1) {
                    bound[neighbour] += graph.cost(at);
                    reached.add(new Reached(neighbour, bound[neighbour]));
                }
            }
        }
        return sides;
    }

    /** Moves vertices from side to side while that makes the split better. */
    private static final class Moves {

        private record Candidate(int vertex, long gain) {}

        private static final Comparator<Candidate> BEST_FIRST =
                Comparator.comparingLong(Candidate::gain).reversed().thenComparingInt(Candidate::vertex);

        private final Graph graph;
        private final int[] sides;
        private final double tolerance;
        /** By how much less a vertex costs on the other side. */
        private final long[] gains;

        private final boolean[] isMoved;
        /** How much side 0 has too much. */
        private double excess;

        private long cut;

        Moves(Graph graph, double share, int[] sides) {
            this.graph = graph;
            this.sides = sides;
            this.tolerance = TOLERANCE * graph.weight();
            this.gains = new long[sides.length];
            this.isMoved = new boolean[sides.length];
            this.excess = -share * graph.weight();
            for (int vertex = 0; vertex < sides.length; vertex++) {
                excess += sides[vertex] == 0 ? graph.weight(vertex) : 0;
            }
            for (Graph.Edge edge : graph.edges()) {
                cut += sides[edge.a()] == sides[edge.b()] ? 0 : edge.weight();
            }
        }

        boolean isBetterThan(Moves other) {
            return isBetter(excess, cut, other.excess, other.cut);
        }

        private boolean isBetter(double ofExcess, long ofCut, double thanExcess, long thanCut) {
            double beyond = Math.max(tolerance, Math.abs(ofExcess)) - Math.max(tolerance, Math.abs(thanExcess));
            return beyond < 0 || beyond == 0 && ofCut < thanCut;
        }

        void refine() {
            for (int i = 0; i < MAX_PASSES; i++) {
                if (!pass()) {
                    return;
                }
            }
        }

        /** Moves each vertex at most once, and takes back what came after the best split; returns whether that is better than before. */
        private boolean pass() {
            double bestExcess = excess;
            long bestCut = cut;
            Arrays.fill(isMoved, false);
            PriorityQueue<Candidate>[] from = queues();
            int[] moved = new int[sides.length];
            int count = 0;
            int best = 0;
            for (int vertex = next(from); vertex >= 0; vertex = next(from)) {
                move(vertex, from);
                moved[count++] = vertex;
                if (isBetter(excess, cut, bestExcess, bestCut)) {
                    bestExcess = excess;
                    bestCut = cut;
                    best = count;
                }
            }
            for (int i = best; i < count; i++) {
                int vertex = moved[i];
                excess += sides[vertex] == 0 ? -graph.weight(vertex) : graph.weight(vertex);
                sides[vertex] ^= 1;
            }
            excess = bestExcess;
            cut = bestCut;
            return best > 0;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private PriorityQueue<Candidate>[] queues() {
            PriorityQueue<Candidate>[] from =
                    new PriorityQueue[] {new PriorityQueue<>(BEST_FIRST), new PriorityQueue<>(BEST_FIRST)};
            for (int vertex = 0; vertex < sides.length; vertex++) {
                long gain = 0;
                for (int at = graph.firstNeighbour(vertex); at < graph.endOfNeighbours(vertex); at++) {
                    gain += sides[graph.neighbour(at)] == sides[vertex] ? -graph.cost(at) : graph.cost(at);
                }
                gains[vertex] = gain;
                from[sides[vertex]].add(new Candidate(vertex, gain));
            }
            return from;
        }

        /** Takes the vertex whose move gains most among those that leave the sides balanced, or more so than they are; -1: there is none. */
        private int next(PriorityQueue<Candidate>[] from) {
            Candidate zero = first(from[0]);
            Candidate one = first(from[1]);
            if (zero == null && one == null) {
                return -1;
            }
            boolean isZero = one == null || zero != null && BEST_FIRST.compare(zero, one) < 0;
            Candidate chosen = (isZero ? from[0] : from[1]).remove();
            return chosen.vertex;
        }

        private @Nullable Candidate first(PriorityQueue<Candidate> queue) {
            for (Candidate at = queue.peek(); at != null; at = queue.peek()) {
                boolean isOld = isMoved[at.vertex] || gains[at.vertex] != at.gain;
                double after = excess + (sides[at.vertex] == 0 ? -graph.weight(at.vertex) : graph.weight(at.vertex));
                boolean keepsBalance = Math.abs(after) <= Math.max(tolerance, Math.abs(excess));
                if (!isOld && keepsBalance) {
                    return at;
                }
                queue.remove();
            }
            return null;
        }

        private void move(int vertex, PriorityQueue<Candidate>[] from) {
            isMoved[vertex] = true;
            excess += sides[vertex] == 0 ? -graph.weight(vertex) : graph.weight(vertex);
            cut -= gains[vertex];
            sides[vertex] ^= 1;
            for (int at = graph.firstNeighbour(vertex); at < graph.endOfNeighbours(vertex); at++) {
                int neighbour = graph.neighbour(at);
                if (!isMoved[neighbour]) {
                    gains[neighbour] += sides[neighbour] == sides[vertex] ? -2 * graph.cost(at) : 2 * graph.cost(at);
                    from[sides[neighbour]].add(new Candidate(neighbour, gains[neighbour]));
                }
            }
        }
    }
}
