package org.diperf.analyzer.figure;

import java.util.List;
import org.diperf.analyzer.result.GeneratorSymptoms;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;

/** What the load generator saw of itself: hiccups above, what kept it from its work below. */
record GeneratorFigure(RunView run) implements RunFigure {

    /** Adds the figure; only where testers saw something of themselves. */
    @Override
    public void addTo(List<Figure> to) {
        GeneratorSymptoms signs = run.analysis().details().signs();
        if (!Downsampler.anyPositive(signs.hiccupMillis())) {
            return;
        }
        double[] seconds = run.seconds();
        // Least values are rounding: half a decade of hundredths of a microsecond would flatten what matters.
        double[] hiccup = atLeast(signs.hiccupMillis());
        Scale scale = Scale.of(false, hiccup);
        ValueAxis time = scale.axis("time (ms)", Theme.INK);
        XYPlot above = run.panel()
                .left(time)
                .add(
                        0,
                        Downsampler.line("longest pause of a tester (ms)", seconds, hiccup, 0, run.endSeconds(), time),
                        data -> new DotRenderer(data, Theme.THROUGHPUT, Theme.THROUGHPUT, Theme.MEDIUM_DOT))
                .done(false);
        XYPlot lower = run.panel()
                .left(
                        "share of time (%)",
                        Theme.INK,
                        signs.starvedPercent(),
                        signs.gcPercent(),
                        signs.stealPercent(),
                        signs.heldPercent(),
                        new double[] {1})
                .line(0, "load threads waiting for a processor (%)", signs.starvedPercent(), Theme.EACH[1])
                .lineIfAny(0, "garbage collection (%)", signs.gcPercent(), Theme.MEDIAN, Theme.LINE)
                .lineIfAny(0, "stolen by the hypervisor (%)", signs.stealPercent(), Theme.LOAD, Theme.DASHED)
                .lineIfAny(0, "samples delayed (%)", signs.heldPercent(), Theme.SECOND, Theme.DASHED)
                .done(true);
        XYPlot both = new StackedPanels(run.time()).add(above, 1).add(lower, 1).joined();
        to.add(run.figure(
                "generator",
                "Load generator hiccups",
                "For each interval of " + Numbers.length(run.series().quantumSeconds())
                        + ", the worst tester" + scale.note()
                        + ": above, how long it paused; below, what delayed it. Peaks that coincide with "
                        + "response time peaks come from the generator, not the service.",
                520,
                both));
    }

    /** A microsecond and less is no lag worth a decade of axis. */
    private static double[] atLeast(double[] millis) {
        return Downsampler.map(millis, value -> value > 0 ? Math.max(0.001, value) : Double.NaN);
    }
}
