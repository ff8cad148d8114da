package org.diperf.plugins.emulated.partition;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * Which nodes belong to which process. Immutable.
 *
 * @param parts by number of the node, its part, from 0
 * @param count parts, at least 1
 * @param lookaheadNanos by which what a part does is ahead of its effect on another one: the least latency, less jitter, of links between
 *     parts; {@link Long#MAX_VALUE}: there are none
 */
public record Partition(List<Integer> parts, int count, long lookaheadNanos) {

    public Partition {
        parts = List.copyOf(parts);
        if (lookaheadNanos < 1) {
            throw new IllegalArgumentException(
                    "expected links between engines with a latency above their jitter, got a difference of "
                            + lookaheadNanos + " ns");
        }
        if (count < 1 || parts.stream().anyMatch(part -> part < 0 || part >= count)) {
            throw new IllegalArgumentException("expected parts from 0 to " + (count - 1) + ", got others");
        }
    }

    /** Makes the partition that gives each node of a topology a part. */
    public static Partition of(Topology topology, int[] parts, int count) {
        Map<String, Integer> numbers = topology.numbers();
        long least = Long.MAX_VALUE;
        for (Link link : topology.links()) {
            boolean isCut = parts[numbers.getOrDefault(link.from(), 0)] != parts[numbers.getOrDefault(link.to(), 0)];
            least = isCut ? Math.min(least, lookaheadNanos(link)) : least;
        }
        return new Partition(IntStream.of(parts).boxed().toList(), count, least);
    }

    /** Makes the one in which all nodes are one part. */
    public static Partition whole(Topology topology) {
        return of(topology, new int[topology.nodes().size()], 1);
    }

    /** Returns the least time that a packet takes over a link, in either direction, without the time in which it is sent. */
    static long lookaheadNanos(Link link) {
        long least = Long.MAX_VALUE;
        for (List<Direction> members : List.of(link.there(), link.back())) {
            for (Direction member : members) {
                least = Math.min(least, member.latencyNanos() - member.jitterNanos());
            }
        }
        return least;
    }

    /** Returns the part of a node, by the node's number. */
    public int part(int node) {
        return parts.get(node);
    }
}
