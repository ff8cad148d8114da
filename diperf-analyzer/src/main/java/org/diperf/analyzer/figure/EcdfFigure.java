package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.diperf.analyzer.result.Distribution;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;

/** What share of calls took no longer than a time: the empirical distribution function. */
record EcdfFigure(RunView run) implements RunFigure {

    /** Less is no lag worth a decade of axis. */
    private static final double MIN_LAG_MILLIS = 0.001;

    /** Adds the figure; one call has no distribution. */
    @Override
    public void addTo(List<Figure> to) {
        Distribution response = run.analysis().response();
        if (response.count() < 2 || !(response.max() > 0)) {
            return;
        }
        Distribution service = run.analysis().service();
        Distribution lag = run.analysis().lag();
        boolean late = lag.count() > 1 && DistributionFigures.valueAt(lag, 0.5) > MIN_LAG_MILLIS;
        double[] none = new double[0];
        Scale scale = Scale.of(true, response.values(), service.values(), late ? lag.values() : none);
        NumberAxis range = Axes.fromZero("share of calls (%)", 100, Theme.INK);
        range.setRange(0, 101.5);
        ValueAxis domain = scale.axis("time (ms)", Theme.INK);
        XYPlot plot = Theme.plot(domain, range);
        if (late) {
            add(plot, "send lag", lag, scale, Theme.LOAD, Theme.THIN_DASHED);
        }
        if (service.count() > 1) {
            add(plot, "service time, from actual start", service, scale, Theme.SECOND, Theme.DASHED);
        }
        add(
                plot,
                service.count() > 1 ? "response time, from intended start" : "response time",
                response,
                scale,
                Theme.THROUGHPUT,
                Theme.LINE);
        plot.setFixedLegendItems(plot.getLegendItems());
        to.add(run.figure(
                "ecdf",
                "Cumulative share of calls by response time",
                "For each response time, the share of ok calls that took at most that long" + scale.note()
                        + "; a steep line means that all calls take about the same time, and each step is one kind "
                        + "of response.",
                460,
                plot));
    }

    /** Adds one distribution to a plot of shares in per cent over times. */
    static void add(
            XYPlot plot, String name, Distribution distribution, Scale scale, Color colour, BasicStroke stroke) {
        XYSeries series = new XYSeries(name, false, true);
        double[] quantiles = distribution.quantiles();
        for (int i = 0; i < Math.min(quantiles.length, distribution.values().length); i++) {
            series.add(scale.atLeast(distribution.values()[i]), 100 * quantiles[i], false);
        }
        Theme.line(plot, series, colour, stroke);
    }
}
