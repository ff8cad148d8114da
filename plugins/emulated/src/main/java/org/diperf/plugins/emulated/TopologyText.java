package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.limits.Limits;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.BitRate;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;

/** Describes a network for people; what is alike for all hosts of a count, once. Confined to one thread. */
final class TopologyText {

    private final NetworkDeclaration declared;
    private final Topology topology;
    private final ShortestPaths ways;

    private TopologyText(NetworkDeclaration declared) {
        this.declared = declared;
        this.topology = declared.topology();
        this.ways = new ShortestPaths(topology);
    }

    /** Returns lines with hosts, routers, links, the ways between testers and service, and what changes. */
    static List<String> of(NetworkDeclaration declared) {
        TopologyText text = new TopologyText(declared);
        List<String> lines = new ArrayList<>();
        declared.groups().values().stream()
                .filter(group -> text.topology.host(group.get(0)) >= 0)
                .forEach(group -> lines.add(text.hosts(group)));
        if (!text.topology.routers().isEmpty()) {
            lines.add("routers " + String.join(", ", text.topology.routers()));
        }
        if (!declared.routing().isStatic()) {
            lines.add(text.routing());
        }
        lines.addAll(text.links());
        lines.addAll(text.ways());
        DirectoryAddress information = declared.information();
        if (information != null) {
            lines.add("information service at ldap://" + information.host() + ":" + information.port()
                    + "/Mds-Vo-name=local,o=grid");
        }
        for (Change change : declared.changes()) {
            lines.add("at " + Quantity.format(Duration.ofNanos(change.afterNanos())) + ": " + change.text());
        }
        return lines;
    }

    private String routing() {
        Routing routing = declared.routing();
        String seen = routing.showsCarrier() ? "; cut links lose carrier" : "";
        return routing.protocol() == Routing.Protocol.OSPF
                ? "OSPF routing, hello " + routing.helloSeconds() + "s, dead " + routing.deadSeconds() + "s" + seen
                : "BGP routing, hold " + routing.holdSeconds() + "s" + seen + ", autonomous systems "
                        + topology.routers().stream()
                                .map(router -> router + " " + routing.system(router))
                                .collect(Collectors.joining(", "));
    }

    private EmulatedHost host(String name) {
        return topology.hosts().get(topology.host(name));
    }

    private String hosts(List<String> group) {
        EmulatedHost first = host(group.get(0));
        EmulatedHost last = host(group.get(group.size() - 1));
        long testers = group.stream().filter(declared.testers()::contains).count();
        boolean isOne = group.size() == 1;
        return (isOne ? "host " + first.name() : "hosts " + first.name() + " to " + last.name())
                + ", " + Address.format(first.address())
                + (isOne ? "" : " to " + Address.format(last.address()))
                + (first.site().isEmpty() ? "" : ", site " + first.site())
                + (testers == 0 ? "" : testers == group.size() ? ", for testers" : ", " + testers + " for testers")
                + (group.contains(declared.service()) ? ", for the service" : "")
                + (group.contains(declared.controller()) ? ", the controller" : "")
                + limits(first.name(), isOne);
    }

    private String limits(String host, boolean isOne) {
        Limits limits = declared.limits().get(host);
        return limits == null ? "" : (isOne ? ", at most " : ", each at most ") + limits;
    }

    /** Names a node, or the hosts of which it is one. */
    private String each(String node) {
        return declared.groups().entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1 && entry.getValue().contains(node))
                .map(entry -> "each " + entry.getKey())
                .findFirst()
                .orElse(node);
    }

    private Set<String> links() {
        Set<String> lines = new LinkedHashSet<>();
        for (Link link : topology.links()) {
            String from = each(link.from());
            String to = each(link.to());
            boolean isOne = from.equals(link.from()) && to.equals(link.to());
            String there = describe(link.there());
            String back = describe(link.back());
            lines.add("link " + (isOne ? link.name() + ": " : "") + from + " – " + to + ", " + there
                    + (there.equals(back) ? "" : "; back " + back));
        }
        return lines;
    }

    /** Describes the physical links of a link in one direction. */
    static String describe(List<Direction> members) {
        boolean isAlike = members.stream().distinct().count() == 1;
        String each = isAlike
                ? members.get(0).toString()
                : "("
                        + String.join(
                                " | ", members.stream().map(Direction::toString).toList())
                        + ")";
        return members.size() == 1 ? each : members.size() + " × " + each;
    }

    private Set<String> ways() {
        Set<String> lines = new LinkedHashSet<>();
        int service = topology.host(declared.service());
        for (String tester : declared.testers()) {
            int host = topology.host(tester);
            if (service >= 0 && host != service) {
                Duration roundTrip =
                        Duration.ofNanos(ways.latencyNanos(host, service) + ways.latencyNanos(service, host));
                int links = ways.between(host, service).size();
                lines.add("way from " + each(tester) + " to " + declared.service() + ": " + links
                        + (links == 1 ? " link" : " links") + ", round trip " + Quantity.format(roundTrip) + ", "
                        + rate(host, service) + " there, " + rate(service, host) + " back");
            }
        }
        return lines;
    }

    /** Says what one flow gets at most. */
    private String rate(int from, int to) {
        double least = ways.between(from, to).stream()
                .map(ways::members)
                .flatMap(List::stream)
                .mapToDouble(Direction::bitsPerSecond)
                .filter(rate -> rate > 0)
                .min()
                .orElse(0);
        return least == 0 ? "any rate" : BitRate.format(least);
    }
}
