package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.core.spi.Text;
import org.diperf.plugins.emulated.limits.Limits;
import org.diperf.plugins.emulated.routing.RouterPlan;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Reads the network that an experiment file declares. What cannot be is refused with its place in the file. Confined to one
 * thread, used once.
 */
final class TopologyReader {

    private static final int FIRST_ADDRESS = Address.parse("10.99.0.1");
    private static final String NAME = "[a-z][a-z0-9-]{0,30}";
    private final long seed;
    private final List<EmulatedHost> hosts = new ArrayList<>();
    private final List<String> routers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final EventReader events = new EventReader();
    private final Map<String, List<String>> groups = new LinkedHashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final Map<String, Limits> limits = new LinkedHashMap<>();
    private final Map<Integer, String> addresses = new HashMap<>();
    private final Map<String, RoutingKeys.Router> ofRouters = new LinkedHashMap<>();
    private RoutingKeys routing = new RoutingKeys(Routing.STATIC, null);
    private int nextAddress = FIRST_ADDRESS;

    private TopologyReader(long seed) {
        this.seed = seed;
    }

    /**
     * Reads it.
     *
     * @throws Unusable for the first thing that cannot be
     */
    static NetworkDeclaration read(Parameters with, long seed) {
        return new TopologyReader(seed).read(with);
    }

    private NetworkDeclaration read(Parameters with) {
        routing = RoutingKeys.of(with);
        Map<String, Parameters> declaredHosts = with.named(Keys.HOSTS);
        declaredHosts.forEach(this::readAddress);
        if (declaredHosts.isEmpty()) {
            throw with.unusable(Keys.HOSTS, "expected at least one host, got none");
        }
        declaredHosts.forEach(this::readHost);
        with.named(Keys.ROUTERS).forEach(this::readRouter);
        Set<String> names = new HashSet<>();
        for (Parameters link : with.mappings(Keys.LINKS)) {
            readLink(link, names);
        }
        Topology topology = new Topology(seed, hosts, routers, links);
        checkWays(topology);
        return placed(topology, with);
    }

    /** Given addresses come first, so that none of them is given to a host that has none. */
    private void readAddress(String name, Parameters host) {
        if (host.has(Keys.ADDRESS)) {
            int first = host.value(Keys.ADDRESS, Integer.class);
            List<String> all = names(name, host);
            for (int i = 0; i < all.size(); i++) {
                take(first + i, all.get(i), host, Keys.ADDRESS);
            }
        }
    }

    private void take(int address, String host, Parameters place, String key) {
        boolean isReserved = Address.isWithin(address, Address.parse("127.0.0.0"), 8)
                || Address.isWithin(address, Address.parse("0.0.0.0"), 8)
                || Address.isWithin(address, Address.parse("224.0.0.0"), 3)
                || ManagementNetwork.isWithin(address);
        if (!routing.routing().isStatic() && RouterPlan.isWithin(address)) {
            throw place.unusable(
                    key,
                    "expected an address not used by routers, got " + Address.format(address) + ": those in "
                            + RouterPlan.NET + " are reserved for routers and their links");
        }
        if (isReserved) {
            throw place.unusable(
                    key,
                    "expected an address that a host can use, got " + Address.format(address)
                            + ": those in 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/3 and " + ManagementNetwork.NET
                            + " are reserved for other uses");
        }
        String other = addresses.put(address, host);
        if (other != null) {
            throw place.unusable(
                    key,
                    "expected unique host addresses, got " + Address.format(address) + " for '" + other + "' and '"
                            + host + "'");
        }
    }

    private static List<String> names(String name, Parameters host) {
        if (!host.has(Keys.COUNT)) {
            return List.of(name);
        }
        return LongStream.rangeClosed(1, host.value(Keys.COUNT, Long.class))
                .mapToObj(i -> name + "-" + i)
                .toList();
    }

    private void readHost(String name, Parameters host) {
        checkName(name, host);
        Map<String, Integer> given = new HashMap<>();
        addresses.forEach((address, of) -> given.put(of, address));
        String site = host.has(Keys.SITE) ? host.value(Keys.SITE, String.class) : "";
        List<String> all = names(name, host);
        Limits limited = LimitKeys.of(host);
        for (String each : all) {
            addNode(each, host);
            if (!limited.equals(Limits.NONE)) {
                limits.put(each, limited);
            }
            Integer address = given.get(each);
            hosts.add(new EmulatedHost(each, site, address == null ? freeAddress(each, host) : address));
        }
        if (hosts.size() > Keys.MAX_HOSTS) {
            throw host.unusable("", "expected at most " + Keys.MAX_HOSTS + " hosts, got " + hosts.size());
        }
        groups.put(name, all);
    }

