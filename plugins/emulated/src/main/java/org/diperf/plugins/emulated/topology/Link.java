package org.diperf.plugins.emulated.topology;

import java.util.List;

/**
 * One or several physical links between two nodes. Each flow (addresses, protocol and ports) uses one of them, chosen by a
 * hash.
 *
 * @param name unique in a topology
 * @param from the node at one end
 * @param to the node at the other
 * @param there each of the physical links as it is from {@code from} to {@code to}; at least one
 * @param back the same links the other way
 */
public record Link(String name, String from, String to, List<Direction> there, List<Direction> back) {

    public Link {
        there = List.copyOf(there);
        back = List.copyOf(back);
        if (there.isEmpty() || there.size() != back.size()) {
            throw new IllegalArgumentException("Wanted as many links there as back, found " + there.size() + " and "
                    + back.size() + " of '" + name + "'");
        }
    }
}
