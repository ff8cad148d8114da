package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes as they were looked at. */
@Timeout(60)
class NodesFigureTests {

    private static Node node(String name, Map<String, Double> measures) {
        return new Node(name, Map.of(), measures, Map.of(), "");
    }

    @Test
    void nodesStandAtTheirRoundTripAndBandwidth(@TempDir Path folder) throws IOException {
        List<Node> nodes = List.of(
                node("a", Map.of(Node.RTT, 0.1, Node.BANDWIDTH, 125e6)),
                node("b", Map.of(Node.RTT, 60.0)),
                node("c", Map.of(Node.RTT, 200.0, Node.BANDWIDTH, 1.25e6)));
        FigureData figure = FigureData.of(NodesFigure.of(nodes, "grid"), "nodes");

        assertThat(figure.domain()).isEqualTo("round trip to the service (ms, log scale)");
        assertThat(figure.row(0, "nodes").x()).containsExactly(0.1, 200);
        assertThat(figure.row(0, "nodes").y()).containsExactly(1000, 10);
        assertThat(figure.howToRead()).contains("For 1 node, latency or bandwidth was not measured");

        Figures.Result drawn = Figures.write(nodes, "grid", folder);
        assertThat(drawn.problem()).isNull();
        assertThat(folder.resolve("nodes.svg")).exists();
        assertThat(folder.resolve("nodes.png")).exists();
    }

    @Test
    void withoutBothMeasuresThereIsNone(@TempDir Path folder) throws IOException {
        assertThat(Figures.write(List.of(node("b", Map.of(Node.RTT, 60.0))), "grid", folder)
                        .figures())
                .isEmpty();
    }
}
