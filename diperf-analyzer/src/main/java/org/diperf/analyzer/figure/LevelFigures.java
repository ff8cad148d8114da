package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Levels;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Throughput and response time against the level of the load: log-log where the levels span more than a decade. */
final class LevelFigures implements RunFigure {

    private static final double DECADE = 10;

    private final Analysis analysis;
    private final RunView run;
    private final List<StageSummary> levels;

    LevelFigures(RunView run) {
        this.analysis = run.analysis();
        this.run = run;
        this.levels = Levels.of(run.analysis()).stream()
                .filter(stage -> Levels.value(stage) > 0)
                .sorted(Comparator.comparingDouble(Levels::value))
                .toList();
    }

    /** Adds the figure; only if there are levels to be compared. */
    @Override
    public void addTo(List<Figure> to) {
        double[] values = values(Levels::value);
        if (values.length < 2 || values[0] == values[values.length - 1]) {
            return;
        }
        to.add(figure(values));
    }

    private Figure figure(double[] levelValues) {
        boolean rates = Levels.areRates(analysis);
        double factor = rates ? run.unit().factor() : 1;
        double[] x = Downsampler.map(levelValues, value -> value * factor);
        boolean wide = x[x.length - 1] / x[0] > DECADE;
        Scale domain = Scale.of(wide, x);
        double[] served = values(LevelFigures::throughput);
        double[] median = values(stage -> response(stage, false));
        double[] slow = values(stage -> response(stage, true));

        Scale servedScale = Scale.of(wide, served);
        XYPlot above = plot(servedScale.axis("throughput (ok calls" + run.unit().symbol() + ")", Theme.THROUGHPUT));
        if (rates) {
            XYSeries offered = new XYSeries("equal to the offered rate", false, true);
            for (double value : x) {
                offered.add(value, value, false);
            }
            XYSeriesCollection data = new XYSeriesCollection(offered);
            above.setDataset(0, data);
            above.setRenderer(0, new LineRenderer(data, Theme.LOAD, Theme.THIN_DASHED));
        }
        curve(above, "throughput", x, served, Theme.THROUGHPUT, Theme.LINE);
        Scale times = Scale.of(wide, median, slow);
        XYPlot below = plot(times.axis("response time (ms)", Theme.INK));
        curve(below, "response p99", x, slow, Theme.P99, Theme.LINE);
        curve(below, "response p50", x, median, Theme.MEDIAN, Theme.LINE);

        List<LegendItem> marks = new ArrayList<>();
        StageSummary best = analysis.summary().search() == null ? Levels.best(analysis) : null;
        if (best != null) {
            double at = Levels.value(best) * factor;
            for (XYPlot plot : List.of(above, below)) {
                plot.addDomainMarker(new ValueMarker(at, Theme.INK, Theme.THIN_DASHED), Layer.BACKGROUND);
            }
            marks.add(Theme.legendLine("best level", Theme.INK, Theme.THIN_DASHED));
        }
        if (levels.stream().anyMatch(Levels::isDoubtful)) {
            marks.add(hollow("generator was the limit"));
        }
        ValueAxis axis = domain.axis(rates ? run.rateLabel("offered rate") : "load (concurrent clients)", Theme.INK);
        StackedPanels panels = new StackedPanels(axis).add(above, 1).add(below, 1);
        LegendItemCollection legend = new LegendItemCollection();
        for (XYPlot plot : List.of(above, below)) {
            for (int i = 0; i < plot.getDatasetCount(); i++) {
                legend.addAll(plot.getRenderer(i).getLegendItems());
            }
        }
        marks.forEach(legend::add);
        XYPlot both = panels.with(legend);
        return run.figure(
                "levels",
                "Throughput and response time against load",
                "Each point is one level, after it settled" + (wide ? ", on logarithmic scales" : "")
                        + "; where throughput no longer follows load and response time starts to climb, the service is at "
                        + "its limit.",
                560,
                both);
    }

    private static XYPlot plot(ValueAxis range) {
        XYPlot plot = Theme.plot(null, range);
        return plot;
    }

    private void curve(XYPlot plot, String name, double[] x, double[] y, Color colour, BasicStroke stroke) {
        XYSeries series = new XYSeries(name, false, true);
        for (int i = 0; i < x.length; i++) {
            series.add(x[i], Double.isFinite(y[i]) ? y[i] : Double.NaN, false);
        }
        XYSeriesCollection data = new XYSeriesCollection(series);
        Theme.add(plot, data, new Curve(levels, data, colour, stroke));
    }

    private double[] values(ToDoubleFunction<StageSummary> of) {
        return levels.stream().mapToDouble(of).toArray();
    }

    private static double throughput(StageSummary stage) {
        Throughput throughput = stage.throughput();
        return throughput == null ? Double.NaN : throughput.mean();
    }

    private static double response(StageSummary stage, boolean slow) {
        Statistics times = stage.responseTime();
        return times == null ? Double.NaN : slow ? times.p99() : times.p50();
    }

    private static LegendItem hollow(String label) {
        LegendItem item =
                new LegendItem(label, null, null, null, Theme.LEVEL, Color.WHITE, new BasicStroke(1.6f), Theme.INK);
        item.setLabelFont(Theme.SMALL);
        return item;
    }

    /** A line with a point a level; hollow where the level is doubtful. */
    private static final class Curve extends XYLineAndShapeRenderer {

        private static final long serialVersionUID = 1;

        private final transient List<StageSummary> levels;
        private final transient XYSeriesCollection data;
        private final Color colour;

        Curve(List<StageSummary> levels, XYSeriesCollection data, Color colour, BasicStroke stroke) {
            super(true, true);
            this.levels = levels;
            this.data = data;
            this.colour = colour;
            setSeriesPaint(0, colour);
            setSeriesStroke(0, stroke);
            setSeriesShape(0, Theme.LEVEL);
            setUseFillPaint(true);
            setDrawOutlines(true);
            setDefaultOutlinePaint(colour);
            setUseOutlinePaint(true);
            setSeriesOutlinePaint(0, colour);
            setSeriesOutlineStroke(0, new BasicStroke(1.6f));
        }

        @Override
        public java.awt.Paint getItemFillPaint(int row, int column) {
            return Levels.isDoubtful(levels.get(column)) ? Color.WHITE : colour;
        }

        @Override
        public LegendItem getLegendItem(int datasetIndex, int series) {
            return Theme.legendLine(
                    data.getSeriesKey(series).toString(), colour, (BasicStroke) getSeriesStroke(series));
        }
    }
}
