package org.diperf.plugins.emulated.annex;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.plugins.emulated.annex.NetworkUsage.Link;
import org.diperf.plugins.emulated.annex.NetworkUsage.Node;
import org.diperf.plugins.emulated.annex.NetworkUsage.Role;
import org.diperf.plugins.emulated.annex.NetworkUsage.Way;
import org.diperf.plugins.emulated.annex.TopologyLayout.Box;
import org.diperf.plugins.emulated.annex.TopologyLayout.Line;
import org.diperf.plugins.emulated.topology.BitRate;

/** Draws hosts, routers and links, with the use of each direction, which is filled in when it is known. Confined to one thread. */
final class NetworkDrawing {

    private static final int MAX_NODES = 120;
    private static final int NAME = 16;
    private static final int NAME_END = 6;
    private static final int LABEL = 35;
    private static final double NANOS_A_MILLI = 1e6;

    private final NetworkUsage network;
    private final StringBuilder svg = new StringBuilder();

    private NetworkDrawing(NetworkUsage network) {
        this.network = network;
    }

    /** Returns it as SVG; empty: there are too many nodes for one. */
    static String of(NetworkUsage network) {
        return network.nodes().size() > MAX_NODES ? "" : new NetworkDrawing(network).drawn();
    }

    private String drawn() {
        TopologyLayout layout = new TopologyLayout(network);
        svg.append(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\">",
                layout.width(), layout.height()));
        element("desc", "", description());
        layout.lines().forEach(this::line);
        layout.boxes().forEach(this::box);
        return svg.append("</svg>").toString();
    }

    /** Says in words what the drawing shows; the numbers are in the table. */
    private String description() {
        return Stream.concat(
                        network.nodes().stream().map(node -> node.name() + " (" + role(node) + ")"),
                        network.links().stream().map(link -> "a link between " + link.from() + " and " + link.to()))
                .collect(Collectors.joining(", ", "", ". The numbers are in the table below."));
    }

    private static String role(Node node) {
        return (node.count() == 1 ? "" : "×" + node.count() + " ")
                + node.role().text()
                + (node.site().isEmpty() ? "" : " · " + node.site());
    }

    private void box(Box box) {
        Node node = box.node();
        if (node.count() > 1) {
            rect(box, 4);
        }
        rect(box, 0);
        int middle = box.x() + TopologyLayout.NODE / 2;
        int y = box.y() + box.height() / 2;
        text(middle, y - 3, "name", shorter(node.name()), node.name());
        text(middle, y + 12, "small", cut(role(node), NAME + 5), "");
    }

    private void rect(Box box, int shift) {
        svg.append(String.format(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>",
                box.x() + shift,
                box.y() + shift,
                TopologyLayout.NODE,
                box.height(),
                box.node().role() == Role.ROUTER ? 17 : 3));
    }

    private void line(Line line) {
        Link link = line.link();
        int row = NetworkAnnex.row(network.links().indexOf(link), false);
        int back = NetworkAnnex.row(network.links().indexOf(link), true);
        int bend = line.x1() + TopologyLayout.WORDS;
        String path = line.isLoop()
                ? "M" + line.x1() + " " + line.y1() + "H" + (bend + 20) + "V" + line.y2() + "H" + line.x2()
                : "M" + line.x1() + " " + line.y1() + "H" + bend + "C" + (bend + 26) + " " + line.y1() + " "
                        + (line.x2() - 26) + " " + line.y2() + " " + line.x2() + " " + line.y2();
        svg.append("<path d=\"").append(path).append("\" data-load=\"");
        svg.append(NetworkAnnex.useMax(row))
                .append(' ')
                .append(NetworkAnnex.useMax(back))
                .append("\"/>");
        Way right = line.isLeftFirst() ? link.there() : link.back();
        Way left = line.isLeftFirst() ? link.back() : link.there();
        String label = label(link, right, left);
        text(line.x1() + 10, line.y1() - 7, "", cut(label, LABEL), label);
        String arrows = line.isLoop() ? "↓↑" : "→←";
        String use = arrows.charAt(0) + " " + NetworkAnnex.use(right, line.isLeftFirst() ? row : back) + " · "
                + arrows.charAt(1) + " " + NetworkAnnex.use(left, line.isLeftFirst() ? back : row);
        text(line.x1() + 10, line.y1() + 16, "", use, "");
    }

    private static String label(Link link, Way right, Way left) {
        String rates = both(rate(right), rate(left));
        String latencies = both(latency(right), latency(left));
        boolean isNamed = !link.name().equals(link.from() + "-" + link.to());
        return (link.count() == 1 ? "" : link.count() + " × ") + (isNamed ? link.name() + ", " : "") + rates + ", "
                + latencies;
    }

    private static String both(String right, String left) {
        return right.equals(left) ? right : right + " | " + left;
    }

    private static String rate(Way way) {
        return way.bitsPerSecond() == 0
                ? "any rate"
                : BitRate.format(way.bitsPerSecond()).replaceFirst("(?=[kMG]?bit)", " ");
    }

    private static String latency(Way way) {
        double millis = way.latencyNanos() / NANOS_A_MILLI;
        return (millis == Math.rint(millis) ? String.valueOf((long) millis) : String.valueOf(millis)) + " ms";
    }

    /** @param full what a reader sees who points at it; empty: nothing more */
    private void text(int x, int y, String kind, String text, String full) {
        svg.append("<text x=\"").append(x).append("\" y=\"").append(y).append('"');
        svg.append(kind.isEmpty() ? ">" : " class=\"" + kind + "\">");
        if (!full.isEmpty()) {
            element("title", "", full);
        }
        svg.append(escaped(text)).append("</text>");
    }

    private void element(String name, String attributes, String text) {
        svg.append('<').append(name).append(attributes).append('>').append(escaped(text));
        svg.append("</").append(name).append('>');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** Cuts the middle out of a long name: what tells hosts apart is often at its end. */
    private static String shorter(String name) {
        return name.length() <= NAME ? name : cut(name, NAME - NAME_END) + name.substring(name.length() - NAME_END);
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }

    /** Lists the parts of all directions, for figures. */
    static List<String> parts(NetworkUsage network) {
        return network.links().stream()
                .flatMap(link -> Stream.concat(link.there().parts().stream(), link.back().parts().stream()))
                .toList();
    }
}
