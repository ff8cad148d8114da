package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.List;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.LegendItem;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StackedXYBarRenderer;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.data.xy.DefaultTableXYDataset;
import org.jfree.data.xy.XYSeries;

/** What response times are made of: the service and its network at least, and what the load generator may have added. */
record ResponseTimeBreakdownFigure(RunView run) implements RunFigure {

    /** More could not be told apart. */
    private static final int MAX_BARS = 60;

    private static final String[] PARTS = {
        "service and network, at least", "sent late by the generator", "possibly added by the generator"
    };
    private static final Color[] COLOURS = {Theme.MEDIAN, Theme.P99, Theme.EACH[1]};

    /** Adds the figure; only where it is known what the generator may have added. */
    @Override
    public void addTo(List<Figure> to) {
        double[] least = run.series().least(Statistic.MEAN);
        if (!Downsampler.anyPositive(least)) {
            return;
        }
        DefaultTableXYDataset bars = bars(least);
        double highest = 0;
        for (int bar = 0; bar < bars.getItemCount(); bar++) {
            double sum = 0;
            for (int part = 0; part < PARTS.length; part++) {
                sum += bars.getYValue(part, bar);
            }
            highest = Math.max(highest, sum);
        }
        XYPlot plot = run.panel()
                .left(Axes.fromZero("mean response time (ms)", highest, Theme.INK))
                .add(0, bars, new Bars(), true)
                .overTime();
        to.add(run.figure(
                "error-bounds",
                "Components of the response time",
                "Each bar covers " + Numbers.length(barSeconds())
                        + " and shows the mean over the ok calls that ended in that interval: at the bottom, the minimum time for "
                        + "the service and its network; above, how late calls were "
                        + "sent, and what the load generator may have added when sending and receiving. The true value "
                        + "lies between the bottom part and the full bar.",
                420,
                plot));
    }

    private int quantaPerBar() {
        return Math.max(1, (run.series().size() + MAX_BARS - 1) / MAX_BARS);
    }

    private double barSeconds() {
        return quantaPerBar() * run.series().quantumSeconds();
    }

    private DefaultTableXYDataset bars(double[] least) {
        double[] mean = run.series().response(Statistic.MEAN);
        XYSeries[] parts = new XYSeries[PARTS.length];
        for (int part = 0; part < parts.length; part++) {
            parts[part] = new XYSeries(PARTS[part], false, false);
        }
        int each = quantaPerBar();
        for (int from = 0; from < run.series().size(); from += each) {
            double calls = 0;
            double low = 0;
            double late = 0;
            double all = 0;
            for (int i = from; i < Math.min(run.series().size(), from + each); i++) {
                double weight = run.series().of(Series.THROUGHPUT)[i];
                if (weight > 0 && Double.isFinite(least[i]) && Double.isFinite(mean[i])) {
                    double lag = Double.isFinite(run.series().of(Series.LAG_MEAN)[i])
                            ? run.series().of(Series.LAG_MEAN)[i]
                            : 0;
                    calls += weight;
                    low += weight * least[i];
                    late += weight * Math.min(lag, mean[i] - least[i]);
                    all += weight * mean[i];
                }
            }
            if (calls > 0) {
                double middle = (from + each / 2.0) * run.series().quantumSeconds();
                parts[0].add(middle, low / calls);
                parts[1].add(middle, late / calls);
                parts[2].add(middle, Math.max(0, all - low - late) / calls);
            }
        }
        DefaultTableXYDataset bars = new DefaultTableXYDataset();
        for (XYSeries part : parts) {
            bars.addSeries(part);
        }
        bars.setAutoWidth(false);
        bars.setIntervalWidth(barSeconds());
        return bars;
    }

    /** Bars without a shadow. */
    private static final class Bars extends StackedXYBarRenderer {

        private static final long serialVersionUID = 1;

        Bars() {
            super(0.15);
            setShadowVisible(false);
            setBarPainter(new StandardXYBarPainter());
            for (int part = 0; part < COLOURS.length; part++) {
                setSeriesPaint(part, COLOURS[part]);
            }
        }

        @Override
        public LegendItem getLegendItem(int dataset, int part) {
            return Theme.legendShape(PARTS[part], COLOURS[part], Theme.LEGEND_BOX);
        }
    }
}
