package org.diperf.analyzer.figure;

import java.awt.Color;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Draws figure 5: what one controller takes in against concurrent testers, a line a transport. For {@code examples/tools/transports.sh}. */
final class TransportFigure {

    private TransportFigure() {}

    /** @param args file with rows {@code transport,testers,samples a second}; PNG; SVG */
    public static void main(String[] args) throws IOException {
        Figure figure = figure(Files.readAllLines(Path.of(args[0])));
        Files.write(Path.of(args[1]), FigureWriter.png(figure));
        Files.writeString(Path.of(args[2]), FigureWriter.svg(figure), StandardCharsets.UTF_8);
    }

    static Figure figure(List<String> rows) {
        Map<String, List<double[]>> points = new LinkedHashMap<>();
        for (String row : rows) {
            String[] fields = row.split(",", -1);
            points.computeIfAbsent(fields[0], transport -> new ArrayList<>())
                    .add(new double[] {Double.parseDouble(fields[1]), Double.parseDouble(fields[2]) / 1e6});
        }
        double[] testers = points.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[0])
                .toArray();
        double[] rates = points.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[1])
                .toArray();
        Scale domain = Scale.of(true, testers);
        Scale range = Scale.linear(List.of(rates));
        ValueAxis below = domain.axis("concurrent testers (count)", Theme.INK);
        ValueAxis left = range.axis("samples kept (million/s)", Theme.INK);
        XYPlot plot = Theme.plain(new XYPlot(null, below, left, null));
        LegendItemCollection legend = new LegendItemCollection();
        int index = 0;
        for (Map.Entry<String, List<double[]>> transport : points.entrySet()) {
            XYSeries series = new XYSeries(transport.getKey(), true, true);
            transport.getValue().forEach(point -> series.add(point[0], point[1]));
            Color colour = Theme.EACH[index % Theme.EACH.length];
            XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
            renderer.setSeriesPaint(0, colour);
            renderer.setSeriesStroke(0, Theme.LINE);
            renderer.setSeriesShape(0, Theme.LEVEL);
            plot.setDataset(index, new XYSeriesCollection(series));
            plot.setRenderer(index, renderer);
            LegendItem item = Theme.legendLine(transport.getKey(), colour, Theme.LINE);
            legend.add(item);
            index++;
        }
        plot.setFixedLegendItems(legend);
        return Figure.of(
                "transports",
                "Samples into one controller against concurrent testers",
                "durable and acknowledged, controller and testers on two processors, TLS on",
                "Each point is one run in which all testers sent as fast as their samples were acknowledged.",
                480,
                plot);
    }
}
