package org.diperf.controller.fleet;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.Group;
import org.diperf.core.expression.Expression;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Place;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a testbed, judged, and which tester goes where. Of the nodes that qualify the best are taken: lowest load
 * per core, then shortest round trip, then the order of the file; what was not measured comes last. A testbed without
 * nodes places its testers itself. Thread-safe.
 */
public final class Fleet {

    static final Comparator<Node> BEST = Comparator.comparingDouble(Fleet::loadPerCore)
            .thenComparingDouble(node -> node.measures().getOrDefault(Node.RTT, Double.POSITIVE_INFINITY));

    private final FleetSettings choice;
    private final List<Candidate> candidates;
    private final int wanted;
    private final int testers;
    /** By number of the tester: the place of its group in the file; none where there are no groups. */
    private final Map<Integer, Group> groups = new LinkedHashMap<>();
    /** By number of the tester; those that came later are added. */
    private final Map<Integer, Node> nodes = new LinkedHashMap<>();

    private Fleet(FleetSettings choice, List<Candidate> candidates, int wanted, int testers) {
        this.choice = choice;
        this.candidates = List.copyOf(candidates);
        this.wanted = wanted;
        this.testers = testers;
    }

    /** Makes the fleet of a testbed that knows no nodes beforehand. */
    public static Fleet withoutNodes(FleetSettings choice, int testers) {
        return withoutNodes(choice, testers, List.of());
    }

    /**
     * Makes the same, its testers given to the groups one after another.
     *
     * @throws IllegalArgumentException when a group asks for labels, which no tester has
     */
    public static Fleet withoutNodes(FleetSettings choice, int testers, List<Group> groups) {
        Fleet fleet = new Fleet(choice, List.of(), testers, testers);
        for (Group group : groups) {
            if (!group.where().isEmpty()) {
                throw new IllegalArgumentException(
                        "Group '" + group.name() + "' expected testers where " + group.where()
                                + ", got a testbed without node labels: drop 'where', or use one with labels, such as ssh");
            }
            for (int i = 0; i < group.testers(); i++) {
                fleet.groups.put(fleet.groups.size() + 1, group);
            }
        }
        return fleet;
    }

    /** Makes the fleet of an experiment; of one with groups each takes the best nodes that fit it. */
    public static Fleet of(List<Node> found, FleetSettings choice, int testers, List<Group> groups) {
        return groups.isEmpty() ? of(found, choice, testers) : GroupPlacement.fleet(found, choice, groups);
    }

    /**
     * Makes a fleet whose testers have been placed.
     *
     * @param placed node and group of each tester, in the order of their numbers
     */
    public static Fleet placed(
            FleetSettings choice, List<Candidate> candidates, int wanted, List<GroupPlacement.Placed> placed) {
        Fleet fleet = new Fleet(choice, candidates, wanted, placed.size());
        for (GroupPlacement.Placed each : placed) {
            int tester = fleet.nodes.size() + 1;
            fleet.nodes.put(tester, each.node());
            fleet.groups.put(tester, each.group());
        }
        return fleet;
    }

    /**
     * Judges the nodes and places the testers: one after another over the chosen nodes, in the order of the file.
     *
     * @param testers wanted; 0: as many as the chosen nodes take
     * @throws IllegalArgumentException when {@code require} asks for what is neither a measure nor a label of any node
     */
    public static Fleet of(List<Node> found, FleetSettings choice, int testers) {
        Expression require = choice.require().isEmpty() ? null : Expression.parse(choice.require());
        if (require != null) {
            checkPaths(require, found);
        }
        List<Node> qualified = new ArrayList<>();
        Map<String, String> reasons = new LinkedHashMap<>();
        for (Node node : found) {
            String reason = judge(node, require);
            reasons.put(node.name(), reason);
            if (reason.isEmpty()) {
                qualified.add(node);
            }
        }
        int perNode = choice.testersPerNode();
        int needed = (testers + perNode - 1) / perNode;
        int most = choice.nodes() > 0 ? choice.nodes() : testers > 0 ? needed : qualified.size();
        if (testers > 0) {
            most = Math.min(most, testers);
        }
        Set<String> taken = qualified.stream()
                .sorted(BEST)
                .limit(most)
                .map(Node::name)
                .collect(Collectors.toCollection(HashSet::new));
        List<Candidate> candidates = new ArrayList<>();
        List<Node> chosen = new ArrayList<>();
        for (Node node : found) {
            boolean isTaken = taken.contains(node.name());
            String reason = requireNonNull(reasons.get(node.name()));
            candidates.add(new Candidate(
                    node,
                    isTaken,
                    isTaken || !reason.isEmpty() ? reason : "qualifies, but " + most + " better nodes were enough"));
            if (isTaken) {
                chosen.add(node);
            }
        }
        int places = chosen.size() * perNode;
        int wanted = testers > 0 ? testers : Math.max(1, choice.nodes() > 0 ? most * perNode : places);
        Fleet fleet = new Fleet(choice, candidates, wanted, Math.min(wanted, places));
        for (int tester = 1; tester <= fleet.testers; tester++) {
            fleet.nodes.put(tester, chosen.get((tester - 1) % chosen.size()));
        }
        return fleet;
    }