    private int freeAddress(String host, Parameters place) {
        while (addresses.containsKey(nextAddress)) {
            nextAddress++;
        }
        take(nextAddress, host, place, "");
        return nextAddress;
    }

    private static void checkName(String name, Parameters place) {
        if (!name.matches(NAME)) {
            throw place.unusable(
                    "",
                    "expected a name of at most 31 lower-case letters, digits and hyphens that begins with a "
                            + "letter, got '"
                            + name + "'");
        }
        if (name.equals("localhost")) {
            throw place.unusable("", "expected a name not reserved for the loopback address, got '" + name + "'");
        }
    }

    private void addNode(String name, Parameters place) {
        if (!nodes.add(name)) {
            throw place.unusable("", "expected a unique name for each host or router, got '" + name + "' twice");
        }
    }

    private void readRouter(String name, Parameters router) {
        checkName(name, router);
        addNode(name, router);
        routers.add(name);
        groups.put(name, List.of(name));
        ofRouters.put(name, RoutingKeys.Router.of(router, routing.routing()));
    }

    private void readLink(Parameters link, Set<String> names) {
        LinkKeys keys = LinkKeys.of(link);
        List<String> ends =
                link.texts(LinkKeys.BETWEEN).stream().map(Text::fixed).toList();
        if (ends.size() != 2) {
            throw link.unusable(LinkKeys.BETWEEN, "expected two nodes such as [client, server], got " + ends.size());
        }
        List<String> from = end(link, ends, 0);
        List<String> to = end(link, ends, 1);
        if (ends.get(0).equals(ends.get(1))) {
            throw link.unusable(
                    LinkKeys.BETWEEN + ".1", "expected two different nodes, got '" + ends.get(1) + "' twice");
        }
        String given = keys.name();
        String name = given == null ? String.join("-", ends) : given;
        boolean isOne = from.size() == 1 && to.size() == 1;
        for (String a : from) {
            for (String b : to) {
                String own = given == null ? a + "-" + b : isOne ? given : name + "-" + a + "-" + b;
                takeName(own, link, names);
                for (int i = 0; i < keys.parallel() && keys.parallel() > 1; i++) {
                    takeName(own + "." + i, link, names);
                }
                checkRouted(a, b, link);
                events.add(name, own, keys);
                links.add(new Link(own, a, b, keys.members(false), keys.members(true), keys.hashSeed()));
            }
        }
    }

    private static void takeName(String name, Parameters link, Set<String> names) {
        if (!names.add(name)) {
            throw link.unusable(
                    "",
                    "expected unique link names, got a second '" + name
                            + "'; name the links, or use 'parallel' for several links between the same nodes, "
                            + "which are then named NAME.0, NAME.1 and so on");
        }
    }

    /** A host that has bird find the ways sends all to the router it is linked to. */
    private void checkRouted(String a, String b, Parameters declared) {
        if (routing.routing().isStatic()) {
            return;
        }
        String at = " with testbed.routing";
        if (!routers.contains(a) && !routers.contains(b)) {
            throw declared.unusable(
                    LinkKeys.BETWEEN,
                    "expected a router at one end of each link" + at + ", got the hosts '" + a + "' and '" + b + "'");
        }
        for (String node : List.of(a, b)) {
            boolean isLinked = links.stream()
                    .anyMatch(link -> link.from().equals(node) || link.to().equals(node));
            if (isLinked && !routers.contains(node)) {
                throw declared.unusable(
                        LinkKeys.BETWEEN,
                        "expected only one link for each host" + at + ", got a second one for '" + node
                                + "'; connect it through a router");
            }
        }
    }

    private List<String> end(Parameters link, List<String> ends, int end) {
        String name = ends.get(end);
        List<String> known = groups.get(name);
        if (known != null) {
            return known;
        }
        if (nodes.contains(name)) {
            return List.of(name);
        }
        List<String> all = List.copyOf(groups.keySet());
        throw link.unusable(
                LinkKeys.BETWEEN + "." + end,
                "expected a host or router, one of " + all + ", got '" + name + "'"
                        + NearestName.suggestion(name, all));
    }

