package org.diperf.plugins.emulated.topology;

import java.util.List;
import java.util.OptionalLong;

/**
 * One or several physical links between two nodes. Each flow (addresses, protocol and ports) uses one of them, chosen by a
 * hash.
 *
 * @param name unique in a topology
 * @param from the node at one end
 * @param to the node at the other
 * @param there each of the physical links as it is from {@code from} to {@code to}; at least one
 * @param back the same links the other way
 * @param hashSeed decides which flow uses which; empty: the topology's seed
 */
public record Link(
        String name, String from, String to, List<Direction> there, List<Direction> back, OptionalLong hashSeed) {

    public Link {
        there = List.copyOf(there);
        back = List.copyOf(back);
        if (there.isEmpty() || there.size() != back.size()) {
            throw new IllegalArgumentException("Expected the same number of links in both directions, got "
                    + there.size() + " and " + back.size() + " of '" + name + "'");
        }
    }

    /** A link of which the topology's seed decides which flow uses which physical one. */
    public Link(String name, String from, String to, List<Direction> there, List<Direction> back) {
        this(name, from, to, there, back, OptionalLong.empty());
    }
}
