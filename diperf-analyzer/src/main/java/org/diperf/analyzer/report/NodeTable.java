package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.result.TesterLocation;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.NodeRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.Node;

/** The table of the nodes that a run might have used: what each was like, and why it was not taken. */
final class NodeTable {

    private final RunRecord run;
    private final Html html;

    NodeTable(RunRecord run, Html html) {
        this.run = run;
        this.html = html;
    }

    /** Writes it, where the testbed has nodes. */
    void write() {
        if (run.nodes().isEmpty()) {
            return;
        }
        html.element("h2", "Nodes", "id", "nodes");
        html.table(
                "Candidates, one per row, as they were before the run",
                3,
                List.of(
                        "node",
                        "labels",
                        "used",
                        "cores",
                        "memory (MiB)",
                        "load",
                        "disk (MiB)",
                        "round trip (ms)",
                        "bandwidth (MB/s)",
                        "wall clock ahead (ms)",
                        "Java"),
                run.nodes().stream().limit(Tables.MAX_ROWS).map(NodeTable::row).toList());
    }

    private static List<String> row(NodeRecord node) {
        return List.of(
                RunText.clean(node.name()),
                RunText.clean(TesterLocation.words(node.labels())),
                node.chosen() ? "yes" : RunText.clean("no: " + node.reason()),
                measure(node, Node.CORES, 1),
                measure(node, Node.MEMORY, 1 << 20),
                measure(node, Node.LOAD, 1),
                measure(node, Node.DISK, 1 << 20),
                measure(node, Node.RTT, 1),
                measure(node, Node.BANDWIDTH, 1e6),
                measure(node, Node.OFFSET, 1),
                measure(node, Node.JAVA, 1));
    }

    private static String measure(NodeRecord node, String name, double unit) {
        return Numbers.plain(node.measures().getOrDefault(name, Double.NaN) / unit);
    }
}