    private void checkWays(Topology topology) {
        ShortestPaths ways = new ShortestPaths(topology);
        // Each from each: that two reach a third does not mean that they reach one another.
        for (int from = 0; from < hosts.size(); from++) {
            for (int to = 0; to < from; to++) {
                if (ways.between(from, to).isEmpty()) {
                    throw new Unusable(
                            Keys.LINKS,
                            "expected a route between all hosts, got none from '"
                                    + hosts.get(to).name() + "' to '"
                                    + hosts.get(from).name()
                                    + "'; only routers forward packets");
                }
            }
        }
        Set<String> used = new LinkedHashSet<>();
        links.forEach(link -> used.addAll(List.of(link.from(), link.to())));
        for (String router : routers) {
            if (!used.contains(router)) {
                throw new Unusable(Keys.ROUTERS, "expected a link to each router, got none to '" + router + "'");
            }
        }
    }

    private String one(Parameters of, String key, Topology topology) {
        if (!of.has(key)) {
            return "";
        }
        List<String> found = hosts(of, key, List.of(of.string(key)), topology);
        if (found.size() != 1) {
            throw of.unusable(key, "expected one host, got " + found);
        }
        return found.get(0);
    }

    /** Returns the hosts that texts name: each itself, or those that its count makes. */
    private List<String> hosts(Parameters of, String key, List<String> names, Topology topology) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String place = names.size() == 1 ? key : key + "." + i;
            for (String node : groups.getOrDefault(name, List.of(name))) {
                if (topology.host(node) < 0) {
                    List<String> known = new ArrayList<>(groups.keySet());
                    known.removeAll(topology.routers());
                    throw of.unusable(
                            place,
                            "expected a host, one of " + known + ", got '" + name + "'"
                                    + NearestName.suggestion(name, known));
                }
                if (found.contains(node)) {
                    throw of.unusable(place, "expected each host once, got '" + node + "' twice");
                }
                found.add(node);
            }
        }
        return found;
    }

    private NetworkDeclaration placed(Topology topology, Parameters with) {
        Parameters place = with.has(Keys.PLACE) ? with.mapping(Keys.PLACE) : null;
        String service = place == null ? "" : one(place, Keys.SERVICE, topology);
        String controller = controller(place, service, topology, with.string(Keys.CONTROL));
        List<String> testers = new ArrayList<>();
        if (place != null && place.has(Keys.TESTERS)) {
            List<String> names =
                    place.texts(Keys.TESTERS).stream().map(Text::fixed).toList();
            testers.addAll(hosts(place, Keys.TESTERS, names, topology));
        } else {
            hosts.forEach(host -> testers.add(host.name()));
            testers.remove(service);
            testers.remove(controller);
        }
        if (place != null && testers.contains(controller)) {
            throw place.unusable(
                    Keys.CONTROLLER, "expected a controller host without testers, got '" + controller + "'");
        }
        if (testers.isEmpty()) {
            throw new Unusable(Keys.PLACE, "expected at least one host for testers, got only the service's host");
        }
        List<Change> changes = events.read(with.mappings(Keys.EVENTS));
        if (routing.keys() != null && !routing.routing().isStatic() && routers.isEmpty()) {
            throw new Unusable(Keys.ROUTING, "expected routers for dynamic routing, got none in testbed.routers");
        }
        DirectoryAddress information =
                with.has(Keys.INFORMATION) ? information(with.mapping(Keys.INFORMATION), controller, topology) : null;
        NetworkDeclaration declared = new NetworkDeclaration(
                with.string(Keys.ENGINE),
                routing.with(ofRouters, links),
                topology,
                groups,
                limits,
                changes,
                testers,
                service,
                controller,
                information);
        Engines.check(declared);
        return declared;
    }

    private String controller(@Nullable Parameters place, String service, Topology topology, String control) {
        boolean isInBand = control.equals(Keys.IN_BAND);
        if (place == null || !place.has(Keys.CONTROLLER)) {
            if (isInBand) {
                throw new Unusable(
                        Keys.CONTROL,
                        "expected a host for the controller, such as place: { controller: head }, got none");
            }
            return "";
        }
        String controller = one(place, Keys.CONTROLLER, topology);
        if (!isInBand || controller.equals(service) || limits.containsKey(controller)) {
            throw place.unusable(
                    Keys.CONTROLLER,
                    isInBand
                            ? "expected a controller host without a service or limits, got '" + controller + "'"
                            : "expected 'control: in-band' with a host for the controller, got none");
        }
        return controller;
    }

    private DirectoryAddress information(Parameters keys, String controller, Topology topology) {
        String host = one(keys, Keys.ON, topology);
        if (host.equals(controller)) {
            throw keys.unusable(Keys.ON, "expected a host other than the controller's, got '" + controller + "'");
        }
        return new DirectoryAddress(host, keys.value(Keys.PORT, Long.class).intValue());
    }
}
