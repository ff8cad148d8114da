package org.diperf.plugins.emulated.partition;

import java.util.Map;
import java.util.stream.LongStream;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * How much work the nodes of a topology are to whoever emulates it, in events: packets that a node sends, passes on or gets. Owned by whoever
 * made it; not to be changed.
 *
 * @param nodes events, by number of the node
 * @param links packets in both directions, by number of the link
 * @param eventsPerSecond in all nodes, in a second of the emulated network
 */
public record Load(long[] nodes, long[] links, double eventsPerSecond) {

    /** Of a topology alone nobody knows the traffic. With so much, a lookahead of 1 ms costs a fifth of the work in waits. */
    private static final double ASSUMED_PER_SECOND = 1e6;

    /** Of a link whose rate is not limited. */
    private static final double ANY_RATE = 1e9;

    private static final double UNIT = 1e3;

    /** Supposes that each link carries packets in proportion to its rate, as MaSSF does of a topology alone. */
    public static Load ofTopology(Topology topology) {
        Map<String, Integer> numbers = topology.numbers();
        long[] nodes = new long[numbers.size()];
        long[] links = new long[topology.links().size()];
        for (int i = 0; i < links.length; i++) {
            Link link = topology.links().get(i);
            links[i] = rate(link.there()) + rate(link.back());
            nodes[numbers.getOrDefault(link.from(), 0)] += links[i];
            nodes[numbers.getOrDefault(link.to(), 0)] += links[i];
        }
        return new Load(nodes, links, ASSUMED_PER_SECOND);
    }

    private static long rate(Iterable<Direction> members) {
        double sum = 0;
        for (Direction member : members) {
            sum += member.bitsPerSecond() == 0 ? ANY_RATE : member.bitsPerSecond();
        }
        return Math.max(1, Math.round(sum / UNIT));
    }

    /** Takes what a run has counted in so long a time of the emulated network. */
    public static Load measured(long[] nodes, long[] links, long nanos) {
        return new Load(nodes, links, Math.max(1, LongStream.of(nodes).sum() * 1e9 / nanos));
    }

    /** Returns the largest part's share of the work, as a multiple of the mean: 1 is perfect. */
    public double imbalance(Partition partition) {
        long[] parts = new long[partition.count()];
        for (int node = 0; node < nodes.length; node++) {
            parts[partition.part(node)] += nodes[node];
        }
        long all = LongStream.of(parts).sum();
        return all == 0 ? 1 : LongStream.of(parts).max().orElse(0) * (double) parts.length / all;
    }
}
