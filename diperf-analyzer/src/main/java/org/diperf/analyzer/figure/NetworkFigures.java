package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.NetworkImpact.Row;
import org.diperf.analyzer.stats.Correlation;
import org.diperf.analyzer.text.NetworkText;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** What the testers' latency and bandwidth to the target do to their calls (figures 11 and 12 of the DiPerF paper). */
record NetworkFigures(RunView run) implements RunFigure {

    private static final int MAX_LINES = Theme.EACH.length;
    private static final double LARGEST_RADIUS = 34;
    private static final double MIN_RADIUS = 3;

    @Override
    public void addTo(List<Figure> to) {
        NetworkImpact network = run.analysis().details().network();
        if (network.latenciesDiffer()) {
            to.add(impact("latency", Row::latencyMillis, "network round trip (ms)"));
        }
        if (network.bandwidthsDiffer()) {
            to.add(impact("bandwidth", row -> row.bandwidthBytes() / 1e6, "bandwidth (MB/s)"));
        }
        if (network.latenciesDiffer() && network.bandwidthsDiffer()) {
            to.add(bubbles());
        }
        overTime(to);
    }

    /** Response time, throughput of a client and success of each tester against one property of its network. */
    private Figure impact(String what, ToDoubleFunction<Row> of, String label) {
        double[] x = values(of);
        Scale domain = Scale.of(Downsampler.max(x) > 10 * Downsampler.minPositive(x), x);
        List<XYPlot> panels = new ArrayList<>();
        double[] response = values(Row::responseMillis);
        Scale times = Scale.of(false, response);
        panels.add(panel(x, response, times.axis("response (ms)", Theme.INK), Theme.MEDIAN));
        double[] served = run.rates(values(Row::perClientPerSecond));
        if (Double.isFinite(Downsampler.max(served))) {
            panels.add(panel(
                    x,
                    served,
                    Axes.fromZero("calls" + run.unit().symbol() + " a client", Downsampler.max(served), Theme.INK),
                    Theme.THROUGHPUT));
        }
        double[] success = values(Row::successPercent);
        NumberAxis percent = Axes.fromZero("success (%)", 100, Theme.INK);
        percent.setRange(0, 106);
        panels.add(panel(x, success, percent, Theme.P99));
        CombinedDomainXYPlot all = new CombinedDomainXYPlot(domain.axis(label, Theme.INK));
        all.setGap(12);
        panels.forEach(panel -> all.add(panel, 1));
        all.setFixedLegendItems(new LegendItemCollection());
        List<Correlation> known = run.analysis().details().network().correlations().stream()
                .filter(correlation -> correlation.against().equals(what))
                .toList();
        String title = "Response time, throughput and success against network " + what;
        String found = known.isEmpty() ? "" : " " + NetworkText.sentence(known.get(0));
        return new Figure(
                "network-" + what,
                title,
                "Each dot is a tester: from top to bottom, the mean response time of its ok calls, the "
                        + "throughput per client, and the share of its calls that succeeded, against its " + what
                        + domain.note()
                        + "; dots at equal heights mean that the service treats near and far testers alike." + found,
                620,
                Theme.chart(all, title, run.subtitle(), false));
    }

    private XYPlot panel(double[] x, double[] y, ValueAxis range, Color colour) {
        XYSeries series = new XYSeries("testers", false, true);
        for (int i = 0; i < x.length; i++) {
            if (Double.isFinite(x[i]) && Double.isFinite(y[i])) {
                series.add(x[i], y[i], false);
            }
        }
        XYSeriesCollection data = new XYSeriesCollection(series);
        XYPlot plot = Theme.plain(new XYPlot(data, null, range, null));
        plot.setRenderer(new DotRenderer(
                data,
                colour,
                colour,
                run.analysis().details().network().testers().size() > 200 ? Theme.MEDIUM_DOT : Theme.LARGE_DOT + 1));
        return plot;
    }