    /** Returns the group for which a tester was placed; {@code null} where there are none. */
    public synchronized @Nullable Group groupOf(int tester) {
        return groups.get(tester);
    }

    static void checkPaths(Expression require, List<Node> found) {
        Set<String> known = new TreeSet<>(FleetSettings.MEASURES);
        found.forEach(node -> known.addAll(node.labels().keySet()));
        for (String path : require.paths()) {
            if (!known.contains(path)) {
                throw new IllegalArgumentException("testbed.require expected a property or a label of a node, one of "
                        + known + ", got '" + path + "'" + NearestName.suggestion(path, List.copyOf(known)));
            }
        }
    }

    private static double loadPerCore(Node node) {
        Double load = node.measures().get(Node.LOAD);
        return load == null
                ? Double.POSITIVE_INFINITY
                : load / Math.max(1, node.measures().getOrDefault(Node.CORES, 1.0));
    }

    /** Says why a node cannot be taken; empty: it can. */
    static String judge(Node node, @Nullable Expression require) {
        if (!node.usable()) {
            return node.trouble();
        }
        Expression.Result result = require == null ? null : require.evaluate(lookup(node));
        return result == null || result.holds() ? "" : "expected " + require + ", got " + result.observed();
    }

    /** Returns the values by which expressions know a node: its measures, else its labels, as numbers where they are. */
    public static Expression.Lookup lookup(Node node) {
        return path -> {
            Double measure = node.measures().get(path);
            String label = node.labels().get(path);
            if (measure != null || label == null) {
                return measure;
            }
            return label.matches("-?[0-9]{1,15}(\\.[0-9]+)?") ? (Object) Double.valueOf(label) : label;
        };
    }

    /** Lists all nodes that were looked at, in the order of the file; none where the testbed has no nodes. */
    public List<Candidate> candidates() {
        return candidates;
    }

    /** Returns whether the testbed has nodes. */
    public boolean hasNodes() {
        return !candidates.isEmpty();
    }

    /** Counts the testers that can be placed. */
    public int testers() {
        return testers;
    }

    /** Counts the testers that were wanted. */
    public int expected() {
        return wanted;
    }

    /** Counts the testers without which the run does not begin. */
    public int needed() {
        return choice.whenLost() == FleetSettings.WhenLost.ABORT ? wanted : choice.minimum();
    }

    /** Returns whether there is room for as many testers as a run needs to begin. */
    public boolean isEnough() {
        return testers >= needed();
    }

    /** Says where the testers go that are started first. */
    public List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int tester = 1; tester <= testers; tester++) {
            Node node = node(tester);
            places.add(node == null ? Place.anywhere(tester) : new Place(tester, node.name()));
        }
        return places;
    }

    /** Returns the node on which a tester runs; {@code null} where the testbed does not tell. */
    synchronized @Nullable Node node(int tester) {
        return nodes.get(tester);
    }

    /** Lists the testers that share the load: each has the share of the plan that is its place in this list, from 1. */
    public List<Member> members(List<Integer> testersInOrder) {
        List<Member> members = new ArrayList<>();
        for (int tester : testersInOrder) {
            members.add(new Member(tester, members.size() + 1, node(tester)));
        }
        return members;
    }

    /**
     * Finds the place of a tester that replaces a lost one: the same node if it still qualifies, else the best one that
     * has room.
     *
     * @param again the nodes as they are now
     * @param gone testers that no longer run anywhere
     * @return {@code null} where there is none
     */
    synchronized @Nullable Place replacement(int tester, int lost, List<Node> again, Set<Integer> gone) {
        Group group = groups.get(lost);
        if (group != null) {
            groups.put(tester, group);
        }
        if (!hasNodes()) {
            return Place.anywhere(tester);
        }
        Expression require = choice.require().isEmpty() ? null : Expression.parse(choice.require());
        Node before = nodes.get(lost);
        Map<String, Integer> inUse = new LinkedHashMap<>();
        nodes.forEach((other, node) -> inUse.merge(node.name(), gone.contains(other) ? 0 : 1, Integer::sum));
        Set<Node> qualified = new LinkedHashSet<>();
        for (Node node : again) {
            boolean room = inUse.getOrDefault(node.name(), 0) < choice.testersPerNode();
            if (room && judge(node, require).isEmpty() && (group == null || GroupPlacement.fits(group, node))) {
                qualified.add(node);
            }
        }
        Node next = qualified.stream()
                .filter(node -> before != null && node.name().equals(before.name()))
                .findFirst()
                .or(() -> qualified.stream().min(BEST))
                .orElse(null);
        if (next == null) {
            return null;
        }
        nodes.put(tester, next);
        return new Place(tester, next.name());
    }
}
