package org.diperf.plugins.emulated.routing;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * The kernel's tables of all routers, as {@code ip -ts -o monitor route} tells of them, and which links are cut. Confined to one
 * thread.
 */
final class RouterTables {

    private static final Pattern LINE =
            Pattern.compile("\\[(\\S+)] (Deleted )?(?:(?:unreachable|blackhole|prohibit) )?([0-9.]+) (.*)");
    private static final Pattern DEVICE = Pattern.compile("dev (\\S+)");

    private final Topology topology;
    /** By router and address of a host: the devices by which packets leave for it. */
    private final Map<String, Map<Integer, List<String>>> tables = new HashMap<>();

    private final Map<String, LinkEnd> ends = new HashMap<>();
    /** By host, its end of its link. */
    private final Map<String, LinkEnd> ofHost = new HashMap<>();
    /** Ends from which nothing gets through. */
    private final Set<LinkEnd> cut = new HashSet<>();

    RouterTables(Topology topology) {
        this.topology = topology;
        topology.routers().forEach(router -> tables.put(router, new HashMap<>()));
        for (int link = 0; link < topology.links().size(); link++) {
            for (LinkEnd end : List.of(new LinkEnd(link, false), new LinkEnd(link, true))) {
                ends.put(end.device(), end);
                if (topology.host(end.node(topology)) >= 0) {
                    ofHost.put(end.node(topology), end);
                }
            }
        }
    }

    /**
     * A change of a router's table.
     *
     * @param wallNanos since 1970
     * @param devices by which packets leave for the address from then on
     */
    record Entry(long wallNanos, boolean isDeleted, int address, List<String> devices) {}

    /** Returns what a line of ip(8) says, whose clock is UTC; empty: nothing of a single address. */
    static Optional<Entry> parse(String line) {
        Matcher found = LINE.matcher(line);
        if (!found.matches()) {
            return Optional.empty();
        }
        LocalDateTime at = LocalDateTime.parse(found.group(1));
        List<String> devices = new ArrayList<>();
        Matcher device = DEVICE.matcher(found.group(4));
        while (device.find()) {
            devices.add(device.group(1));
        }
        return Optional.of(new Entry(
                at.toEpochSecond(ZoneOffset.UTC) * 1_000_000_000L + at.getNano(),
                found.group(2) != null,
                Address.parse(found.group(3)),
                devices));
    }

    void take(String router, Entry entry) {
        Map<Integer, List<String>> table = tables.computeIfAbsent(router, key -> new HashMap<>());
        if (!entry.isDeleted) {
            table.put(entry.address, entry.devices);
        } else if (entry.devices.equals(table.get(entry.address))) {
            // Else it has been replaced before.
            table.remove(entry.address);
        }
    }

    void change(List<Change.Part> parts) {
        for (Change.Part part : parts) {
            LinkEnd from = new LinkEnd(part.step().link(), part.step().isBack());
            if (part.isDown()) {
                cut.add(from);
            } else {
                cut.remove(from);
            }
        }
    }

    /** Returns whether packets get from each of some hosts to another, whichever of equally good ways they take. */
    boolean isWhole(List<String> from, String to) {
        Map<String, Boolean> known = new HashMap<>();
        EmulatedHost host = topology.hosts().get(topology.host(to));
        for (String each : from) {
            LinkEnd first = ofHost.get(each);
            boolean leaves = each.equals(to)
                    || first != null
                            && !cut.contains(first)
                            && arrives(first.other().node(topology), host, known);
            if (!leaves) {
                return false;
            }
        }
        return true;
    }

    private boolean arrives(String node, EmulatedHost to, Map<String, Boolean> known) {
        Boolean before = known.get(node);
        if (before != null) {
            return before;
        }
        // Until it is known otherwise: a way that comes back here goes round in a circle.
        known.put(node, false);
        List<String> devices = tables.getOrDefault(node, Map.of()).getOrDefault(to.address(), List.of());
        boolean all = !devices.isEmpty();
        for (String device : devices) {
            LinkEnd end = ends.get(device);
            String next = end == null ? "" : end.other().node(topology);
            all &= end != null
                    && !cut.contains(end)
                    && (next.equals(to.name()) || topology.host(next) < 0 && arrives(next, to, known));
        }
        known.put(node, all);
        return all;
    }

    /** Lists for each router that lacks some the hosts to which it knows no way. */
    List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        for (String router : topology.routers()) {
            Map<Integer, List<String>> table = tables.getOrDefault(router, Map.of());
            List<String> lacking = topology.hosts().stream()
                    .filter(host ->
                            table.getOrDefault(host.address(), List.of()).isEmpty())
                    .map(EmulatedHost::name)
                    .toList();
            if (!lacking.isEmpty()) {
                gaps.add(router + " has no route to " + String.join(", ", lacking));
            }
        }
        return gaps;
    }
}
