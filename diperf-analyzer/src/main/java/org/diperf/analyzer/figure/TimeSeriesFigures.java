package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.diperf.analyzer.result.ScatterSample;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;

/** The figures of values over time. */
final class TimeSeriesFigures {

    private final RunView run;
    private final Series series;

    TimeSeriesFigures(RunView run) {
        this.run = run;
        this.series = run.series();
    }

    /** Load and throughput above, response time below, over the same time. */
    Figure main() {
        XYPlot above = run.panel()
                .loadAxis()
                .rateAxis()
                .load(0)
                .line(1, run.rateLabel("throughput"), run.throughput(), Theme.THROUGHPUT)
                .done(false);
        double[] p50 = series.response(Statistic.P50);
        double[] p99 = series.response(Statistic.P99);
        Scale scale = Scale.of(false, p50, p99);
        Panel responses = run.panel().left(scale.axis("response time (ms)", Theme.INK));
        boolean bounded = Downsampler.anyPositive(series.least(Statistic.P50));
        if (bounded) {
            band(responses, "", Statistic.P99, Theme.P99_BAND, scale);
            band(responses, "possibly added by the generator", Statistic.P50, Theme.MEDIAN_BAND, scale);
        }
        XYPlot below = responses
                .line(0, "response p99 (ms)", p99, Theme.P99)
                .line(0, "response p50 (ms)", p50, Theme.MEDIAN)
                .done(true);
        XYPlot both = new StackedPanels(run.time()).add(above, 1).add(below, 1).joined();
        return run.figure(
                "main",
                "Load, throughput and response time",
                "Above, load (dashed, left axis) and throughput of ok calls (blue, right axis), a point every "
                        + quantum() + "; below, median and 99th percentile of their response times"
                        + scale.note()
                        + (bounded ? ", with bands that show how much the load generator may have added" : "")
                        + ".",
                560,
                both);
    }

    private void band(Panel panel, String name, Statistic statistic, Color colour, Scale scale) {
        panel.band(
                0,
                name,
                run.seconds(),
                Downsampler.map(series.least(statistic), value -> Double.isNaN(value) ? value : scale.atLeast(value)),
                Downsampler.map(
                        series.response(statistic), value -> Double.isNaN(value) ? value : scale.atLeast(value)),
                colour);
    }

    /** As figure 10 of the paper: single calls as dots, their average, load and throughput. */
    Figure loadThroughputResponse() {
        ScatterSample dots = run.analysis().dots();
        double[] mean = run.average().over(series.response(Statistic.MEAN), series.of(Series.THROUGHPUT));
        Scale scale = Scale.of(false, dots.responseMs(), mean);
        ValueAxis response = scale.axis("response time (ms)", Theme.MEDIAN);
        XYSeries cloud =
                Downsampler.cloud("single calls (ms)", dots.seconds(), dots.responseMs(), run.endSeconds(), response);
        XYPlot plot = run.panel()
                .left(response)
                .loadAxis()
                .rateAxis()
                .add(0, cloud, data -> new DotRenderer(data, Theme.DOTS, Theme.DOTS_IN_LEGEND, Theme.SMALL_DOT))
                .load(1)
                .line(2, "throughput, " + run.average().words(), run.average().over(run.throughput()), Theme.THROUGHPUT)
                .line(0, "response time, " + run.average().words(), mean, Theme.MEDIAN)
                .overTime();
        return run.figure(
                "load-throughput-response",
                "Response time of single calls, load and throughput",
                "Each dot is one ok call at the time it ended (a random sample that keeps the slowest call of every "
                        + quantum() + "); the lines are averages" + scale.note()
                        + "; if dots spread upwards while load grows, calls are waiting in a queue.",
                560,
                plot);
    }

    /** As figure 7 of the paper. */
    Figure loadThroughput() {
        XYPlot plot = run.panel()
                .loadAxis()
                .rateAxis()
                .line(
                        1,
                        "throughput, every " + quantum(),
                        run.throughput(),
                        Theme.pale(Theme.THROUGHPUT, 80),
                        new BasicStroke(1.2f))
                .load(0)
                .line(1, "throughput, " + run.average().words(), run.average().over(run.throughput()), Theme.THROUGHPUT)
                .overTime();
        return run.figure(
                "load-throughput",
                "Load and throughput",
                "While throughput follows load, the service has spare capacity; where load keeps growing but "
                        + "throughput does not, it is at its limit.",
                500,
                plot);
    }

    /** Failed and dropped calls; only if there are any. */
    void failures(List<Figure> to) {
        boolean failed = Downsampler.anyPositive(series.of(Series.FAILED));
        boolean dropped = Downsampler.anyPositive(series.of(Series.DROPPED));
        if (!failed && !dropped) {
            return;
        }
        double[] failedRate = run.rates(series.of(Series.FAILED));
        double[] droppedRate = run.rates(series.of(Series.DROPPED));
        XYPlot plot = run.panel()
                .left(run.rateLabel("rate"), Theme.INK, failedRate, droppedRate)
                .lineIfAny(0, "dropped, never sent", droppedRate, Theme.DROPPED, Theme.LINE)
                .lineIfAny(0, "failed", failedRate, Theme.FAILED, Theme.LINE)
                .overTime();
        to.add(run.figure(
                "failures",
                dropped && failed ? "Failed and dropped calls" : dropped ? "Dropped calls" : "Failed calls",
                "Failed calls are shown at the time they ended, dropped ones at the time they were due; compare "
                        + "them with the load and the marks to see what came first.",
                420,
                plot));
    }

    /** Returns what the load generator may have added to calls other than by sending them late, the mean of each quantum, ms. */
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
        return run.panel()
                .left(range)
                .line(0, "send lag p99, every " + quantum(), series.of(Series.LAG_P99), Theme.P99)
                .lineIfAny(0, "possibly added per call, mean", added(), Theme.EACH[1], Theme.LINE)
                .overTime();
    }

    private String quantum() {
        return Numbers.length(series.quantumSeconds());
    }
}
