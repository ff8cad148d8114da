package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.fleet.Candidate;
import org.diperf.controller.fleet.Fleet;
import org.diperf.core.spi.Node;

/** Shows the nodes of a testbed as lines of a table, or as values for JSON. */
final class NodeRows {

    private static final List<String> HEAD =
            List.of("node", "labels", "cores", "memory", "load", "disk", "java", "rtt", "bandwidth", "offset", "used");

    private NodeRows() {}

    /** Returns a head and one line a node. */
    static List<String> lines(Fleet fleet) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        fleet.candidates().forEach(candidate -> rows.add(row(candidate)));
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            // Words to the left, numbers to the right.
            boolean word = i < 2 || i == row.size() - 1;
            String space = " ".repeat(widths[i] - row.get(i).length());
            line.append(i == 0 ? " " : "  ").append(word ? row.get(i) + space : space + row.get(i));
        }
        return line.toString().stripTrailing();
    }

    private static List<String> row(Candidate candidate) {
        Node node = candidate.node();
        return List.of(
                node.name(),
                node.labels().isEmpty() ? "-" : labels(node),
                measure(node, Node.CORES, value -> digits("%.4g", value)),
                measure(node, Node.MEMORY, NodeRows::bytes),
                measure(node, Node.LOAD, value -> digits("%.2f", value)),
                measure(node, Node.DISK, NodeRows::bytes),
                measure(node, Node.JAVA, value -> value == 0 ? "none" : digits("%.0f", value)),
                measure(node, Node.RTT, value -> digits("%.3f ms", value)),
                measure(node, Node.BANDWIDTH, value -> digits("%.1f MB/s", value / 1e6)),
                measure(node, Node.OFFSET, value -> digits("%+.1f ms", value)),
                candidate.chosen() ? "yes" : "no: " + candidate.reason());
    }

    private static String labels(Node node) {
        return node.labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String measure(Node node, String name, DoubleFunction<String> format) {
        Double value = node.measures().get(name);
        return value == null ? "-" : format.apply(value);
    }

    private static String bytes(double bytes) {
        return bytes >= 1L << 30 ? digits("%.1f GiB", bytes / (1L << 30)) : digits("%.0f MiB", bytes / (1L << 20));
    }

    private static String digits(String format, double value) {
        return String.format(Locale.ROOT, format, value)
                .replaceFirst("(\\.[0-9]*?)0+(?=$| )", "$1")
                .replaceFirst("\\.(?=$| )", "");
    }

    /** Says in a sentence what a run would do. */
    static String conclusion(Fleet fleet) {
        long chosen = fleet.candidates().stream().filter(Candidate::chosen).count();
        String room = Numbers.count(fleet.testers(), "tester") + " on " + chosen + " of "
                + Numbers.count(fleet.candidates().size(), "node");
        return fleet.isEnough()
                ? room + (fleet.testers() < fleet.expected() ? "; " + fleet.expected() + " were expected" : "")
                : room + ": too few; a run needs " + fleet.needed() + " to begin";
    }

    /** Returns what a script needs: the nodes with all that is known of them. */
    static Map<String, Object> values(Fleet fleet) {
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (Candidate candidate : fleet.candidates()) {
            Node node = candidate.node();
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("name", node.name());
            values.put("labels", node.labels());
            values.put("measures", node.measures());
            values.put("facts", node.facts());
            values.put("chosen", candidate.chosen());
            values.put("reason", candidate.reason());
            nodes.add(values);
        }
        return values(fleet.testers(), fleet.expected(), fleet.isEnough(), nodes);
    }

    static Map<String, Object> values(int testers, int requested, boolean enough, List<Map<String, Object>> nodes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("testers", testers);
        all.put("requested", requested);
        all.put("enough", enough);
        all.put("nodes", nodes);
        return all;
    }
}
