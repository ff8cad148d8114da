package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.diperf.analyzer.result.Dots;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;

/** The figures over time. */
final class TimeFigures {

    private final RunView run;
    private final Series series;

    TimeFigures(RunView run) {
        this.run = run;
        this.series = run.series();
    }

    /** Load and throughput above, response time below, over the same time. */
    Figure main() {
        XYPlot above = run.panel()
                .axis(
                        0,
                        Axes.fromZero(run.loadLabel(), Points.max(run.load()), Theme.LOAD),
                        AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        1,
                        Axes.fromZero(run.rateLabel("throughput"), Points.max(run.throughput()), Theme.THROUGHPUT),
                        AxisLocation.BOTTOM_OR_RIGHT)
                .line(0, run.loadName(), run.seconds(), run.load(), Theme.LOAD, Theme.DASHED)
                .line(1, run.rateLabel("throughput"), run.seconds(), run.throughput(), Theme.THROUGHPUT, Theme.LINE)
                .done(false);
        double[] p50 = series.response(Statistic.P50);
        double[] p99 = series.response(Statistic.P99);
        Scale scale = Scale.of(false, p50, p99);
        Panel responses = run.panel().axis(0, scale.axis("response time (ms)", Theme.INK), AxisLocation.BOTTOM_OR_LEFT);
        boolean bounded = Points.anyPositive(series.least(Statistic.P50));
        if (bounded) {
            band(responses, "", Statistic.P99, Theme.P99_BAND, scale);
            band(responses, "may have been added by the generator", Statistic.P50, Theme.MEDIAN_BAND, scale);
        }
        XYPlot below = responses
                .line(0, "response p99 (ms)", run.seconds(), p99, Theme.P99, Theme.LINE)
                .line(0, "response p50 (ms)", run.seconds(), p50, Theme.MEDIAN, Theme.LINE)
                .done(true);
        XYPlot both = new StackedPanels(run.time()).add(above, 1).add(below, 1).joined();
        return run.figure(
                "main",
                "Load, throughput and response time",
                "Above, load (dashed, left axis) and throughput of ok calls (blue, right axis), a point every "
                        + quantum() + "; below, median and 99th percentile of their response times"
                        + scale.note()
                        + (bounded
                                ? ", with bands down to where they lie without what the load generator may have added"
                                : "")
                        + ".",
                560,
                both);
    }

    private void band(Panel panel, String name, Statistic statistic, Color colour, Scale scale) {
        panel.band(
                0,
                name,
                run.seconds(),
                Points.map(series.least(statistic), value -> Double.isNaN(value) ? value : scale.atLeast(value)),
                Points.map(series.response(statistic), value -> Double.isNaN(value) ? value : scale.atLeast(value)),
                colour);
    }

    /** As figure 10 of the paper: single calls as dots, their average, load and throughput. */
    Figure loadThroughputResponse() {
        Dots dots = run.analysis().dots();
        double[] mean = run.average().over(series.response(Statistic.MEAN), series.of(Series.THROUGHPUT));
        Scale scale = Scale.of(false, dots.responseMs(), mean);
        ValueAxis response = scale.axis("response time (ms)", Theme.MEDIAN);
        double end = Math.max(series.durationSeconds(), 1e-9);
        XYSeries cloud = Points.cloud("single calls (ms)", dots.seconds(), dots.responseMs(), end, response);
        XYPlot plot = run.panel()
                .axis(0, response, AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        1,
                        Axes.fromZero(run.loadLabel(), Points.max(run.load()), Theme.LOAD),
                        AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        2,
                        Axes.fromZero(run.rateLabel("throughput"), Points.max(run.throughput()), Theme.THROUGHPUT),
                        AxisLocation.BOTTOM_OR_RIGHT)
                .add(0, cloud, data -> new CloudRenderer(data, Theme.DOTS, Theme.DOTS_IN_LEGEND, Theme.SMALL_DOT))
                .line(1, run.loadName(), run.seconds(), run.load(), Theme.LOAD, Theme.DASHED)
                .line(
                        2,
                        "throughput, " + run.average().words(),
                        run.seconds(),
                        run.average().over(run.throughput()),
                        Theme.THROUGHPUT,
                        Theme.LINE)
                .line(0, "response time, " + run.average().words(), run.seconds(), mean, Theme.MEDIAN, Theme.LINE)
                .done(true);
        plot.setDomainAxis(run.time());
        return run.figure(
                "load-throughput-response",
                "Response time of single calls, load and throughput",
                "Each dot is one ok call at the time it ended (a random sample that keeps the slowest call of every "
                        + quantum() + "); the lines are averages" + scale.note()
                        + "; where dots spread upwards while load grows, calls are waiting in a queue.",
                560,
                plot);
    }

