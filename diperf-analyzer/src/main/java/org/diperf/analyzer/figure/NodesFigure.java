package org.diperf.analyzer.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.spi.Node;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** The nodes of a testbed by round trip and bandwidth towards the service, without a run (figure 1 of the WS-MDS paper). */
final class NodesFigure {

    static final String NAME = "nodes";

    private static final double RADIUS = 11;
    private static final int HEIGHT = 520;

    private NodesFigure() {}

    /**
     * Makes the figure.
     *
     * @param nodes in the order of the file, by which their bubbles are numbered
     * @param experiment its name
     * @return none where no node has both measures
     */
    static List<Figure> of(List<Node> nodes, String experiment) {
        XYSeries series = new XYSeries(NAME, false, true);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Double rtt = nodes.get(i).measures().get(Node.RTT);
            Double bandwidth = nodes.get(i).measures().get(Node.BANDWIDTH);
            if (rtt != null && bandwidth != null && rtt > 0 && bandwidth > 0) {
                series.add(rtt.doubleValue(), 8e-6 * bandwidth, false);
                words.add(String.valueOf(i + 1));
            }
        }
        if (words.isEmpty()) {
            return List.of();
        }
        ValueAxis domain = axis("round trip to the service (ms, log scale)", series.toArray()[0]);
        ValueAxis range = axis("bandwidth to the service (Mbit/s, log scale)", series.toArray()[1]);
        double[] radii = new double[words.size()];
        Arrays.fill(radii, RADIUS);
        XYPlot plot = Theme.plain(new XYPlot(new XYSeriesCollection(series), domain, range, null));
        plot.setRenderer(new BubbleRenderer(radii, words, Theme.THROUGHPUT));
        int missing = nodes.size() - words.size();
        String title = "Nodes by latency and bandwidth";
        return List.of(new Figure(
                NAME,
                title,
                "Each bubble is a node, numbered as in the file; nodes at the lower right are far and slow."
                        + (missing == 0
                                ? ""
                                : " For " + Numbers.count(missing, "node")
                                        + ", latency or bandwidth was not measured."),
                HEIGHT,
                Theme.chart(plot, title, RunText.clean(experiment), false)));
    }

    /** Leaves room for the bubbles at the edges. */
    private static ValueAxis axis(String label, double[] values) {
        double wide = Math.pow(Math.max(2, Downsampler.max(values) / Downsampler.minPositive(values)), 0.1);
        return Axes.log(label, Downsampler.minPositive(values) / wide, Downsampler.max(values) * wide, Theme.INK);
    }
}
