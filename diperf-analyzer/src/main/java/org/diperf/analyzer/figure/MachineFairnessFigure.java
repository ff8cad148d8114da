package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.data.xy.XYIntervalSeries;

/** Fairness between and within machines (figure 12 of the DiPerF paper): bars of means with deviations over clients. */
record MachineFairnessFigure(RunView run) implements RunFigure {

    /** Bars of more would be thinner than their borders. */
    private static final int MOST = 400;

    private static final int MAX_NAMED = 24;

    /** What a tester's clients had: mean and population standard deviation over them. */
    private record Bar(double mean, double deviation) {
        static Bar of(List<ClientRow> clients, ToDoubleFunction<ClientRow> value) {
            double[] values =
                    clients.stream().mapToDouble(value).filter(Double::isFinite).toArray();
            double mean = java.util.Arrays.stream(values).average().orElse(Double.NaN);
            double squares = java.util.Arrays.stream(values)
                    .map(each -> (each - mean) * (each - mean))
                    .average()
                    .orElse(0);
            return new Bar(mean, Math.sqrt(squares));
        }
    }

    /** Adds the figure; only where several testers ran several clients. */
    @Override
    public void addTo(List<Figure> to) {
        if (RunText.isOpen(run.analysis())) {
            return;
        }
        Map<Integer, List<ClientRow>> clients = run.analysis().clients().stream()
                .filter(row -> row.calls() > 0)
                .collect(Collectors.groupingBy(ClientRow::tester));
        List<TesterRow> testers = run.analysis().testers().stream()
                .filter(row -> clients.containsKey(row.tester()))
                .sorted(Comparator.comparingDouble((TesterRow row) ->
                                Double.isNaN(row.rttMillis()) ? Double.POSITIVE_INFINITY : row.rttMillis())
                        .thenComparingInt(TesterRow::tester))
                .toList();
        int most = clients.values().stream().mapToInt(List::size).max().orElse(0);
        if (testers.size() < 2 || testers.size() > MOST || most < 2) {
            return;
        }
        List<Bar> served = new ArrayList<>();
        List<Bar> response = new ArrayList<>();
        for (TesterRow tester : testers) {
            List<ClientRow> own = clients.getOrDefault(tester.tester(), List.of());
            served.add(Bar.of(
                    own,
                    row -> row.toSeconds() > row.fromSeconds()
                            ? row.ok()
                                    / (row.toSeconds() - row.fromSeconds())
                                    * run.unit().factor()
                            : Double.NaN));
            response.add(Bar.of(own, row -> row.response(Statistic.MEAN)));
        }
        boolean known = testers.stream().anyMatch(row -> Double.isFinite(row.rttMillis()));
        List<TickedAxis.Mark> marks = new ArrayList<>();
        int step = (testers.size() + MAX_NAMED - 1) / MAX_NAMED;
        for (int i = 0; i < testers.size(); i += step) {
            marks.add(new TickedAxis.Mark(i + 1, String.valueOf(testers.get(i).tester())));
        }
        NumberAxis domain = Theme.axis(
                new TickedAxis(known ? "testers by number, nearest to the target first" : "testers by number", marks),
                Theme.INK);
        domain.setRange(0.4, testers.size() + 0.6);
        String symbol = run.unit().symbol();
        StackedPanels panels = new StackedPanels(domain)
                .add(plot("calls" + symbol + " per client", served, Theme.THROUGHPUT), 1)
                .add(plot("mean response time (ms)", response, Theme.MEDIAN), 1);
        XYPlot both = panels.with(Theme.legend(
                Theme.legendShape("ok calls" + symbol + " per client, mean", Theme.THROUGHPUT, Theme.LEGEND_BOX),
                Theme.legendShape("response time per client, mean", Theme.MEDIAN, Theme.LEGEND_BOX),
                Theme.legendLine("± standard deviation across the tester's clients", Theme.INK, Theme.LINE)));
        to.add(run.figure(
                "testers",
                "Fairness between and within testers",
                "Each bar is the mean of a tester's clients; unequal bars mean unfairness between machines, "
                        + "long whiskers mean unfairness between clients on one machine"
                        + (known
                                ? ", and bars that rise or fall to the right show the effect of the distance to the target."
                                : "."),
                520,
                both));
    }

    private static XYPlot plot(String label, List<Bar> bars, Color colour) {
        XYIntervalSeries heights = new XYIntervalSeries(label, false, true);
        XYIntervalSeries whiskers = new XYIntervalSeries(label + ", deviation", false, true);
        double top = 0;
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            if (Double.isFinite(bar.mean())) {
                heights.add(i + 1.0, i + 0.65, i + 1.35, bar.mean(), 0, bar.mean());
                double low = Math.max(0, bar.mean() - bar.deviation());
                double high = bar.mean() + bar.deviation();
                whiskers.add(i + 1.0, i + 1.0, i + 1.0, bar.mean(), low, high);
                top = Math.max(top, high);
            }
        }
        XYPlot plot = Theme.plot(null, Axes.fromZero(label, top, Theme.INK));
        plot.setDomainGridlinesVisible(false);
        XYBarRenderer bar = Theme.bars(Theme.pale(colour, 150));
        bar.setDrawBarOutline(false);
        Theme.intervals(plot, heights, bar);
        Theme.intervals(plot, whiskers, Theme.whiskers(Theme.INK, Theme.THIN, bars.size() > 60 ? 2 : 6));
        return plot;
    }
}
