package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.server.LevelDemand;
import org.diperf.analyzer.server.LinearFit;
import org.diperf.analyzer.server.ServiceDemand;
import org.diperf.analyzer.text.Levels;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** How busy the service's processors were at each level, and what a call took of them. */
final class ServerLevelFigure {

    private static final double DECADE = 10;

    private final RunView run;

    ServerLevelFigure(RunView run) {
        this.run = run;
    }

    /** Adds a figure for a monitor that saw processors at two levels or more. */
    void add(ServiceDemand demand, List<Figure> to) {
        List<LevelDemand> levels = demand.levels().stream()
                .filter(level -> Double.isFinite(level.secondsPerCall()))
                .toList();
        if (levels.size() > 1) {
            to.add(figure(demand.monitor(), levels));
        }
    }

    private Figure figure(String monitor, List<LevelDemand> levels) {
        boolean rates = Levels.areRates(run.analysis());
        double[] x = values(levels, level -> level.level() * (rates ? run.unit().factor() : 1));
        Scale domain = Scale.of(x[x.length - 1] / x[0] > DECADE, x);
        boolean share = Double.isFinite(levels.get(0).utilisationPercent());
        double[] busy = values(levels, share ? LevelDemand::utilisationPercent : LevelDemand::busyCores);
        double[] millis = values(levels, level -> 1e3 * level.secondsPerCall());
        YIntervalSeries use = new YIntervalSeries(share ? "utilisation" : "busy cores");
        YIntervalSeries cost = new YIntervalSeries("CPU per call, with 95 % interval");
        double most = 0;
        for (int i = 0; i < x.length; i++) {
            LinearFit interval = levels.get(i).demand();
            double low = interval == null ? millis[i] : 1e3 * interval.low();
            double high = interval == null ? millis[i] : 1e3 * interval.high();
            most = Math.max(most, high);
            use.add(x[i], busy[i], busy[i], busy[i]);
            cost.add(x[i], millis[i], low, high);
        }
        ValueAxis axis = domain.axis(rates ? run.rateLabel("offered rate") : "load (concurrent clients)", Theme.INK);
        String busyLabel = share ? "core utilisation (%)" : "server CPU (cores)";
        XYPlot both = new StackedPanels(axis)
                .add(plot(use, Axes.fromZero(busyLabel, Downsampler.max(busy), Theme.P99), Theme.P99), 1)
                .add(plot(cost, Axes.fromZero("CPU per call (ms)", most, Theme.MEDIAN), Theme.MEDIAN), 1)
                .joined();
        return run.figure(
                "server-levels-" + monitor,
                "Server resources used at each level: " + monitor,
                "Each point is one level after it settled, as measured by the monitor '" + monitor
                        + "'. If utilisation approaches 100 %, the processors are the limit; if throughput stops growing "
                        + "below that, something else is. A cost per call that falls with load indicates a fixed "
                        + "cost shared by more calls; one that rises indicates contention.",
                560,
                both);
    }

    private static double[] values(List<LevelDemand> levels, ToDoubleFunction<LevelDemand> of) {
        return levels.stream().mapToDouble(of).toArray();
    }

    private static XYPlot plot(YIntervalSeries values, ValueAxis range, Color colour) {
        YIntervalSeriesCollection data = new YIntervalSeriesCollection();
        data.addSeries(values);
        return Theme.plain(
                new XYPlot(data, null, range, new Bars(values.getKey().toString(), colour)));
    }

    /** A line with a point and an upright interval a level. */
    private static final class Bars extends XYErrorRenderer {

        private static final long serialVersionUID = 1;

        private final String name;
        private final Color colour;

        Bars(String name, Color colour) {
            this.name = name;
            this.colour = colour;
            setDrawXError(false);
            setDefaultLinesVisible(true);
            setSeriesPaint(0, colour);
            setSeriesStroke(0, Theme.LINE);
            setSeriesShape(0, Theme.LEVEL);
            setErrorPaint(colour);
            setErrorStroke(new BasicStroke(1.2f));
        }

        @Override
        public LegendItem getLegendItem(int datasetIndex, int series) {
            return Theme.legendLine(name, colour, Theme.LINE);
        }
    }
}
