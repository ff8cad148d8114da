package org.diperf.controller.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.Group;
import org.diperf.core.expression.Expression;
import org.diperf.core.spi.Node;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes for groups: each takes the best of those that qualify and fit its {@code where}, as few as its testers
 * need, and groups that fit anywhere choose after the others.
 */
final class GroupPlacement {

    private final FleetSettings choice;
    private final List<Node> qualified = new ArrayList<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private final Map<String, Integer> room = new HashMap<>();

    /** A tester that was placed. */
    record Placed(Node node, Group group) {}

    private GroupPlacement(List<Node> found, FleetSettings choice) {
        this.choice = choice;
        Expression require = choice.require().isEmpty() ? null : Expression.parse(choice.require());
        if (require != null) {
            Fleet.checkPaths(require, found);
        }
        for (Node node : found) {
            String reason = Fleet.judge(node, require);
            reasons.put(node.name(), reason);
            if (reason.isEmpty()) {
                qualified.add(node);
                room.put(node.name(), choice.testersPerNode());
            }
        }
    }

    /**
     * Places the testers of all groups as far as there is room; numbers follow the order of the groups in the file.
     *
     * @throws IllegalArgumentException when a group would have no tester at all
     */
    static Fleet fleet(List<Node> found, FleetSettings choice, List<Group> groups) {
        GroupPlacement places = new GroupPlacement(found, choice);
        Map<String, List<Node>> byGroup = new HashMap<>();
        Set<String> used = new LinkedHashSet<>();
        for (boolean choosy : new boolean[] {true, false}) {
            for (Group group : groups) {
                if (group.where().isEmpty() != choosy) {
                    byGroup.put(group.name(), places.take(group, found, used));
                }
            }
        }
        List<Placed> placed = new ArrayList<>();
        for (Group group : groups) {
            byGroup.getOrDefault(group.name(), List.of()).forEach(node -> placed.add(new Placed(node, group)));
        }
        List<Candidate> candidates = found.stream()
                .map(node -> new Candidate(node, used.contains(node.name()), places.reason(node, used)))
                .toList();
        return Fleet.placed(
                choice, candidates, groups.stream().mapToInt(Group::testers).sum(), placed);
    }

    private String reason(Node node, Set<String> used) {
        String reason = reasons.getOrDefault(node.name(), "");
        return used.contains(node.name()) || !reason.isEmpty()
                ? reason
                : "qualifies, but no group needed it: it matches none of them, or better nodes were enough";
    }

    /** Returns a node for each tester of a group, as many as there is room for. */
    private List<Node> take(Group group, List<Node> found, Set<String> used) {
        List<Node> best = qualified.stream()
                .filter(node -> fits(group, node) && mayUse(node, used))
                .sorted(Fleet.BEST)
                .toList();
        Set<String> chosen = new LinkedHashSet<>();
        int places = 0;
        for (Node node : best) {
            int free = room.getOrDefault(node.name(), 0);
            if (places < group.testers() && free > 0 && mayUse(node, used)) {
                chosen.add(node.name());
                used.add(node.name());
                places += free;
            }
        }
        List<Node> taken = new ArrayList<>();
        while (taken.size() < Math.min(places, group.testers())) {
            for (Node node : found) {
                boolean more = taken.size() < group.testers() && chosen.contains(node.name());
                if (more && room.merge(node.name(), -1, Integer::sum) >= 0) {
                    taken.add(node);
                } else if (more) {
                    room.put(node.name(), 0);
                }
            }
        }
        if (taken.isEmpty()) {
            throw new IllegalArgumentException("Group '" + group.name() + "' expected testers"
                    + (group.where().isEmpty() ? "" : " where " + group.where()) + ", got no matching node: "
                    + describe(found));
        }
        return taken;
    }

    private boolean mayUse(Node node, Set<String> used) {
        return used.contains(node.name()) || choice.nodes() == 0 || used.size() < choice.nodes();
    }

    private String describe(List<Node> found) {
        List<String> words = new ArrayList<>();
        for (Node node : found) {
            String reason = reasons.getOrDefault(node.name(), "");
            words.add(node.name() + " " + (reason.isEmpty() ? "has " + node.labels() : "(" + reason + ")"));
        }
        return String.join("; ", words) + ". Label more nodes, raise testers-per-node or change 'where'";
    }

    /** Returns whether a group may have testers on a node. */
    static boolean fits(Group group, @Nullable Node node) {
        return group.where().isEmpty()
                || node != null
                        && Expression.parse(group.where())
                                .evaluate(Fleet.lookup(node))
                                .holds();
    }
}
