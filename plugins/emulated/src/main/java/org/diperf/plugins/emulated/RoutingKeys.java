package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.Nearest;
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
 * @param tree where it is said; {@code null}: nowhere
 */
record RoutingKeys(Routing routing, @Nullable Tree tree) {

    private static final String PROTOCOL = "protocol";
    private static final String DETECT = "detect";
    private static final String CARRIER = "carrier";
    private static final String HELLO = "hello";
    private static final String DEAD = "dead";
    private static final String HOLD = "hold";
    private static final List<String> DETECTIONS = List.of(HELLO, CARRIER);
    private static final List<String> ALL = List.of(PROTOCOL, DETECT, HELLO, DEAD, HOLD);
    private static final List<String> PROTOCOLS = List.of("static", "ospf", "bgp");
    private static final int MAX_SECONDS = 3_600;
    private static final int MIN_HOLD = 3;
    /** As for private use by RFC 6996. */
    private static final long FIRST_PRIVATE = 4_200_000_000L;

    static RoutingKeys of(Parameters with) {
        Optional<Object> value = with.tree(Keys.ROUTING);
        if (value.isEmpty()) {
            return new RoutingKeys(Routing.STATIC, null);
        }
        Tree tree = new Tree(Keys.ROUTING, value.get());
        String wanted = "a protocol such as ospf, or { protocol: ospf, hello: 1s, dead: 4s }";
        Map<String, Tree> keys = tree.isMapping() ? tree.keys(wanted, ALL) : Map.of(PROTOCOL, tree);
        Tree named = keys.get(PROTOCOL);
        if (named == null) {
            throw tree.problem("expected the protocol, one of " + PROTOCOLS + ", got none");
        }
        Protocol protocol = Protocol.valueOf(word(named, PROTOCOLS).toUpperCase(Locale.ROOT));
        refuse(keys, protocol == Protocol.STATIC ? ALL.subList(1, ALL.size()) : List.of(), "ospf and bgp");
        refuse(keys, protocol == Protocol.OSPF ? List.of(HOLD) : List.of(), "bgp");
        Tree detect = keys.get(DETECT);
        int hello = seconds(keys.get(HELLO), 1, Routing.STATIC.helloSeconds());
        int dead = seconds(keys.get(DEAD), hello + 1, Math.max(Routing.STATIC.deadSeconds(), hello * 4));
        int hold = seconds(keys.get(HOLD), MIN_HOLD, Routing.STATIC.holdSeconds());
        return new RoutingKeys(
                new Routing(
                        protocol,
                        detect != null && word(detect, DETECTIONS).equals(CARRIER),
                        hello,
                        dead,
                        hold,
                        Map.of()),
                tree);
    }

    private static void refuse(Map<String, Tree> keys, List<String> others, String protocols) {
        for (String key : others) {
            Tree found = keys.get(key);
            if (found != null) {
                throw found.problem("'" + key + "' is of the protocols " + protocols);
            }
        }
    }

    private static String word(Tree tree, List<String> known) {
        String word = tree.text("one of " + known);
        if (!known.contains(word)) {
            throw tree.problem("expected one of " + known + ", got '" + word + "'" + Nearest.suggestion(word, known));
        }
        return word;
    }

    private static int seconds(@Nullable Tree key, int least, int otherwise) {
        if (key == null) {
            return otherwise;
        }
        String wanted = "whole seconds from " + least + "s to " + MAX_SECONDS + "s";
        Duration duration = key.parsed(wanted, Quantity::duration);
        if (duration.getNano() != 0 || duration.getSeconds() < least || duration.getSeconds() > MAX_SECONDS) {
            throw key.unusable(wanted);
        }
        return (int) duration.getSeconds();
    }

    /**
     * What it says of a router.
     *
     * @param site label; empty: none
     * @param system number of its autonomous system; {@code null}: not said
     */
    record Router(String site, @Nullable Long system) {

        static final Router NONE = new Router("", null);
        private static final List<String> KEYS = List.of("site", "as");
        private static final long MAX_SYSTEM = 4_294_967_294L;

        Router {
            site = site.strip();
        }

        static Router of(Tree tree, Routing routing) {
            Map<String, Tree> keys = tree.keys("a router such as { as: 64512 }, or {}", KEYS);
            Tree site = keys.get("site");
            Tree system = keys.get("as");
            if (system != null && routing.protocol() != Protocol.BGP) {
                throw system.problem("'as' is of routing: bgp");
            }
            return new Router(site == null ? "" : TopologyReader.site(site), system == null ? null : number(system));
        }

        private static Long number(Tree system) {
            if (system.value() instanceof Long number && number >= 1 && number <= MAX_SYSTEM) {
                return number;
            }
            throw system.unusable("the number of an autonomous system from 1 to " + MAX_SYSTEM);
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
                            "expected routers of one autonomous system to be joined by links among themselves,"
                                    + " got no route from '" + router.getKey() + "' to '" + other.getKey() + "' within "
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
