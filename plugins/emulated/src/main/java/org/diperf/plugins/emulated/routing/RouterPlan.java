package org.diperf.plugins.emulated.routing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.Routing.Protocol;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.Wiring;

/**
 * What each router of a topology is: its devices, addresses and the configuration of its bird. Links between routers are
 * networks of two addresses, and each router has one of its own on {@code lo}; hosts are announced one by one by the router
 * they are linked to. Immutable.
 *
 * <p>Of OSPF a link costs 1 and one more for each 10 µs of latency, at most 65,535, so that ways are short by latency first. With BGP all routers
 * of one autonomous system talk to one another (RFC 4271, 9.2.1.1), and find one another by OSPF.
 */
public final class RouterPlan {

    /** Of links and routers; no host can have one of these. */
    public static final String NET = "100.64.0.0/10";

    private static final int FIRST_ROUTER = Address.parse("100.64.0.1");
    private static final int NET_BITS = 10;
    private static final long COST_NANOS = 10_000;
    private static final long MAX_COST = 65_535;
    /** Names of protocols in bird's log. */
    static final String INSIDE = "inside";

    static final String TABLES = "tables";
    private static final String BETWEEN = "between_";
    private static final String WITH = "with_";

    private final Topology topology;
    private final Routing routing;

    public RouterPlan(Topology topology, Routing routing) {
        this.topology = topology;
        this.routing = routing;
    }

    public static boolean isWithin(int address) {
        return Address.isWithin(address, FIRST_ROUTER, NET_BITS);
    }

    private List<LinkEnd> ends(String router) {
        List<LinkEnd> ends = new ArrayList<>();
        for (int link = 0; link < topology.links().size(); link++) {
            for (LinkEnd end : List.of(new LinkEnd(link, false), new LinkEnd(link, true))) {
                if (end.node(topology).equals(router)) {
                    ends.add(end);
                }
            }
        }
        return ends;
    }

    /** Returns the host at the other end; below 0: it is a router. */
    private int host(LinkEnd end) {
        return topology.host(end.other().node(topology));
    }

    private String own(String router) {
        return Address.format(FIRST_ROUTER + topology.routers().indexOf(router));
    }

    /** Returns by device of a router its number where each link has two. */
    public Map<String, Integer> devices(String router) {
        Map<String, Integer> devices = new LinkedHashMap<>();
        ends(router).forEach(end -> devices.put(end.device(), Wiring.device(end.link(), end.isSecond())));
        return devices;
    }

    /** Returns commands of ip(8) in the network of a router whose devices are there. */
    public List<String> addresses(String router) {
        List<String> lines = new ArrayList<>(List.of("addr add " + own(router) + "/32 dev lo"));
        for (LinkEnd end : ends(router)) {
            if (host(end) < 0) {
                lines.add("addr add " + end.address() + "/31 dev " + end.device());
            }
            lines.add("link set " + end.device() + " txqueuelen 10000 up");
        }
        return lines;
    }

    private boolean isInside(LinkEnd end) {
        return host(end) < 0
                && (routing.protocol() == Protocol.OSPF
                        || routing.system(end.node(topology))
                                == routing.system(end.other().node(topology)));
    }

    private boolean isBetween(LinkEnd end) {
        return host(end) < 0 && !isInside(end);
    }

    /** Lists the other routers of the same autonomous system. */
    private List<String> fellows(String router) {
        return routing.protocol() == Protocol.BGP
                ? topology.routers().stream()
                        .filter(other -> !other.equals(router) && routing.system(other) == routing.system(router))
                        .toList()
                : List.of();
    }

    /** Names the neighbours that a router should find: by what bird's log calls them, what people do. */
    public Map<String, String> neighbours(String router) {
        Map<String, String> names = new LinkedHashMap<>();
        for (LinkEnd end : ends(router)) {
            String words = end.other().node(topology) + " on link "
                    + topology.links().get(end.link()).name();
            if (isInside(end)) {
                names.put(end.device(), words);
            } else if (isBetween(end)) {
                names.put(BETWEEN + end.device(), words);
            }
        }
        fellows(router).forEach(other -> names.put(with(other), other + " in the same autonomous system"));
        return names;
    }

    private String with(String router) {
        return WITH + topology.routers().indexOf(router);
    }

    /** Returns the configuration of a router's bird, version 2. */
    public String configuration(String router, Path log) {
        List<String> lines = new ArrayList<>(List.of(
                "router id " + own(router) + ";",
                "log \"" + log + "\" all;",
                "timeformat log \"%s.%6f\";",
                "protocol device { scan time 60; }",
                "protocol kernel " + TABLES
                        + " { ipv4 { import none; export all; }; merge paths on; scan time 60; debug { routes }; }",
                "protocol static hosts {",
                "  ipv4;"));
        for (LinkEnd end : ends(router)) {
            if (host(end) >= 0) {
                EmulatedHost host = topology.hosts().get(host(end));
                lines.add(route(host.address(), end));
                host.control().ifPresent(control -> lines.add(route(control, end)));
            }
        }
        lines.add("}");
        lines.addAll(inside(router));
        for (LinkEnd end : ends(router)) {
            if (isBetween(end)) {
                lines.addAll(session(
                        BETWEEN + end.device(),
                        end.address(),
                        routing.system(router),
                        end.other().address(),
                        routing.system(end.other().node(topology)),
                        "check link " + (routing.showsCarrier() ? "yes" : "no") + ";"));
            }
        }
        for (String other : fellows(router)) {
            lines.addAll(session(
                    with(other), own(router), routing.system(router), own(other), routing.system(router), "multihop;"));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String route(int address, LinkEnd end) {
        return "  route " + Address.format(address) + "/32 via \"" + end.device() + "\";";
    }

    private List<String> inside(String router) {
        boolean carriesHosts = routing.protocol() == Protocol.OSPF;
        List<String> lines = new ArrayList<>(List.of(
                "protocol ospf v2 " + INSIDE + " {",
                "  debug { states, interfaces, events };",
                "  ecmp yes;",
                "  ipv4 { import all; export " + (carriesHosts ? "where source = RTS_STATIC" : "none") + "; };",
                "  area 0 {",
                "    interface \"lo\" { stub; };"));
        for (LinkEnd end : ends(router)) {
            if (isInside(end)) {
                lines.add(String.format(
                        Locale.ROOT,
                        "    interface \"%s\" { type ptp; hello %d; dead %d; cost %d; check link yes; };",
                        end.device(),
                        routing.helloSeconds(),
                        routing.deadSeconds(),
                        cost(end)));
            }
        }
        lines.addAll(List.of("  };", "}"));
        return lines;
    }

    private long cost(LinkEnd end) {
        Link link = topology.links().get(end.link());
        long nanos = (end.isSecond() ? link.back() : link.there())
                .stream().mapToLong(Direction::latencyNanos).min().orElse(0);
        return Math.min(MAX_COST, 1 + nanos / COST_NANOS);
    }

    private List<String> session(String name, String from, long fromSystem, String to, long toSystem, String how) {
        return List.of(
                "protocol bgp " + name + " {",
                "  debug { states, events };",
                "  local " + from + " as " + fromSystem + ";",
                "  neighbor " + to + " as " + toSystem + ";",
                "  " + how,
                "  hold time " + routing.holdSeconds() + "; keepalive time " + Math.max(1, routing.holdSeconds() / 3)
                        + ";",
                "  connect delay time 1; connect retry time 2; error wait time 1, 5; error forget time 5;",
                "  ipv4 { import all; export where source ~ [ RTS_STATIC, RTS_BGP ]; next hop self; };",
                "}");
    }
}
