package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.diperf.analyzer.result.Analysis;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StackedXYBarRenderer;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.data.xy.DefaultTableXYDataset;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** One plot under construction: data, axis and renderer of each row of values share an index. */
final class Panel {
    private final Analysis analysis;
    private final XYPlot plot = Theme.plain(new XYPlot());
    private final Set<Integer> unnamed = new HashSet<>();
    private int datasets;

    Panel(Analysis analysis) {
        this.analysis = analysis;
    }

    Panel axis(int index, ValueAxis axis, AxisLocation location) {
        plot.setRangeAxis(index, axis);
        plot.setRangeAxisLocation(index, location);
        return this;
    }

    /** Adds a line against an axis that was added before. */
    Panel line(int axis, String name, double[] x, double[] y, Color colour, BasicStroke stroke) {
        double end = Math.max(analysis.series().durationSeconds(), 1e-9);
        return add(
                axis,
                Points.line(name, x, y, 0, end, plot.getRangeAxis(axis)),
                data -> new LineRenderer(data, colour, stroke));
    }

    /** Adds a line that has no place in the legend. */
    Panel unnamed(int axis, double[] x, double[] y, Color colour, BasicStroke stroke) {
        unnamed.add(datasets);
        return line(axis, "", x, y, colour, stroke);
    }

    Panel add(int axis, XYSeries values, Function<XYSeriesCollection, XYItemRenderer> renderer) {
        XYSeriesCollection data = new XYSeriesCollection(values);
        return with(axis, data, renderer.apply(data));
    }

    /**
     * Shades what lies between two lines.
     *
     * @param name in the legend; empty: it has no place there
     */
    Panel band(int axis, String name, double[] x, double[] low, double[] high, Color colour) {
        YIntervalSeriesCollection pieces = BandRenderer.pieces(x, low, high);
        return with(axis, pieces, new BandRenderer(name, colour, pieces.getSeriesCount()));
    }

    /** Adds bars that stand on one another. */
    Panel bars(int axis, DefaultTableXYDataset bars, StackedXYBarRenderer renderer) {
        return with(axis, bars, renderer);
    }

    private Panel with(int axis, XYDataset data, XYItemRenderer renderer) {
        plot.setDataset(datasets, data);
        plot.setRenderer(datasets, renderer);
        plot.mapDatasetToRangeAxis(datasets, axis);
        datasets++;
        return this;
    }

    /** Shades, and fixes the legend: rows of values in their order, then what was shaded. */
    XYPlot done(boolean marksInLegend) {
        LegendItemCollection legend = new LegendItemCollection();
        for (int i = 0; i < datasets; i++) {
            if (!unnamed.contains(i)) {
                legend.addAll(plot.getRenderer(i).getLegendItems());
            }
        }
        List<LegendItem> marks = Marks.shade(plot, analysis);
        if (marksInLegend) {
            marks.forEach(legend::add);
        }
        plot.setFixedLegendItems(legend);
        // The first row of values lies at the back.
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        return plot;
    }
}
