package org.diperf.plugins.emulated.annex;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.plugins.emulated.annex.NetworkUsage.Link;
import org.diperf.plugins.emulated.annex.NetworkUsage.Node;

/**
 * Where nodes and links of a network lie in its drawing: in columns by their distance from the service, which is at the
 * right. Each link has a place of its own at the edge of both its nodes, with room for its words, so that no words meet and
 * links that fan out from a router are straight. Lengths are pixels. Immutable when made.
 */
final class TopologyLayout {

    /** Width of a node. */
    static final int NODE = 136;

    /** Room for a link's words. */
    static final int WORDS = 236;

    /** From one link to the next, at the edge of a node. */
    static final int PITCH = 48;

    private static final int BEND = 54;
    private static final int GAP = 12;
    private static final int MARGIN = 10;
    /** The last one goes by the column at the right, as the hosts at the left ends have no other neighbours. */
    private static final int SWEEPS = 7;

    /** A node as it is drawn. */
    record Box(Node node, int x, int y, int height) {}

    /**
     * A link as it is drawn, from the node at the left, or of two in one column the upper one.
     *
     * @param isLeftFirst whether the node at the left is the link's first
     * @param isLoop whether both nodes are in one column: it leaves both at their right
     */
    record Line(Link link, boolean isLeftFirst, boolean isLoop, int x1, int y1, int x2, int y2) {}

    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private final List<List<Node>> ordered = new ArrayList<>();
    private final List<Link> links;
    private final List<Box> boxes = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private int height;

    TopologyLayout(NetworkUsage network) {
        this.links = network.links();
        findColumns(network.nodes());
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            order(sweep % 2 == 0 ? -1 : 1);
        }
        place();
        join();
    }

    List<Box> boxes() {
        return boxes;
    }

    List<Line> lines() {
        return lines;
    }

    int width() {
        return 2 * MARGIN + ordered.size() * NODE + (ordered.size() - 1) * (WORDS + BEND) + loopRoom();
    }

    int height() {
        return height;
    }

    /** The last column has a gap at its right only where links loop there. */
    private int loopRoom() {
        boolean loops = links.stream()
                .anyMatch(
                        link -> column(link.from()) == column(link.to()) && column(link.from()) == ordered.size() - 1);
        return loops ? WORDS + BEND : 0;
    }

    private int column(String node) {
        return columns.getOrDefault(node, 0);
    }

    private void findColumns(List<Node> nodes) {
        List<String> reached = new ArrayList<>();
        nodes.stream()
                // Roles are listed by their distance from the service.
                .min(Comparator.comparing(Node::role))
                .ifPresent(node -> reached.add(node.name()));
        Map<String, Integer> distances = new HashMap<>();
        reached.forEach(node -> distances.put(node, 0));
        for (int i = 0; i < reached.size(); i++) {
            String node = reached.get(i);
            int next = distances.getOrDefault(node, 0) + 1;
            for (Link link : links) {
                String other = link.from().equals(node) ? link.to() : link.to().equals(node) ? link.from() : node;
                if (distances.putIfAbsent(other, next) == null) {
                    reached.add(other);
                }
            }
        }
        int farthest =
                distances.values().stream().mapToInt(distance -> distance).max().orElse(0);
        for (int i = 0; i <= farthest; i++) {
            ordered.add(new ArrayList<>());
        }
        for (Node node : nodes) {
            int column = farthest - distances.getOrDefault(node.name(), farthest);
            columns.put(node.name(), column);
            ordered.get(column).add(node);
        }
    }

    /** Puts the nodes of each column into the order of their neighbours in the column next to it, so that fewer links cross. */
    private void order(int beside) {
        for (int i = 0; i < ordered.size(); i++) {
            int column = beside < 0 ? ordered.size() - 1 - i : i;
            int other = column - beside;
            if (other < 0 || other >= ordered.size()) {
                continue;
            }
            Map<String, Double> places = new HashMap<>();
            for (Node node : ordered.get(column)) {
                places.put(
                        node.name(),
                        meanPlace(node.name(), other, ordered.get(column).indexOf(node)));
            }
            ordered.get(column).sort(Comparator.comparingDouble(node -> places.getOrDefault(node.name(), 0.0)));
        }
    }

    private double meanPlace(String node, int column, int otherwise) {
        List<String> names = ordered.get(column).stream().map(Node::name).toList();
        return links.stream()
                .filter(link -> link.from().equals(node) || link.to().equals(node))
                .mapToInt(link -> names.indexOf(link.from().equals(node) ? link.to() : link.from()))
                .filter(place -> place >= 0)
                .average()
                .orElse(otherwise);
    }

    private List<Link> at(String node, boolean right) {
        return links.stream()
                .filter(link -> link.from().equals(node) || link.to().equals(node))
                .filter(link -> {
                    int other = column(link.from().equals(node) ? link.to() : link.from());
                    return right ? other >= column(node) : other < column(node);
                })
                .toList();
    }

    private void place() {
        List<Integer> heights = new ArrayList<>();
        for (List<Node> column : ordered) {
            heights.add(column.stream().mapToInt(node -> size(node) + GAP).sum() - GAP);
        }
        int tallest = heights.stream().mapToInt(each -> each).max().orElse(0);
        height = tallest + 2 * MARGIN;
        for (int i = 0; i < ordered.size(); i++) {
            int y = MARGIN + (tallest - heights.get(i)) / 2;
            for (Node node : ordered.get(i)) {
                boxes.add(new Box(node, MARGIN + i * (NODE + WORDS + BEND), y, size(node)));
                y += size(node) + GAP;
            }
        }
    }

    private int size(Node node) {
        int most = Math.max(at(node.name(), true).size(), at(node.name(), false).size());
        return Math.max(1, most) * PITCH - GAP;
    }

    private Box box(String node) {
        return boxes.stream()
                .filter(box -> box.node().name().equals(node))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Expected links between nodes, got one to " + node));
    }

    /** Returns the height of a link at the edge of one of its nodes: in the order of the nodes at the other ends. */
    private int port(Link link, String node, boolean right) {
        List<Link> all = new ArrayList<>(at(node, right));
        all.sort(Comparator.comparingInt(
                each -> box(each.from().equals(node) ? each.to() : each.from()).y()));
        Box box = box(node);
        return box.y() + box.height() / 2 + (2 * all.indexOf(link) - all.size() + 1) * PITCH / 2;
    }

    private void join() {
        for (Link link : links) {
            Box from = box(link.from());
            Box to = box(link.to());
            boolean isLoop = from.x() == to.x();
            boolean isLeftFirst = isLoop ? from.y() < to.y() : from.x() < to.x();
            Box left = isLeftFirst ? from : to;
            Box right = isLeftFirst ? to : from;
            lines.add(new Line(
                    link,
                    isLeftFirst,
                    isLoop,
                    left.x() + NODE,
                    port(link, left.node().name(), true),
                    isLoop ? right.x() + NODE : right.x(),
                    port(link, right.node().name(), isLoop)));
        }
    }
}
