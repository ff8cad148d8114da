package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.BitRate;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.Ways;

/** Describes a network for people. Stateless. */
final class TopologyText {

    /** More of a kind are counted. */
    private static final int MOST = 12;

    private TopologyText() {}

    /** Returns lines with hosts, routers, links, and the ways between testers and service. */
    static List<String> of(Declared declared) {
        Topology topology = declared.topology();
        List<String> lines = new ArrayList<>();
        add(lines, topology.hosts().stream().map(host -> host(host, declared)).toList(), "hosts");
        if (!topology.routers().isEmpty()) {
            lines.add("routers " + String.join(", ", topology.routers()));
        }
        add(lines, topology.links().stream().map(link -> "link " + link).toList(), "links");
        add(lines, ways(declared), "ways");
        return lines;
    }

    private static void add(List<String> lines, List<String> of, String kind) {
        lines.addAll(of.subList(0, Math.min(MOST, of.size())));
        if (of.size() > MOST) {
            lines.add("and " + (of.size() - MOST) + " more " + kind);
        }
    }

    private static String host(EmulatedHost host, Declared declared) {
        return "host " + host.name() + ", " + Address.format(host.address())
                + (host.site().isEmpty() ? "" : ", site " + host.site())
                + (declared.testers().contains(host.name()) ? ", for testers" : "")
                + (declared.service().equals(host.name()) ? ", for the service" : "");
    }

    /** Describes the ways to the service; those that are alike, once. */
    private static List<String> ways(Declared declared) {
        Topology topology = declared.topology();
        Ways ways = new Ways(topology);
        int service = topology.host(declared.service());
        if (service < 0) {
            return List.of();
        }
        Set<String> lines = new LinkedHashSet<>();
        for (String tester : declared.testers()) {
            int host = topology.host(tester);
            if (host == service) {
                continue;
            }
            String group = declared.groups().entrySet().stream()
                    .filter(entry -> entry.getValue().contains(tester))
                    .map(entry -> entry.getValue().size() == 1 ? entry.getKey() : "each " + entry.getKey())
                    .findFirst()
                    .orElse(tester);
            lines.add("way from " + group + " to " + declared.service() + ": round trip "
                    + Quantity.format(Duration.ofNanos(
                            ways.latencyNanos(host, service) + ways.latencyNanos(service, host)))
                    + ", " + rate(ways, host, service) + " there, " + rate(ways, service, host) + " back, "
                    + (ways.between(host, service).size() == 1
                            ? "1 link"
                            : ways.between(host, service).size() + " links"));
        }
        return List.copyOf(lines);
    }

    /** Says what one flow gets at most. */
    private static String rate(Ways ways, int from, int to) {
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
