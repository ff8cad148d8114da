package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;

/** The figures of the parts of a run next to one another, such as its groups (figure 14 of the DiPerF paper). */
final class PartFigures implements RunFigure {

    /** More lines would be told apart by nobody. */
    private static final int MOST = Theme.EACH.length;

    private static final BasicStroke ALL = new BasicStroke(1.4f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

    private final Analysis analysis;
    private final Breakdown breakdown;
    private final RunView run;
    private final Series whole;
    private final List<Breakdown.Part> shown;

    PartFigures(RunView run, Breakdown breakdown) {
        this.analysis = run.analysis();
        this.breakdown = breakdown;
        this.run = run;
        this.whole = run.series();
        List<Breakdown.Part> most = breakdown.parts().stream()
                .sorted(Comparator.comparingLong(part -> -part.summary().calls().ok()))
                .limit(MOST)
                .toList();
        // The order of the file decides the colours.
        this.shown = breakdown.parts().stream().filter(most::contains).toList();
    }

    @Override
    public void addTo(List<Figure> to) {
        to.add(throughput());
        to.add(response());
    }

    private static Color colour(int part) {
        return Objects.requireNonNull(Theme.EACH[part]);
    }

    private String name(int part) {
        return RunText.clean(shown.get(part).name());
    }

    private String what() {
        return RunText.clean(breakdown.by());
    }

    private String rest() {
        int left = breakdown.parts().size() - shown.size();
        return left == 0
                ? ""
                : "; the " + shown.size() + " with the most ok calls are shown, " + left + " more are in groups.csv";
    }

    private double[] rate(Series series) {
        return run.average().over(run.rates(series.of(Series.THROUGHPUT)));
    }

    /** Throughput of each and together; load of each; share of each. */
    private Figure throughput() {
        boolean open = RunText.isOpen(analysis) || !anyActive();
        String loadName = open ? "calls in flight" : "active clients";
        double[] together = rate(whole);
        double[] load = load(whole, open);
        Panel above = run.panel()
                .left(run.rateLabel("throughput"), Theme.INK, together)
                .line(0, "together", together, Theme.INK, ALL);
        Panel middle = run.panel().left(loadName, Theme.INK, load).line(0, "together", load, Theme.INK, ALL);
        NumberAxis percent = Axes.fromZero("share of throughput (%)", 100, Theme.INK);
        percent.setRange(0, 104);
        Panel below = run.panel().left(percent);
        for (int i = 0; i < shown.size(); i++) {
            Series series = shown.get(i).series().drawn();
            double[] own = rate(series);
            above.line(0, name(i), own, colour(i));
            middle.line(0, name(i), load(series, open), colour(i));
            below.line(0, name(i), share(own, together), colour(i));
        }
        XYPlot first = above.done(true);
        XYPlot all = new StackedPanels(run.time())
                .add(first, 5)
                .add(middle.done(false), 3)
                .add(below.done(false), 3)
                .with(first.getFixedLegendItems());
        return run.figure(
                "groups",
                "Throughput, load and share by " + what(),
                "From top to bottom: ok calls of each " + what() + " and of all of them combined ("
                        + run.average().words() + "); their "
                        + loadName
                        + "; and each one's share of all ok calls. Where one starts and another drops, they compete "
                        + "for the same service" + rest() + ".",
                720,
                all);
    }

    /** The load of requests is calls in flight alone: clients make calls of all kinds. */
    private boolean anyActive() {
        return shown.stream()
                .anyMatch(part -> Downsampler.anyPositive(part.series().of(Series.ACTIVE_CLIENTS)));
    }

    private static double[] load(Series series, boolean open) {
        return open ? series.of(Series.IN_FLIGHT) : series.of(Series.ACTIVE_CLIENTS);
    }

    private static double[] share(double[] own, double[] together) {
        double[] share = new double[own.length];
        for (int i = 0; i < share.length; i++) {
            share[i] = together[i] > 0 ? 100 * own[i] / together[i] : Double.NaN;
        }
        return share;
    }

    /** Median and 99th percentile of each. */
    private Figure response() {
        double[][] rows = new double[2 * shown.size()][];
        for (int i = 0; i < shown.size(); i++) {
            rows[2 * i] = shown.get(i).series().drawn().response(Statistic.P50);
            rows[2 * i + 1] = shown.get(i).series().drawn().response(Statistic.P99);
        }
        Scale scale = Scale.of(false, rows);
        Panel panel = run.panel().left(scale.axis("response time (ms)", Theme.INK));
        for (int i = 0; i < shown.size(); i++) {
            panel.line(0, name(i) + " p50", rows[2 * i], colour(i));
            panel.line(0, name(i) + " p99", rows[2 * i + 1], colour(i), Theme.THIN_DASHED);
        }
        XYPlot plot = panel.overTime();
        return run.figure(
                "groups-response",
                "Response time by " + what(),
                "Median (thick) and 99th percentile (thin, dashed) of the response times of each " + what()
                        + ", a point every " + Numbers.length(whole.quantumSeconds()) + scale.note()
                        + "; a higher line means slower responses from the same service, or a greater distance to it"
                        + rest()
                        + ".",
                500,
                plot);
    }
}
