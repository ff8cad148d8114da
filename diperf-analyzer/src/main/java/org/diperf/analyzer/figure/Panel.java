package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.function.Function;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** One plot over the time of a run under construction. Axes are numbered from 0, as they are added; rows lie over those before. */
final class Panel {

    private final RunView run;
    private final XYPlot plot = Theme.plain(new XYPlot());
    private final LegendItemCollection legend = new LegendItemCollection();
    private int axes;
    private int datasets;

    Panel(RunView run) {
        this.run = run;
    }

    /** Adds an axis on the left, from zero to a little above the largest value. */
    Panel left(String label, Color colour, double[]... values) {
        return left(Axes.fromZero(label, Downsampler.max(values), colour));
    }

    /** Adds an axis on the right, likewise. */
    Panel right(String label, Color colour, double[]... values) {
        return right(Axes.fromZero(label, Downsampler.max(values), colour));
    }

    Panel left(ValueAxis axis) {
        return axis(axis, AxisLocation.BOTTOM_OR_LEFT);
    }

    Panel right(ValueAxis axis) {
        return axis(axis, AxisLocation.BOTTOM_OR_RIGHT);
    }

    private Panel axis(ValueAxis axis, AxisLocation location) {
        plot.setRangeAxis(axes, axis);
        plot.setRangeAxisLocation(axes, location);
        axes++;
        return this;
    }

    /** Adds an axis of the load on the left. */
    Panel loadAxis() {
        return left(run.loadLabel(), Theme.LOAD, run.load());
    }

    /** Adds an axis of the throughput on the right. */
    Panel rateAxis() {
        return right(run.rateLabel("throughput"), Theme.THROUGHPUT, run.throughput());
    }

    /** Adds the load. */
    Panel load(int axis) {
        return line(axis, run.loadName(), run.load(), Theme.LOAD, Theme.DASHED);
    }

    /** Adds one value a quantum; a row without a name has no place in the legend. */
    Panel line(int axis, String name, double[] values, Color colour) {
        return line(axis, name, values, colour, Theme.LINE);
    }

    Panel line(int axis, String name, double[] values, Color colour, BasicStroke stroke) {
        return line(axis, name, run.seconds(), values, colour, stroke);
    }

    Panel line(int axis, String name, double[] x, double[] y, Color colour, BasicStroke stroke) {
        XYSeries values = Downsampler.line(name, x, y, 0, run.endSeconds(), plot.getRangeAxis(axis));
        return add(axis, values, data -> new LineRenderer(data, colour, stroke));
    }

    /** Adds a line where any of its values is above zero. */
    Panel lineIfAny(int axis, String name, double[] values, Color colour, BasicStroke stroke) {
        return Downsampler.anyPositive(values) ? line(axis, name, values, colour, stroke) : this;
    }

    Panel add(int axis, XYSeries values, Function<XYSeriesCollection, XYItemRenderer> renderer) {
        XYSeriesCollection data = new XYSeriesCollection(values);
        return add(axis, data, renderer.apply(data), !values.getKey().equals(""));
    }

    /**
     * Shades what lies between two lines.
     *
     * @param name in the legend; empty: it has no place there
     */
    Panel band(int axis, String name, double[] x, double[] low, double[] high, Color colour) {
        YIntervalSeriesCollection pieces = BandRenderer.pieces(x, low, high);
        return add(axis, pieces, new BandRenderer(name, colour, pieces.getSeriesCount()), true);
    }

    Panel add(int axis, XYDataset data, XYItemRenderer renderer, boolean inLegend) {
        plot.setDataset(datasets, data);
        plot.setRenderer(datasets, renderer);
        plot.mapDatasetToRangeAxis(datasets, axis);
        datasets++;
        if (inLegend) {
            legend.addAll(renderer.getLegendItems());
        }
        return this;
    }

    /** Shades, and fixes the legend: rows of values in their order, then what was shaded. */
    XYPlot done(boolean marksInLegend) {
        Iterable<LegendItem> marks = ShadedRegions.shade(plot, run.analysis());
        if (marksInLegend) {
            marks.forEach(legend::add);
        }
        plot.setFixedLegendItems(legend);
        return Theme.inOrder(plot);
    }

    /** Makes a plot that stands alone, with its axis of time. */
    XYPlot overTime() {
        XYPlot made = done(true);
        made.setDomainAxis(run.time());
        return made;
    }
}
