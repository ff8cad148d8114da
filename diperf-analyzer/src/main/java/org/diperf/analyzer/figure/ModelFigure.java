package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.LevelPoint;
import org.diperf.analyzer.model.Prediction;
import org.diperf.analyzer.model.Saturation;
import org.diperf.analyzer.text.CapacityText;
import org.diperf.analyzer.text.RateUnit;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** The measured levels with what the best model says of them and beyond, as far as the data carry it. */
record ModelFigure(RunView run) implements RunFigure {

    private static final int STEPS = 240;
    private static final double TWICE = 2;
    /** How far beyond the measured a curve is followed: near its pole it would flatten all that was. */
    private static final double ABOVE = 1.5;

    private static final Color BAND = new Color(0xCC, 0x79, 0xA7);
    private static final Color KNEE = new Color(0xE9, 0xE9, 0xE9);

    /** Adds the figure; only if there is a model. */
    @Override
    public void addTo(List<Figure> to) {
        run.analysis().capacity().best().ifPresent(best -> to.add(figure(best)));
    }

    private Figure figure(FittedModel best) {
        double from = run.analysis().capacity().points().get(0).load();
        double to = from;
        double farthest = TWICE * best.mostMeasured();
        for (int i = 0; i <= STEPS; i++) {
            double load = from + (farthest - from) * i / STEPS;
            if (load <= best.mostMeasured() || best.refusal(load).isEmpty()) {
                to = load;
            }
        }
        RateUnit unit = run.unit();
        double factor = run.analysis().capacity().closed() ? 1 : unit.factor();
        XYPlot above = plot(
                best,
                from,
                to,
                factor,
                "throughput (ok calls" + unit.symbol() + ")",
                Theme.THROUGHPUT,
                point -> point.perSecond() * unit.factor(),
                said -> scaled(said.perSecondLow(), said.perSecond(), said.perSecondHigh(), unit.factor()));
        XYPlot below = plot(
                best,
                from,
                to,
                factor,
                "mean response time (ms)",
                Theme.MEDIAN,
                point -> point.responseSeconds() * 1e3,
                said -> scaled(said.responseSecondsLow(), said.responseSeconds(), said.responseSecondsHigh(), 1e3));
        NumberAxis axis = Axes.fromZero(
                run.analysis().capacity().closed() ? "load (concurrent clients)" : run.rateLabel("offered rate"),
                to * factor,
                Theme.INK);
        StackedPanels panels = new StackedPanels(axis).add(above, 1).add(below, 1);
        LegendItemCollection legend = new LegendItemCollection();
        legend.add(Theme.legendShape("measured throughput", Theme.THROUGHPUT, Theme.LEVEL));
        legend.add(Theme.legendShape("measured response time", Theme.MEDIAN, Theme.LEVEL));
        legend.add(Theme.legendLine("model, with 95 % band", BAND, Theme.LINE));
        Saturation saturation = run.analysis().capacity().saturation();
        if (saturation != null && saturation.reached()) {
            legend.add(Theme.legendShape("knee, 95 % interval", KNEE, Theme.LEGEND_BOX));
        }
        XYPlot both = panels.with(legend);
        return run.figure(
                "model",
                "Capacity of the service: " + CapacityText.name(best.model()),
                "Points are measured levels; the line is the model fitted to them, drawn as far as the data "
                        + "support it. Points outside the band mean that the service does not behave as the model assumes.",
                560,
                both);
    }

    private static double[] scaled(double low, double middle, double high, double factor) {
        return new double[] {low * factor, middle * factor, high * factor};
    }

    /** Predicts low end, middle and high end of a band. */
    private interface Band {
        double[] of(Prediction said);
    }

    private XYPlot plot(
            FittedModel best,
            double from,
            double to,
            double factor,
            String label,
            Color colour,
            ToDoubleFunction<LevelPoint> measured,
            Band band) {
        YIntervalSeries said = new YIntervalSeries("model");
        double measuredMost = run.analysis().capacity().points().stream()
                .mapToDouble(measured)
                .max()
                .orElse(0);
        double most = measuredMost;
        for (int i = 0; i <= STEPS; i++) {
            double load = from + (to - from) * i / STEPS;
            double[] at = band.of(best.at(load));
            if (Double.isFinite(at[1])) {
                said.add(load * factor, at[1], at[0], at[2]);
                most = Math.max(most, Math.min(at[1], ABOVE * measuredMost));
            }
        }
        XYSeries points = new XYSeries("measured");
        for (LevelPoint point : run.analysis().capacity().points()) {
            points.add(point.load() * factor, measured.applyAsDouble(point));
        }
        XYPlot plot = Theme.plot(null, Axes.fromZero(label, most, colour));
        YIntervalSeriesCollection model = new YIntervalSeriesCollection();
        model.addSeries(said);
        DeviationRenderer line = new DeviationRenderer(true, false);
        line.setSeriesPaint(0, BAND);
        line.setSeriesFillPaint(0, BAND);
        line.setSeriesStroke(0, Theme.LINE);
        line.setAlpha(0.22f);
        Theme.add(plot, model, line);
        XYLineAndShapeRenderer dots = new XYLineAndShapeRenderer(false, true);
        dots.setSeriesPaint(0, colour);
        dots.setSeriesShape(0, Theme.LEVEL);
        Theme.add(plot, new XYSeriesCollection(points), dots);
        knee(plot);
        return plot;
    }

    private void knee(XYPlot plot) {
        Saturation saturation = run.analysis().capacity().saturation();
        if (saturation != null && saturation.reached()) {
            IntervalMarker marker = new IntervalMarker(saturation.low(), saturation.high(), KNEE);
            marker.setOutlinePaint(Theme.BORDER);
            marker.setOutlineStroke(new BasicStroke(0.8f));
            plot.addDomainMarker(marker, Layer.BACKGROUND);
        }
    }
}
