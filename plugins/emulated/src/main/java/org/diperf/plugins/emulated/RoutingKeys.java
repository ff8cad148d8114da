package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.Routing.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * What the experiment file says of routing.
 *
 * @param routing without autonomous systems
 * @param keys where it is said; {@code null}: nowhere
 */
record RoutingKeys(Routing routing, @Nullable Parameters keys) {

    private static final String PROTOCOL = "protocol";
    private static final String DETECT = "detect";
    private static final String CARRIER = "carrier";
    private static final String HELLO = "hello";
    private static final String DEAD = "dead";
    private static final String HOLD = "hold";
    private static final int MAX_SECONDS = 3_600;
    private static final int MIN_HOLD = 3;
    /** As for private use by RFC 6996. */
    private static final long FIRST_PRIVATE = 4_200_000_000L;

    static final Parameter KEY = Parameter.optional(
                    Keys.ROUTING, Type.MAPPING, "how routers find routes; ospf and bgp use bird")
            .of(
                    Parameter.required(
                                    PROTOCOL,
                                    Type.STRING,
                                    "routing protocol; if it is the only setting, routing: PROTOCOL is enough")
                            .oneOf("static", "ospf", "bgp"),
                    Parameter.optional(DETECT, Type.STRING, "how routers detect a cut link; default: hello")
                            .oneOf(HELLO, CARRIER),
                    Parameter.optional(HELLO, Type.DURATION, "time between hello messages; default: 1s")
                            .parsedBy(text -> seconds(text, 1)),
                    Parameter.optional(
                                    DEAD,
                                    Type.DURATION,
                                    "ospf: silence after which a neighbour is considered down; default: 4 times "
                                            + "hello")
                            .parsedBy(text -> seconds(text, 1)),
                    Parameter.optional(HOLD, Type.DURATION, "bgp: silence after which a neighbour is considered down")
                            .parsedBy(text -> seconds(text, MIN_HOLD)))
            .shortFor(PROTOCOL)
            .suchAs("{ protocol: ospf, hello: 1s, dead: 4s }");

    static RoutingKeys of(Parameters with) {
        if (!with.has(Keys.ROUTING)) {
            return new RoutingKeys(Routing.STATIC, null);
        }
        Parameters keys = with.mapping(Keys.ROUTING);
        Protocol protocol = Protocol.valueOf(keys.string(PROTOCOL).toUpperCase(Locale.ROOT));
        refuse(keys, protocol == Protocol.STATIC ? List.of(DETECT, HELLO, DEAD, HOLD) : List.of(), "ospf and bgp");
        refuse(keys, protocol == Protocol.OSPF ? List.of(HOLD) : List.of(), "bgp");
        int hello = seconds(keys, HELLO, Routing.STATIC.helloSeconds());
        int dead = seconds(keys, DEAD, Math.max(Routing.STATIC.deadSeconds(), hello * 4));
        if (dead <= hello) {
            throw keys.unusable(DEAD, expected(hello + 1) + ", got '" + dead + "s'");
        }
        return new RoutingKeys(
                new Routing(
                        protocol,
                        keys.has(DETECT) && keys.string(DETECT).equals(CARRIER),
                        hello,
                        dead,
                        seconds(keys, HOLD, Routing.STATIC.holdSeconds()),
                        Map.of()),
                keys);
    }

    private static void refuse(Parameters keys, List<String> others, String protocols) {
        for (String key : others) {
            if (keys.has(key)) {
                throw keys.unusable(key, "'" + key + "' applies only to " + protocols);
            }
        }
    }

    private static int seconds(Parameters keys, String key, int otherwise) {
        return keys.has(key) ? keys.value(key, Integer.class) : otherwise;
    }

    private static int seconds(String text, int least) {
        Duration duration = Quantity.duration(text);
        if (duration.getNano() != 0 || duration.getSeconds() < least || duration.getSeconds() > MAX_SECONDS) {
            throw new IllegalArgumentException(expected(least) + ", got '" + text + "'");
        }
        return (int) duration.getSeconds();
    }

    private static String expected(int least) {
        return "expected whole seconds from " + least + "s to " + MAX_SECONDS + "s";
    }

    /**
     * What it says of a router.
     *
     * @param site label; empty: none
     * @param system number of its autonomous system; {@code null}: not said
     */
    record Router(String site, @Nullable Long system) {

        static Router of(Parameters router, Routing routing) {
            if (router.has(Keys.SYSTEM) && routing.protocol() != Protocol.BGP) {
                throw router.unusable(Keys.SYSTEM, "'as' requires routing: bgp");
            }
            return new Router(
                    router.has(Keys.SITE) ? router.value(Keys.SITE, String.class) : "",
                    router.has(Keys.SYSTEM) ? router.value(Keys.SYSTEM, Long.class) : null);
        }
    }

    /**
     * Returns it with the autonomous systems: as they are said, else one of each site, else one of each router.
     *
     * @param links of the network: routers of a system must be joined by some among themselves
     */
    Routing with(Map<String, Router> routers, List<Link> links) {
        if (routing.protocol() != Protocol.BGP) {
            return routing;
        }
        Map<String, Long> systems = new LinkedHashMap<>();
        Map<String, Long> ofSites = new LinkedHashMap<>();
        long next = FIRST_PRIVATE;
        for (Map.Entry<String, Router> router : routers.entrySet()) {
            Long said = router.getValue().system;
            String site = router.getValue().site;
            Long known = site.isEmpty() ? null : ofSites.get(site);
            long number = said != null ? said : known != null ? known : next++;
            if (said == null && !site.isEmpty()) {
                ofSites.put(site, number);
            }
            systems.put(router.getKey(), number);
        }
        for (Map.Entry<String, Long> router : systems.entrySet()) {
            Set<String> joined = joined(router.getKey(), systems, links);
            for (Map.Entry<String, Long> other : systems.entrySet()) {
                if (other.getValue().equals(router.getValue()) && !joined.contains(other.getKey())) {
                    throw new Parameters.Unusable(
                            Keys.ROUTERS,
                            "expected the routers in an autonomous system to be connected to each other, got no "
                                    + "route "
                                    + "from '" + router.getKey() + "' to '" + other.getKey() + "' within "
                                    + (router.getValue() >= FIRST_PRIVATE
                                            ? "their site"
                                            : "system " + router.getValue()));
                }
            }
        }
        return new Routing(
                routing.protocol(),
                routing.showsCarrier(),
                routing.helloSeconds(),
                routing.deadSeconds(),
                routing.holdSeconds(),
                systems);
    }

    private static Set<String> joined(String router, Map<String, Long> systems, List<Link> links) {
        Set<String> joined = new LinkedHashSet<>(Set.of(router));
        Long system = systems.get(router);
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Link link : links) {
                boolean isInside = system != null
                        && system.equals(systems.get(link.from()))
                        && system.equals(systems.get(link.to()));
                if (isInside && (joined.contains(link.from()) || joined.contains(link.to()))) {
                    grows |= joined.add(link.from()) | joined.add(link.to());
                }
            }
        }
        return joined;
    }
}
