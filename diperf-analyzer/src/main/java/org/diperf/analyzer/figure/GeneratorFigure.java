package org.diperf.analyzer.figure;

import java.util.List;
import org.diperf.analyzer.result.GeneratorSigns;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;

/** What the load generator saw of itself: hiccups above, what kept it from its work below. */
final class GeneratorFigure implements RunFigure {

    private final GeneratorSigns signs;
    private final RunView run;

    GeneratorFigure(RunView run) {
        this.signs = run.analysis().details().signs();
        this.run = run;
    }

    /** Adds the figure; only where testers saw something of themselves. */
    @Override
    public void addTo(List<Figure> to) {
        if (signs.hiccupMillis().length == 0 || !Points.anyPositive(signs.hiccupMillis())) {
            return;
        }
        double[] seconds = run.seconds();
        // Least values are rounding: half a decade of hundredths of a microsecond would flatten what matters.
        double[] hiccup = atLeast(signs.hiccupMillis());
        Scale scale = Scale.of(false, hiccup);
        ValueAxis time = scale.axis("time (ms)", Theme.INK);
        double end = Math.max(run.series().durationSeconds(), 1e-9);
        XYPlot above = run.panel()
                .axis(0, time, AxisLocation.BOTTOM_OR_LEFT)
                .add(
                        0,
                        Points.line("longest pause of a tester (ms)", seconds, hiccup, 0, end, time),
                        data -> new CloudRenderer(data, Theme.THROUGHPUT, Theme.THROUGHPUT, Theme.MEDIUM_DOT))
                .done(false);
        double most = Points.max(
                signs.starvedPercent(), signs.gcPercent(), signs.stealPercent(), signs.heldPercent(), new double[] {1});
        Panel below = run.panel()
                .axis(0, Axes.fromZero("share of the time (%)", most, Theme.INK), AxisLocation.BOTTOM_OR_LEFT)
                .line(
                        0,
                        "load threads waited for a processor (%)",
                        seconds,
                        signs.starvedPercent(),
                        Theme.EACH[1],
                        Theme.LINE);
        if (Points.anyPositive(signs.gcPercent())) {
            below.line(0, "garbage collection (%)", seconds, signs.gcPercent(), Theme.MEDIAN, Theme.LINE);
        }
        if (Points.anyPositive(signs.stealPercent())) {
            below.line(0, "taken by the hypervisor (%)", seconds, signs.stealPercent(), Theme.LOAD, Theme.DASHED);
        }
        if (Points.anyPositive(signs.heldPercent())) {
            below.line(0, "samples held up (%)", seconds, signs.heldPercent(), Theme.SECOND, Theme.DASHED);
        }
        XYPlot lower = below.done(true);
        XYPlot both = new StackedPanels(run.time()).add(above, 1).add(lower, 1).joined();
        to.add(run.figure(
                "generator",
                "Hiccups of the load generator",
                "Of each " + Numbers.length(run.series().quantumSeconds())
                        + " the worst tester" + scale.note()
                        + ": above, how long a tester stood"
                        + " still; below, what kept it from its work. Peaks that meet those of the response time are the"
                        + " generator's, not the service's.",
                520,
                both));
    }

    /** A microsecond and less is no lag worth a decade of axis. */
    private static double[] atLeast(double[] millis) {
        return Points.map(millis, value -> value > 0 ? Math.max(0.001, value) : Double.NaN);
    }
}
