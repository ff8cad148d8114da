package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;

/** Throughput against how many clients join a second: what it costs a service that clients come (WS-MDS paper). */
record JoinRateFigure(RunView run) implements RunFigure {

    private static final int FEWEST_QUANTA = 5;
    /** A steady ramp has hardly two rates, and a figure of those would compare the ramp with the rest of the run alone. */
    private static final int FEWEST_RATES = 4;

    private static final int MAX_SPANS = 400;
    private static final String[] PARTS = {"up to a third", "a third to two thirds", "more than two thirds"};
    private static final Color[] COLOURS = {new Color(0x56, 0xB4, 0xE9), new Color(0xE6, 0x9F, 0x00), Theme.INK};

    /** Adds the figure; only where clients join over time, and not all at once. */
    @Override
    public void addTo(List<Figure> to) {
        Series series = run.analysis().series();
        if (RunText.isOpen(run.analysis()) || series.size() < FEWEST_QUANTA) {
            return;
        }
        int each = (series.size() + MAX_SPANS - 1) / MAX_SPANS;
        // The last quanta may be cut short, and a rate over them would be too low.
        int spans = (series.size() - 1) / each;
        double width = each * series.quantumSeconds();
        double[] joins = new double[spans];
        for (ClientRow client : run.analysis().clients()) {
            int span = Double.isFinite(client.fromSeconds()) ? (int) (client.fromSeconds() / width) : -1;
            if (span >= 0 && span < spans) {
                joins[span] += 1 / width;
            }
        }
        long joining = Arrays.stream(joins).filter(rate -> rate > 0).count();
        if (joining < FEWEST_QUANTA || Arrays.stream(joins).distinct().count() < FEWEST_RATES) {
            return;
        }
        double[] throughput = new double[spans];
        double[] load = new double[spans];
        for (int i = 0; i < spans; i++) {
            for (int j = 0; j < each; j++) {
                throughput[i] += run.throughput()[i * each + j] / each;
                load[i] += series.of(Series.ACTIVE_CLIENTS)[i * each + j] / each;
            }
        }
        to.add(figure(joins, throughput, load, width));
    }

    private Figure figure(double[] joins, double[] throughput, double[] load, double width) {
        double most = Downsampler.max(load);
        double highest = Downsampler.max(joins);
        NumberAxis domain = Axes.fromZero("clients joining (1/s)", highest, Theme.INK);
        domain.setRange(-0.04 * highest, 1.06 * highest);
        NumberAxis range = Axes.fromZero(run.rateLabel("throughput"), Downsampler.max(throughput), Theme.INK);
        XYPlot plot = Theme.plot(domain, range);
        LegendItemCollection legend = new LegendItemCollection();
        for (int part = 0; part < PARTS.length; part++) {
            XYSeries series = new XYSeries(PARTS[part], false, true);
            for (int i = 0; i < joins.length; i++) {
                int of = (int) Math.max(0, Math.min(PARTS.length - 1, Math.ceil(load[i] / most * PARTS.length) - 1));
                if (of == part && load[i] > 0) {
                    series.add(joins[i], throughput[i], false);
                }
            }
            Color colour = Objects.requireNonNull(COLOURS[part]);
            Theme.cloud(plot, series, colour, Theme.LARGE_DOT);
            legend.add(Theme.legendShape(
                    "load " + PARTS[part] + " of " + Numbers.level(Math.rint(most)) + " clients", colour, Theme.DOT));
        }
        plot.setFixedLegendItems(legend);
        return run.figure(
                "joins",
                "Throughput against joining clients",
                "Each dot covers " + Numbers.length(width)
                        + ", coloured by the load at that time; if dots of one colour fall towards the right, "
                        + "clients that join create extra work for the service.",
                440,
                plot);
    }
}
