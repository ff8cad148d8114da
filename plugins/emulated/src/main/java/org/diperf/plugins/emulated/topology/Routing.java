package org.diperf.plugins.emulated.topology;

import java.util.Map;
import java.util.TreeMap;

/**
 * How routers find the ways. Immutable.
 *
 * @param protocol by which they do
 * @param showsCarrier whether a cut link has no carrier at its ends; if not, its routers miss one another's packets
 * @param helloSeconds between two hellos of OSPF, at least 1
 * @param deadSeconds after which a silent neighbour of OSPF is given up
 * @param holdSeconds after which a silent neighbour of BGP is given up, at least 3; it sends three times as often
 * @param systems of BGP, by router: the number of its autonomous system
 */
public record Routing(
        Protocol protocol,
        boolean showsCarrier,
        int helloSeconds,
        int deadSeconds,
        int holdSeconds,
        Map<String, Long> systems) {

    /** By what routers find ways. */
    public enum Protocol {
        /** The engine knows the shortest ones, which never change. */
        STATIC,
        /** Open Shortest Path First, version 2, one area. */
        OSPF,
        /** Border Gateway Protocol, version 4, between autonomous systems, with OSPF inside each. */
        BGP
    }

    public static final Routing STATIC = new Routing(Protocol.STATIC, false, 1, 4, 9, Map.of());

    public Routing {
        systems = new TreeMap<>(systems);
    }

    public boolean isStatic() {
        return protocol == Protocol.STATIC;
    }

    /** Returns where the engine has devices. */
    public Wiring wiring() {
        return isStatic() ? Wiring.HOSTS : showsCarrier ? Wiring.LINKS_WITH_CARRIER : Wiring.LINKS;
    }

    /** Returns the number of a router's autonomous system. */
    public long system(String router) {
        return systems.getOrDefault(router, 0L);
    }
}
