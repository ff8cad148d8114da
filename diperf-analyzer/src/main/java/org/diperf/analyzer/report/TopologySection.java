package org.diperf.analyzer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.report.TopologyLayout.Box;
import org.diperf.analyzer.report.TopologyLayout.Line;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.NetworkSummary;
import org.diperf.analyzer.result.NetworkSummary.LinkUse;
import org.diperf.analyzer.result.NetworkSummary.Part;
import org.diperf.analyzer.result.NetworkSummary.WayUse;
import org.diperf.analyzer.text.CarriedWords;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.Screen;
import org.diperf.analyzer.text.Words;
import org.diperf.core.spi.Testbed.Network;
import org.diperf.core.spi.Testbed.Network.Node;
import org.jspecify.annotations.Nullable;

/** The network that the testbed made: drawn, and as a table. Absent from runs of testbeds that make none. */
final class TopologySection {

    private static final int MAX_NODES = 120;
    private static final int NAME = 16;
    private static final int NAME_END = 6;
    private static final int LABEL = 35;
    private static final double MUCH = 70;
    private static final double FULL = 95;
    private static final double THIN = 1.5;
    private static final double THICK = 3.5;

    private final Html html;
    private final List<LinkUse> uses;

    private TopologySection(Html html, NetworkSummary summary) {
        this.html = html;
        this.uses = summary.links();
    }

    static void write(Analysis analysis, Html html) {
        Network network = analysis.run().network();
        NetworkSummary summary = analysis.summary().network();
        if (network == null || summary == null) {
            return;
        }
        html.element("h2", "The emulated network", "id", "topology");
        String line = CarriedWords.line(analysis.summary());
        if (line != null) {
            html.element("p", "Its own error: " + line + ".");
        }
        CarriedWords.reroutings(analysis.summary())
                .forEach(rerouting -> html.element("p", "Routing: " + rerouting + "."));
        if (network.nodes().size() <= MAX_NODES) {
            new TopologySection(html, summary).draw(network);
            html.element(
                    "p",
                    "Each line is a link with its rate and latency, and below these the use of both directions over the"
                            + " measured part: on average / at most over a second. From 70 % on a line is"
                            + " broken by long dashes, from 95 % on by short ones.",
                    "class",
                    "note");
        }
        List<List<String>> rows = CarriedWords.rows(summary);
        html.table(
                "Links of the network, each direction by itself; use and longest queue over the measured part, packets over"
                        + " the whole run",
                3,
                CarriedWords.HEAD,
                rows.subList(0, Math.min(Tables.MAX_ROWS, rows.size())));
    }

    private void draw(Network network) {
        TopologyLayout layout = new TopologyLayout(network);
        String width = String.valueOf(layout.width());
        String height = String.valueOf(layout.height());
        html.open(
                "div",
                "class",
                "scroll topology",
                "role",
                "region",
                "tabindex",
                "0",
                "aria-label",
                "drawing of the network");
        html.open(
                "svg",
                "role",
                "img",
                "aria-labelledby",
                "topology-title topology-text",
                "width",
                width,
                "height",
                height,
                "viewBox",
                "0 0 " + width + " " + height);
        html.element("title", "Hosts, routers and links of the emulated network", "id", "topology-title");
        html.element("desc", text(network), "id", "topology-text");
        layout.lines().forEach(this::line);
        layout.boxes().forEach(this::box);
        html.close("svg", "div");
    }

    /** Says in words what the drawing shows; the numbers are in the table. */
    private static String text(Network network) {
        List<String> parts = new ArrayList<>();
        network.nodes().forEach(node -> parts.add(Words.clean(node.name()) + " (" + role(node) + ")"));
        network.links()
                .forEach(link ->
                        parts.add("a link between " + Words.clean(link.from()) + " and " + Words.clean(link.to())));
        return String.join(", ", parts) + ". The table below has the numbers.";
    }

    private static String role(Node node) {
        String role = switch (node.role()) {
            case ROUTER -> "router";
            case TESTERS -> "testers";
            case SERVICE -> "service";
            case BOTH -> "testers, service";
            case HOST -> "host";
        };
        return (node.count() == 1 ? "" : "×" + node.count() + " ")
                + role
                + (node.site().isEmpty() ? "" : " · " + Words.clean(node.site()));
    }

