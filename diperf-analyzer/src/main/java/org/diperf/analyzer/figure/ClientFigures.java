package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;

/** The figures of single clients; closed load only. A dot is a client; testers stand side by side. */
final class ClientFigures implements RunFigure {

    private static final int MAX_NAMED_TESTERS = 8;

    private final Analysis analysis;
    private final RunView run;
    private final List<ClientRow> clients;

    ClientFigures(RunView run) {
        this.analysis = run.analysis();
        this.run = run;
        this.clients = run.analysis().clients().stream()
                .sorted(Comparator.comparingInt(ClientRow::tester).thenComparingInt(ClientRow::client))
                .toList();
    }

    @Override
    public void addTo(List<Figure> to) {
        if (clients.isEmpty() || RunText.isOpen(analysis)) {
            return;
        }
        to.add(figure(
                "clients-throughput",
                "Throughput of each client",
                "Each dot is a client, sorted by tester, then by start time; dots at different heights mean that "
                        + "some clients were served better than others.",
                run.rateLabel("ok calls per client"),
                c -> c.toSeconds() > c.fromSeconds()
                        ? c.ok()
                                / (c.toSeconds() - c.fromSeconds())
                                * run.unit().factor()
                        : Double.NaN));
        boolean peak = clients.stream().anyMatch(c -> Double.isFinite(c.peakUtilisation()));
        ToDoubleFunction<ClientRow> utilisation = c -> 100 * (peak ? c.peakUtilisation() : c.utilisation());
        if (clients.stream().mapToDouble(utilisation).anyMatch(Double::isFinite)) {
            to.add(figure(
                    "clients-utilisation",
                    peak ? "Utilisation per client during the peak" : "Utilisation per client",
                    "A client's share of all ok calls "
                            + (peak ? "while all clients were active" : "while it was active")
                            + "; a fair service gives all clients the same share (dashed line).",
                    "share of ok calls (%)",
                    utilisation));
        }
    }

    private Figure figure(String name, String title, String howToRead, String unit, ToDoubleFunction<ClientRow> value) {
        double[] values = clients.stream().mapToDouble(value).toArray();
        NumberAxis range = Axes.fromZero(unit, Downsampler.max(values), Theme.INK);
        XYPlot plot = Theme.plot(Axes.numbered("clients, by tester and start order", values.length), range);
        plot.setDomainGridlinesVisible(false);
        LegendItemCollection legend = new LegendItemCollection();
        Map<Integer, int[]> ranges = testerRanges();
        int index = 0;
        for (Map.Entry<Integer, int[]> tester : ranges.entrySet()) {
            Color colour = Theme.EACH[index % Theme.EACH.length];
            int from = tester.getValue()[0];
            int to = tester.getValue()[1];
            double[] places = new double[to - from];
            Arrays.setAll(places, i -> from + i + 1);
            String label = "tester " + tester.getKey() + " ("
                    + RunText.clean(clients.get(from).host()) + ")";
            XYSeries series =
                    Downsampler.cloud(label, places, Arrays.copyOfRange(values, from, to), values.length + 1.0, range);
            Theme.cloud(plot, series, colour, Theme.dot(values.length));
            if (ranges.size() <= MAX_NAMED_TESTERS) {
                legend.add(Theme.legendShape(label, colour, Theme.DOT));
            }
            index++;
        }
        double mean = Arrays.stream(values).filter(Double::isFinite).average().orElse(Double.NaN);
        if (Double.isFinite(mean)) {
            plot.addRangeMarker(new ValueMarker(mean, Theme.INK, Theme.DASHED), Layer.FOREGROUND);
            legend.add(Theme.legendLine("mean " + Numbers.brief(mean), Theme.INK, Theme.DASHED));
        }
        plot.setFixedLegendItems(legend);
        return run.figure(name, title, howToRead, 440, plot);
    }

    /** Returns from which place to which the clients of a tester stand. */
    private Map<Integer, int[]> testerRanges() {
        Map<Integer, int[]> ranges = new TreeMap<>();
        for (int i = 0; i < clients.size(); i++) {
            int place = i;
            ranges.computeIfAbsent(clients.get(i).tester(), t -> new int[] {place, place})[1] = i + 1;
        }
        return ranges;
    }
}