    /** As figure 7 of the paper. */
    Figure loadThroughput() {
        XYPlot plot = run.panel()
                .axis(
                        0,
                        Axes.fromZero(run.loadLabel(), Points.max(run.load()), Theme.LOAD),
                        AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        1,
                        Axes.fromZero(run.rateLabel("throughput"), Points.max(run.throughput()), Theme.THROUGHPUT),
                        AxisLocation.BOTTOM_OR_RIGHT)
                .line(
                        1,
                        "throughput, every " + quantum(),
                        run.seconds(),
                        run.throughput(),
                        new Color(0x00, 0x72, 0xB2, 80),
                        new BasicStroke(1.2f))
                .line(0, run.loadName(), run.seconds(), run.load(), Theme.LOAD, Theme.DASHED)
                .line(
                        1,
                        "throughput, " + run.average().words(),
                        run.seconds(),
                        run.average().over(run.throughput()),
                        Theme.THROUGHPUT,
                        Theme.LINE)
                .done(true);
        plot.setDomainAxis(run.time());
        return run.figure(
                "load-throughput",
                "Load and throughput",
                "While throughput follows load, the service has room; where load keeps growing and throughput does not,"
                        + " it is at its limit.",
                500,
                plot);
    }

    /** Failed and dropped calls; only if there are any. */
    void failures(List<Figure> to) {
        boolean failed = Points.anyPositive(series.of(Series.FAILED));
        boolean dropped = Points.anyPositive(series.of(Series.DROPPED));
        if (!failed && !dropped) {
            return;
        }
        double[] failedRate = run.rates(series.of(Series.FAILED));
        double[] droppedRate = run.rates(series.of(Series.DROPPED));
        Panel panel = run.panel()
                .axis(
                        0,
                        Axes.fromZero(run.rateLabel("rate"), Points.max(failedRate, droppedRate), Theme.INK),
                        AxisLocation.BOTTOM_OR_LEFT);
        if (dropped) {
            panel.line(0, "dropped, never sent", run.seconds(), droppedRate, Theme.DROPPED, Theme.LINE);
        }
        if (failed) {
            panel.line(0, "failed", run.seconds(), failedRate, Theme.FAILED, Theme.LINE);
        }
        XYPlot plot = panel.done(true);
        plot.setDomainAxis(run.time());
        to.add(run.figure(
                "failures",
                dropped && failed ? "Failed and dropped calls" : dropped ? "Dropped calls" : "Failed calls",
                "Failed calls are shown when they ended, dropped ones when they were due; compare them with the"
                        + " load and the marks to see what came first.",
                420,
                plot));
    }

    /** Returns what the load generator may have added to calls beside sending them late, the mean of each quantum, ms. */
    double[] added() {
        double[] added = new double[series.size()];
        for (int i = 0; i < added.length; i++) {
            double lag = series.of(Series.LAG_MEAN)[i];
            double all = series.response(Statistic.MEAN)[i] - series.least(Statistic.MEAN)[i];
            added[i] = Math.max(0, all - (Double.isFinite(lag) ? lag : 0));
        }
        return added;
    }

    /** The panel of send lag over time, and of what else the generator may have added. */
    XYPlot lag(ValueAxis range) {
        Panel panel = run.panel()
                .axis(0, range, AxisLocation.BOTTOM_OR_LEFT)
                .line(
                        0,
                        "send lag p99, every " + quantum(),
                        run.seconds(),
                        series.of(Series.LAG_P99),
                        Theme.P99,
                        Theme.LINE);
        if (Points.anyPositive(added())) {
            panel.line(0, "may have been added to a call, mean", run.seconds(), added(), Theme.EACH[1], Theme.LINE);
        }
        XYPlot plot = panel.done(true);
        plot.setDomainAxis(run.time());
        return plot;
    }

    private String quantum() {
        return Numbers.length(series.quantumSeconds());
    }
}