    /** As figure 11 of the paper: a bubble a tester, by latency and bandwidth, as large as what it got. */
    private Figure bubbles() {
        boolean data = run.analysis().details().network().testers().stream().anyMatch(row -> row.bytes() > 0);
        boolean peak = run.analysis().details().network().testers().stream().anyMatch(row -> row.peakOk() > 0);
        ToLongFunction<Row> size = peak ? data ? Row::peakBytes : Row::peakOk : data ? Row::bytes : Row::ok;
        List<Row> shown = run.analysis().details().network().testers().stream()
                .filter(row -> row.latencyMillis() > 0 && row.bandwidthBytes() > 0)
                .sorted(Comparator.comparingLong((Row row) -> -size.applyAsLong(row))
                        .thenComparingInt(Row::tester))
                .toList();
        double[] latency = shown.stream().mapToDouble(Row::latencyMillis).toArray();
        double[] bandwidth =
                shown.stream().mapToDouble(row -> row.bandwidthBytes() / 1e6).toArray();
        double most = shown.stream().mapToLong(size).max().orElse(1);
        XYSeries series = new XYSeries("testers", false, true);
        double[] radii = new double[shown.size()];
        for (int i = 0; i < radii.length; i++) {
            series.add(latency[i], bandwidth[i], false);
            radii[i] = Math.max(
                    MIN_RADIUS, LARGEST_RADIUS * Math.sqrt(size.applyAsLong(shown.get(i)) / Math.max(1, most)));
        }
        // Room for the bubbles at the edges.
        double wide = Math.pow(Math.max(2, Downsampler.max(latency) / Downsampler.minPositive(latency)), 0.08);
        double high = Math.pow(Math.max(2, Downsampler.max(bandwidth) / Downsampler.minPositive(bandwidth)), 0.12);
        ValueAxis domain = Axes.log(
                "network round trip (ms, log scale)",
                Downsampler.minPositive(latency) / wide,
                Downsampler.max(latency) * wide,
                Theme.INK);
        ValueAxis range = Axes.log(
                "bandwidth, measured separately (MB/s, log scale)",
                Downsampler.minPositive(bandwidth) / high,
                Downsampler.max(bandwidth) * high,
                Theme.INK);
        XYPlot plot = Theme.plain(new XYPlot(new XYSeriesCollection(series), domain, range, null));
        plot.setRenderer(new BubbleRenderer(
                radii, shown.stream().map(row -> String.valueOf(row.tester())).toList(), Theme.THROUGHPUT));
        String title = (data ? "Data transferred" : "Ok calls") + (peak ? " during the peak" : "")
                + " by tester latency and bandwidth";
        return new Figure(
                "bubbles",
                title,
                "Each bubble is a tester, labelled with its number; the area of the bubble is "
                        + (data ? "the data it transferred" : "its ok calls")
                        + (peak ? " while all clients were active" : "")
                        + " (at most " + (data ? Numbers.bytes(most) : Numbers.count((long) most, "call"))
                        + "); bubbles that shrink to the right or downwards mean that distant or slow machines get less.",
                520,
                Theme.chart(plot, title, run.subtitle(), false));
    }

    /** Latency of each tester over time, those with the most values. */
    private void overTime(List<Figure> to) {
        List<Row> shown = run.analysis().details().network().testers().stream()
                .filter(row -> row.trailSeconds().length > 1)
                .sorted(Comparator.comparingInt(row -> -row.trailSeconds().length))
                .limit(MAX_LINES)
                .sorted(Comparator.comparingInt(Row::tester))
                .toList();
        if (shown.isEmpty()) {
            return;
        }
        Scale scale = Scale.of(false, shown.stream().map(Row::trailMillis).toArray(double[][]::new));
        Panel panel = run.panel().left(scale.axis("network round trip (ms)", Theme.INK));
        BasicStroke stroke = shown.size() > 4 ? new BasicStroke(1.3f) : Theme.LINE;
        for (int i = 0; i < shown.size(); i++) {
            Row row = shown.get(i);
            panel.line(
                    0,
                    "tester " + row.tester() + " (" + RunText.clean(row.host()) + ")",
                    row.trailSeconds(),
                    row.trailMillis(),
                    Objects.requireNonNull(Theme.EACH[i]),
                    stroke);
        }
        XYPlot plot = panel.overTime();
        long all = run.analysis().details().network().testers().stream()
                .filter(row -> row.trailSeconds().length > 1)
                .count();
        to.add(run.figure(
                "network-time",
                "Network latency of each tester",
                "Round-trip times to the target as seen by clients, averaged over short intervals" + scale.note()
                        + (all > shown.size() ? ", of " + shown.size() + " of " + all + " testers" : "")
                        + "; if response times rise where these do not, the cause is the service, not the network.",
                440,
                plot));
    }

    private double[] values(ToDoubleFunction<Row> of) {
        return run.analysis().details().network().testers().stream()
                .mapToDouble(of)
                .toArray();
    }
}
