package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Dots;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.RateUnit;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;

/** The figures over time. */
final class TimeFigures {

    /** Beyond this ratio of the largest to the least value an axis is logarithmic. */
    static final double WIDE = 100;

    private final Analysis analysis;
    private final Series series;
    private final String subtitle;
    private final RateUnit unit;
    private final MovingAverage average;
    private final double[] seconds;
    private final double[] load;
    private final String loadName;
    private final String loadUnit;
    private final double[] throughput;

    TimeFigures(RunView run) {
        this.analysis = run.analysis();
        this.series = run.series();
        this.subtitle = run.subtitle();
        this.unit = run.unit();
        this.average = MovingAverage.of(run.analysis().run().report(), series);
        this.seconds = run.seconds();
        this.load = run.load();
        this.loadName = run.loadName();
        this.loadUnit = run.loadLabel();
        this.throughput = run.throughput();
    }

    private double[] scaled(double[] perSecond) {
        return Points.map(perSecond, v -> v * unit.factor());
    }

    private String rateLabel(String what) {
        return what + " (calls" + unit.symbol() + ")";
    }

    /** Load and throughput above, response time below, over the same time. */
    Figure main() {
        XYPlot above = new Panel(analysis)
                .axis(0, Axes.fromZero(loadUnit, Points.max(load), Theme.LOAD), AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        1,
                        Axes.fromZero(rateLabel("throughput"), Points.max(throughput), Theme.THROUGHPUT),
                        AxisLocation.BOTTOM_OR_RIGHT)
                .line(0, loadName, seconds, load, Theme.LOAD, Theme.DASHED)
                .line(1, rateLabel("throughput"), seconds, throughput, Theme.THROUGHPUT, Theme.LINE)
                .done(false);
        double[] p50 = series.response(Statistic.P50);
        double[] p99 = series.response(Statistic.P99);
        Scale scale = Scale.of(false, p50, p99);
        XYPlot below = new Panel(analysis)
                .axis(0, scale.axis("response time (ms)", Theme.INK), AxisLocation.BOTTOM_OR_LEFT)
                .line(0, "response p99 (ms)", seconds, scale.of(p99), Theme.P99, Theme.LINE)
                .line(0, "response p50 (ms)", seconds, scale.of(p50), Theme.MEDIAN, Theme.LINE)
                .done(true);
        XYPlot both = new StackedPanels(Axes.time(series.durationSeconds()))
                .add(above, 1)
                .add(below, 1)
                .joined();
        return figure(
                "main",
                "Load, throughput and response time",
                "Above, load (dashed, left axis) and throughput of ok calls (blue, right axis), a point every "
                        + quantum() + "; below, median and 99th percentile of their response times"
                        + scale.note() + ".",
                560,
                both);
    }

    /** As figure 10 of the paper: single calls as dots, their average, load and throughput. */
    Figure loadThroughputResponse() {
        Dots dots = analysis.dots();
        double[] mean = average.over(series.response(Statistic.MEAN), series.throughput());
        Scale scale = Scale.of(false, dots.responseMs(), mean);
        NumberAxis response = scale.axis("response time (ms)", Theme.MEDIAN);
        double end = Math.max(series.durationSeconds(), 1e-9);
        XYSeries cloud = Points.cloud(
                "single calls (ms)",
                dots.seconds(),
                scale.of(dots.responseMs()),
                end,
                response.getLowerBound(),
                response.getUpperBound());
        XYPlot plot = new Panel(analysis)
                .axis(0, response, AxisLocation.BOTTOM_OR_LEFT)
                .axis(1, Axes.fromZero(loadUnit, Points.max(load), Theme.LOAD), AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        2,
                        Axes.fromZero(rateLabel("throughput"), Points.max(throughput), Theme.THROUGHPUT),
                        AxisLocation.BOTTOM_OR_RIGHT)
                .add(0, cloud, data -> new CloudRenderer(data, Theme.DOTS, Theme.DOTS_IN_LEGEND, Theme.SMALL_DOT))
                .line(1, loadName, seconds, load, Theme.LOAD, Theme.DASHED)
                .line(
                        2,
                        "throughput, " + average.words(),
                        seconds,
                        average.over(throughput),
                        Theme.THROUGHPUT,
                        Theme.LINE)
                .line(0, "response time, " + average.words(), seconds, scale.of(mean), Theme.MEDIAN, Theme.LINE)
                .done(true);
        plot.setDomainAxis(Axes.time(series.durationSeconds()));
        return figure(
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
        XYPlot plot = new Panel(analysis)
                .axis(0, Axes.fromZero(loadUnit, Points.max(load), Theme.LOAD), AxisLocation.BOTTOM_OR_LEFT)
                .axis(
                        1,
                        Axes.fromZero(rateLabel("throughput"), Points.max(throughput), Theme.THROUGHPUT),
                        AxisLocation.BOTTOM_OR_RIGHT)
                .line(
                        1,
                        "throughput, every " + quantum(),
                        seconds,
                        throughput,
                        new Color(0x00, 0x72, 0xB2, 80),
                        new BasicStroke(1.2f))
                .line(0, loadName, seconds, load, Theme.LOAD, Theme.DASHED)
                .line(
                        1,
                        "throughput, " + average.words(),
                        seconds,
                        average.over(throughput),
                        Theme.THROUGHPUT,
                        Theme.LINE)
                .done(true);
        plot.setDomainAxis(Axes.time(series.durationSeconds()));
        return figure(
                "load-throughput",
                "Load and throughput",
                "While throughput follows load, the service has room; where load goes on growing and throughput does not,"
                        + " it is at its limit.",
                500,
                plot);
    }

    /** Failed and dropped calls; only if there are any. */
    void failures(List<Figure> to) {
        boolean failed = Points.anyPositive(series.failed());
        boolean dropped = Points.anyPositive(series.dropped());
        if (!failed && !dropped) {
            return;
        }
        double[] failedRate = scaled(series.failed());
        double[] droppedRate = scaled(series.dropped());
        Panel panel = new Panel(analysis)
                .axis(
                        0,
                        Axes.fromZero(rateLabel("rate"), Points.max(failedRate, droppedRate), Theme.INK),
                        AxisLocation.BOTTOM_OR_LEFT);
        if (dropped) {
            panel.line(0, "dropped, never sent", seconds, droppedRate, Theme.DROPPED, Theme.LINE);
        }
        if (failed) {
            panel.line(0, "failed", seconds, failedRate, Theme.FAILED, Theme.LINE);
        }
        XYPlot plot = panel.done(true);
        plot.setDomainAxis(Axes.time(series.durationSeconds()));
        to.add(figure(
                "failures",
                dropped && failed ? "Failed and dropped calls" : dropped ? "Dropped calls" : "Failed calls",
                "Failed calls are shown when they ended, dropped ones when they were due; read them beside the load and the"
                        + " marks to see what came first.",
                420,
                plot));
    }

    /** The panel of send lag over time, without its range axis. */
    XYPlot lag(Scale scale) {
        XYPlot plot = new Panel(analysis)
                .line(0, "send lag p99, every " + quantum(), seconds, scale.of(series.lagP99()), Theme.P99, Theme.LINE)
                .done(true);
        plot.setDomainAxis(Axes.time(series.durationSeconds()));
        return plot;
    }

    private String quantum() {
        return org.diperf.analyzer.text.Numbers.length(series.quantumSeconds());
    }

    private Figure figure(String name, String title, String howToRead, int height, XYPlot plot) {
        return new Figure(name, title, howToRead, height, Theme.chart(plot, title, subtitle, true));
    }
}
