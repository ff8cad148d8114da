package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Nearest;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
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

    /** The management network has so many addresses to give. */
    private static final int MAX_HOSTS = 1_000;

    private static final int FIRST_ADDRESS = Address.parse("10.99.0.1");
    private static final String NAME = "[a-z][a-z0-9-]{0,30}";
    private static final String NAME_WANTED =
            "a name of lower-case letters, digits and hyphens that begins with a" + " letter, at most 31";
    private static final List<String> OF_HOST = ofHost();

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

    private static List<String> ofHost() {
        List<String> keys = new ArrayList<>(List.of("count", "site", "address"));
        keys.addAll(LimitKeys.ALL);
        return List.copyOf(keys);
    }

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
        Tree declaredHosts = tree(with, Keys.HOSTS);
        readAddresses(declaredHosts);
        declaredHosts.entries("hosts by their names").forEach(this::readHost);
        with.tree(Keys.ROUTERS).ifPresent(value -> readRouters(new Tree(Keys.ROUTERS, value)));
        Tree declaredLinks = tree(with, Keys.LINKS);
        Set<String> names = new HashSet<>();
        for (Tree link : declaredLinks.items("a list of links")) {
            readLink(link, names);
        }
        Topology topology = new Topology(seed, hosts, routers, links);
        checkWays(topology, declaredLinks);
        return placed(topology, with);
    }

    private static Tree tree(Parameters with, String name) {
        return new Tree(name, with.tree(name).orElseThrow());
    }

    /** Given addresses come first, so that none of them is given to a host that has none. */
    private void readAddresses(Tree declared) {
        declared.entries("hosts by their names, such as {client: {site: lan}, server: {}}")
                .forEach((name, host) -> {
                    Map<String, Tree> keys = host.keys("a host such as {count: 8, site: wan}, or {}", OF_HOST);
                    Tree address = keys.get("address");
                    if (address != null) {
                        int first = address.parsed("an address", Address::parse);
                        List<String> all = names(name, keys.get("count"));
                        for (int i = 0; i < all.size(); i++) {
                            take(first + i, all.get(i), address);
                        }
                    }
                });
        if (addresses.isEmpty() && declared.entries("hosts").isEmpty()) {
            throw declared.unusable("one host at least");
        }
    }

    private void take(int address, String host, Tree place) {
        boolean isReserved = Address.isWithin(address, Address.parse("127.0.0.0"), 8)
                || Address.isWithin(address, Address.parse("0.0.0.0"), 8)
                || Address.isWithin(address, Address.parse("224.0.0.0"), 3)
                || Management.isWithin(address);
        if (!routing.routing().isStatic() && RouterPlan.isWithin(address)) {
            throw place.problem("expected an address that no router has, got " + Address.format(address) + ": those of "
                    + RouterPlan.NET + " are of routers and their links");
        }
        if (isReserved) {
            throw place.problem("expected an address that a host can have, got " + Address.format(address)
                    + ": those of 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/3 and " + Management.NET
                    + " have other uses");
        }
        String other = addresses.put(address, host);
        if (other != null) {
            throw place.problem("expected an address of its own for each host, got " + Address.format(address)
                    + " for '" + other + "' and '" + host + "'");
        }
    }

    private static List<String> names(String name, @Nullable Tree count) {
        if (count == null) {
            return List.of(name);
        }
        int hosts = count.whole("a number of hosts from 1 to " + MAX_HOSTS, 1, MAX_HOSTS);
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= hosts; i++) {
            names.add(name + "-" + i);
        }
        return names;
    }

    private void readHost(String name, Tree host) {
        checkName(name, host);
        Map<String, Tree> keys = host.keys("a host", OF_HOST);
        Tree siteKey = keys.get("site");
        String site = siteKey == null ? "" : site(siteKey);
        Map<String, Integer> given = new HashMap<>();
        addresses.forEach((address, of) -> given.put(of, address));
        List<String> all = names(name, keys.get("count"));
        Limits limited = LimitKeys.of(keys);
        for (String each : all) {
            addNode(each, host);
            if (!limited.equals(Limits.NONE)) {
                limits.put(each, limited);
            }
            Integer address = given.get(each);
            hosts.add(new EmulatedHost(each, site, address == null ? freeAddress(each, host) : address));
        }
        if (hosts.size() > MAX_HOSTS) {
            throw host.problem("expected at most " + MAX_HOSTS + " hosts, got " + hosts.size());
        }
        groups.put(name, all);
    }

    /** Reads the name of a site. */
    static String site(Tree key) {
        String site = key.text("the name of a site");
        if (!site.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw key.unusable("the name of a site, of letters, digits, dots, hyphens and underscores");
        }
        return site;
    }

    private int freeAddress(String host, Tree place) {
        while (addresses.containsKey(nextAddress)) {
            nextAddress++;
        }
        take(nextAddress, host, place);
        return nextAddress;
    }

    private static void checkName(String name, Tree place) {
        if (!name.matches(NAME)) {
            throw place.problem("expected " + NAME_WANTED + ", got '" + name + "'");
        }
        if (name.equals("localhost")) {
            throw place.problem("expected another name than that of each host for itself, got '" + name + "'");
        }
    }

    private void addNode(String name, Tree place) {
        if (!nodes.add(name)) {
            throw place.problem("expected one host or router by each name, got '" + name + "' again");
        }
    }

    private void readRouters(Tree all) {
        if (all.isMapping()) {
            all.entries("routers by their names").forEach((name, router) -> {
                addRouter(name, router);
                ofRouters.put(name, RoutingKeys.Router.of(router, routing.routing()));
            });
            return;
        }
        for (Tree router : all.items("a list of names of routers, or routers by name such as { r: { as: 64512 } }")) {
            String name = router.text("the name of a router");
            addRouter(name, router);
            ofRouters.put(name, RoutingKeys.Router.NONE);
        }
    }

    private void addRouter(String name, Tree place) {
        checkName(name, place);
        addNode(name, place);
        routers.add(name);
        groups.put(name, List.of(name));
    }

    private void readLink(Tree link, Set<String> names) {
        LinkKeys keys = LinkKeys.of(link);
        List<Tree> ends = keys.between().items("two nodes such as [client, server]");
        if (ends.size() != 2) {
            throw keys.between().problem("expected two nodes such as [client, server], got " + ends.size());
        }
        List<String> from = end(ends.get(0));
        List<String> to = end(ends.get(1));
        String fromName = ends.get(0).text("a node");
        String toName = ends.get(1).text("a node");
        if (fromName.equals(toName)) {
            throw ends.get(1).problem("expected two different nodes, got '" + toName + "' twice");
        }
        String name = keys.name().orElse(fromName + "-" + toName);
        boolean isOne = from.size() == 1 && to.size() == 1;
        for (String a : from) {
            for (String b : to) {
                String own =
                        isOne || keys.name().isEmpty() ? keys.name().orElse(a + "-" + b) : name + "-" + a + "-" + b;
                takeName(own, link, names);
                for (int i = 0; i < keys.parallel() && keys.parallel() > 1; i++) {
                    takeName(own + "." + i, link, names);
                }
                checkRouted(a, b, keys.between());
                events.add(name, own, keys);
                links.add(new Link(own, a, b, keys.members(false), keys.members(true), keys.hashSeed()));
            }
        }
    }

    private static void takeName(String name, Tree link, Set<String> names) {
        if (!names.add(name)) {
            throw link.problem("expected one link by each name, got another '" + name
                    + "'; name them, or use 'parallel' for several between the same nodes, which are NAME.0, NAME.1 and so"
                    + " on");
        }
    }

    /** A host that has bird find the ways sends all to the router it is linked to. */
    private void checkRouted(String a, String b, Tree place) {
        if (routing.routing().isStatic()) {
            return;
        }
        String at = " with testbed.routing";
        if (!routers.contains(a) && !routers.contains(b)) {
            throw place.problem(
                    "expected a router at one end of each link" + at + ", got the hosts '" + a + "' and '" + b + "'");
        }
        for (String node : List.of(a, b)) {
            boolean isLinked = links.stream()
                    .anyMatch(link -> link.from().equals(node) || link.to().equals(node));
            if (isLinked && !routers.contains(node)) {
                throw place.problem("expected one link of each host" + at + ", got another of '" + node
                        + "'; put a router between");
            }
        }
    }

    private List<String> end(Tree node) {
        String name = node.text("the name of a node");
        List<String> known = groups.get(name);
        if (known != null) {
            return known;
        }
        if (nodes.contains(name)) {
            return List.of(name);
        }
        List<String> all = List.copyOf(groups.keySet());
        throw node.problem(
                "expected a host or router, one of " + all + ", got '" + name + "'" + Nearest.suggestion(name, all));
    }

    private void checkWays(Topology topology, Tree place) {
        ShortestPaths ways = new ShortestPaths(topology);
        // Each from each: that two reach a third does not mean that they reach one another.
        for (int from = 0; from < hosts.size(); from++) {
            for (int to = 0; to < from; to++) {
                if (ways.between(from, to).isEmpty()) {
                    throw place.problem("expected a route between all hosts, got none from '"
                            + hosts.get(to).name() + "' to '" + hosts.get(from).name()
                            + "'; hosts forward nothing, routers do");
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

    private String one(@Nullable Tree host, Topology topology) {
        if (host == null) {
            return "";
        }
        List<String> found = NetworkDeclaration.hosts(host, topology, groups);
        if (found.size() != 1) {
            throw host.problem("expected one host, got " + found);
        }
        return found.get(0);
    }

    private NetworkDeclaration placed(Topology topology, Parameters with) {
        Map<String, Tree> place = with.tree(Keys.PLACE)
                .map(value -> new Tree(Keys.PLACE, value)
                        .keys("what runs where, such as {service: server, testers: client}", Keys.OF_PLACE))
                .orElse(Map.of());
        String service = one(place.get(Keys.SERVICE), topology);
        Tree controllerKey = place.get(Keys.CONTROLLER);
        String controller = one(controllerKey, topology);
        boolean isInBand = with.string(Keys.CONTROL).equals(Keys.IN_BAND);
        if (isInBand && controllerKey == null) {
            throw new Unusable(
                    Keys.CONTROL,
                    "expected the host that the controller is, such as place: { controller: head }, got none");
        }
        if (controllerKey != null && (!isInBand || controller.equals(service) || limits.containsKey(controller))) {
            throw controllerKey.problem(
                    isInBand
                            ? "expected a host without service and limits for the controller, got '" + controller + "'"
                            : "expected 'control: in-band' with a host for the controller, got none");
        }
        Tree onHosts = place.get(Keys.TESTERS);
        List<String> testers = new ArrayList<>();
        if (onHosts != null) {
            testers.addAll(NetworkDeclaration.hosts(onHosts, topology, groups));
        } else {
            hosts.forEach(host -> testers.add(host.name()));
            testers.remove(service);
            testers.remove(controller);
        }
        if (controllerKey != null && testers.contains(controller)) {
            throw controllerKey.problem("expected a host without testers for the controller, got '" + controller + "'");
        }
        if (testers.isEmpty()) {
            throw new Unusable(Keys.PLACE, "expected a host for testers, got none besides the service's");
        }
        List<Change> changes = with.tree(Keys.EVENTS)
                .map(value -> events.read(new Tree(Keys.EVENTS, value)))
                .orElse(List.of());
        Tree said = routing.tree();
        if (said != null && !routing.routing().isStatic() && routers.isEmpty()) {
            throw said.problem("expected routers that find routes, got none in testbed.routers");
        }
        Information information = with.tree(Keys.INFORMATION)
                .map(value -> Information.of(new Tree(Keys.INFORMATION, value), on -> one(on, topology)))
                .orElse(null);
        if (information != null && information.host().equals(controller)) {
            throw new Unusable(
                    Keys.INFORMATION + ".on", "expected another host than the controller's, got '" + controller + "'");
        }
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
}
