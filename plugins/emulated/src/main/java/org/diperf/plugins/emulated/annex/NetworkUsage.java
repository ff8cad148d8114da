package org.diperf.plugins.emulated.annex;

import java.util.List;
import org.diperf.plugins.emulated.routing.Rerouting;
import org.jspecify.annotations.Nullable;

/**
 * A network as it is declared, and what it has carried. Hosts that are alike are one node here, and links that join them one link.
 *
 * @param nodes in the order of the file
 * @param links likewise
 * @param shortestRoundTripNanos least time there and back that is declared between a tester and the service; 0: none
 * @param shortestWayNanos least time that any packet from one host to another takes as declared; 0: none, or not known
 * @param carried how it did its work; {@code null}: not known
 * @param reroutings what its routers did after changes of links, in their order; empty where they do nothing of the kind
 */
public record NetworkUsage(
        List<Node> nodes,
        List<Link> links,
        long shortestRoundTripNanos,
        long shortestWayNanos,
        @Nullable Carried carried,
        List<Rerouting> reroutings) {

    public NetworkUsage {
        nodes = List.copyOf(nodes);
        links = List.copyOf(links);
        reroutings = List.copyOf(reroutings);
    }

    /**
     * A host or router, or several hosts that are alike.
     *
     * @param name as links call it
     * @param count how many, at least 1
     * @param site label; empty: none
     */
    public record Node(String name, int count, String site, Role role) {}

    /** What a node is for. */
    public enum Role {
        SERVICE("service"),
        /** Testers and the service under test. */
        BOTH("testers, service"),
        ROUTER("router"),
        /** A host for nothing that is known here. */
        HOST("host"),
        TESTERS("testers");

        private final String text;

        Role(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * A link, or several that are alike.
     *
     * @param name as in the file
     * @param count how many, at least 1
     * @param from name of the node at one end
     * @param to name of the node at the other
     * @param there as it is from {@code from} to {@code to}
     * @param back the other way
     */
    public record Link(String name, int count, String from, String to, Way there, Way back) {}

    /**
     * One direction of a link, or of several.
     *
     * @param bitsPerSecond that each part can send; 0: not limited
     * @param latencyNanos of each part
     * @param parts names of the physical links, at least one
     * @param packets that came to all of them
     * @param bytes that all of them have sent
     * @param lost packets that they lost as declared, or because they were cut
     * @param overflowed packets that found no room in their queues
     */
    public record Way(
            double bitsPerSecond,
            long latencyNanos,
            List<String> parts,
            long packets,
            long bytes,
            long lost,
            long overflowed) {

        public Way {
            parts = List.copyOf(parts);
        }
    }

    /**
     * How it carried packets: how many since it is there, how late since the load began.
     *
     * @param engine what carried them
     * @param packets that it has given to hosts
     * @param lateness of these, or of the probes, after the instant at which they should have come
     * @param probes packets of a link next to those that are declared, of which alone the lateness is known; {@code null}: it is that of
     *     all packets
     * @param turns in which it looked at what was due, in each of which nothing else could be done; {@code null}: it has none
     * @param droppedBefore packets that a host had no room for because they were not taken from it in time; {@code null}: not known
     * @param refused packets that a host did not take, or for which there was no memory
     * @param strays packets for nobody in this network
     */
    public record Carried(
            String engine,
            long packets,
            Times lateness,
            @Nullable Long probes,
            @Nullable Times turns,
            @Nullable Long droppedBefore,
            long refused,
            long strays) {}

    /** Of many times: the one that half of them do not exceed, that 99 % do not exceed, and the longest. */
    public record Times(long p50Nanos, long p99Nanos, long maxNanos) {}
}