    private void box(Box box) {
        Node node = box.node();
        boolean isRouter = node.role() == Network.Role.ROUTER;
        if (node.count() > 1) {
            rect(box, 4, isRouter);
        }
        rect(box, 0, isRouter);
        int middle = box.x() + TopologyLayout.NODE / 2;
        int y = box.y() + box.height() / 2;
        html.open("text", "x", text(middle), "y", text(y - 3), "class", "node");
        html.element("title", Words.clean(node.name()))
                .text(shorter(Words.clean(node.name())))
                .close("text");
        html.element("text", Screen.cut(role(node), NAME + 5), "x", text(middle), "y", text(y + 12), "class", "role");
    }

    private void rect(Box box, int shift, boolean isRouter) {
        html.open(
                        "rect",
                        "x",
                        text(box.x() + shift),
                        "y",
                        text(box.y() + shift),
                        "width",
                        text(TopologyLayout.NODE),
                        "height",
                        text(box.height()),
                        "rx",
                        isRouter ? "17" : "3")
                .close("rect");
    }

    private void line(Line line) {
        LinkUse use = uses.stream()
                .filter(each -> each.name().equals(line.link().name())
                        && each.from().equals(line.link().from())
                        && each.to().equals(line.link().to()))
                .findFirst()
                .orElseThrow();
        WayUse right = line.isLeftFirst() ? use.there() : use.back();
        WayUse left = line.isLeftFirst() ? use.back() : use.there();
        double most = Math.max(most(right), most(left));
        int bend = line.x1() + TopologyLayout.WORDS;
        String path = line.isLoop()
                ? "M" + line.x1() + " " + line.y1() + "H" + (bend + 20) + "V" + line.y2() + "H" + line.x2()
                : "M" + line.x1() + " " + line.y1() + "H" + bend + "C" + (bend + 26) + " " + line.y1() + " "
                        + (line.x2() - 26) + " " + line.y2() + " " + line.x2() + " " + line.y2();
        html.open(
                        "path",
                        "d",
                        path,
                        "class",
                        most >= FULL ? "full" : most >= MUCH ? "much" : "link",
                        "stroke-width",
                        String.valueOf(THIN + THICK * Math.min(100, most) / 100))
                .close("path");
        words(line, label(line.link().name(), use, right, left), -7);
        String arrows = line.isLoop() ? "↓ ↑" : "→ ←";
        String both = right.sent() == null
                ? ""
                : arrows.charAt(0) + " " + CarriedWords.use(right) + " · " + arrows.charAt(2) + " "
                        + CarriedWords.use(left);
        words(line, both, 16);
    }

    private void words(Line line, String words, int below) {
        html.open("text", "x", text(line.x1() + 10), "y", text(line.y1() + below));
        html.element("title", words).text(Screen.cut(words, LABEL)).close("text");
    }

    private static String label(String name, LinkUse use, WayUse right, WayUse left) {
        String rates = Objects.equals(right.rate(), left.rate())
                ? CarriedWords.rate(right)
                : CarriedWords.rate(right) + " | " + CarriedWords.rate(left);
        String latencies = right.latency() == left.latency()
                ? Numbers.time(right.latency())
                : Numbers.time(right.latency()) + " | " + Numbers.time(left.latency());
        boolean isNamed = !name.equals(use.from() + "-" + use.to());
        return (use.count() == 1 ? "" : use.count() + " × ") + (isNamed ? Words.clean(name) + ", " : "") + rates + ", "
                + latencies;
    }

    /** Returns the largest use of a direction, percent; 0 where nothing is known of it. */
    private static double most(WayUse way) {
        @Nullable Part use = way.use();
        return use == null ? 0 : use.max();
    }

    /** Cuts the middle out of a long name: what tells hosts apart is often at its end. */
    private static String shorter(String name) {
        return Screen.length(name) <= NAME
                ? name
                : Screen.cut(name, NAME - NAME_END) + name.substring(name.offsetByCodePoints(name.length(), -NAME_END));
    }

    private static String text(int number) {
        return String.valueOf(number);
    }
}
