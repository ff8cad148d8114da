package org.diperf.analyzer.figure;

import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.Plot;

/**
 * A run as its figures see it, worked out once for all of them. Arrays are as long as the series, and nobody changes them.
 *
 * @param series of the whole run, as it is to be drawn
 * @param seconds middles of the quanta, after the start of the run
 * @param load active clients, or calls in flight of open load
 * @param loadName which of the two
 * @param throughput ok calls in the unit of the run
 * @param unit of rates
 * @param average that smooths lines over time
 * @param subtitle experiment, load and targets
 */
record RunView(
        Analysis analysis,
        Series series,
        double[] seconds,
        double[] load,
        String loadName,
        double[] throughput,
        RateUnit unit,
        MovingAverage average,
        String subtitle) {

    static RunView of(Analysis analysis) {
        Series series = analysis.series().drawn();
        boolean open = RunText.isOpen(analysis);
        RateUnit unit = RateUnit.of(analysis.run());
        return new RunView(
                analysis,
                series,
                middles(series),
                open ? series.of(Series.IN_FLIGHT) : series.of(Series.ACTIVE_CLIENTS),
                open ? "calls in flight" : "active clients",
                Downsampler.map(series.of(Series.THROUGHPUT), value -> value * unit.factor()),
                unit,
                MovingAverage.of(analysis.run().report(), series),
                RunText.clean(analysis.run().experiment()) + " · " + RunText.load(analysis.run()) + " · "
                        + RunText.targets(analysis.run()));
    }

    private static double[] middles(Series series) {
        double[] seconds = new double[series.size()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = series.middleSeconds(i);
        }
        return seconds;
    }

    /** Makes the figure of a plot, with its legend below. */
    Figure figure(String name, String title, String howToRead, int height, Plot plot) {
        return Figure.of(name, title, subtitle, howToRead, height, plot);
    }

    /** Begins a panel over the time of the run. */
    Panel panel() {
        return new Panel(this);
    }

    /** Returns the length of the run, more than 0. */
    double endSeconds() {
        return Math.max(analysis.series().durationSeconds(), 1e-9);
    }

    /** Makes the axis of the time of the run. */
    NumberAxis time() {
        return Axes.time(series.durationSeconds());
    }

    /** Returns rates in the unit of the run. */
    double[] rates(double[] perSecond) {
        return Downsampler.map(perSecond, value -> value * unit.factor());
    }

    /** Labels an axis of the load. */
    String loadLabel() {
        return "load (" + loadName + ")";
    }

    /** Labels an axis or a line of rates of calls. */
    String rateLabel(String what) {
        return what + " (calls" + unit.symbol() + ")";
    }
}
