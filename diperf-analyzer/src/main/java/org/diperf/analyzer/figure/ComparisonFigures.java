package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.Contrast;
import org.diperf.analyzer.compare.MeasuredRun;
import org.diperf.analyzer.compare.Metric;
import org.diperf.analyzer.compare.Side;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Distribution;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.XYPlot;

/** The figures of a comparison: all sides on the same axes. A side has one colour, each of its runs a line. */
final class ComparisonFigures {

    /** More colours would be told apart by nobody. */
    private static final int MAX_SIDES = Math.min(Theme.EACH.length, Comparison.MAX_DRAWN);

    /** More lines of one colour hide one another. */
    private static final int MAX_RUNS = Comparison.MAX_DRAWN;

    /** Of fewer there is no course to be seen. */
    private static final int FEWEST_QUANTA = 3;

    private static final BasicStroke ONE_OF_MANY = new BasicStroke(1.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

    private final Comparison comparison;
    private final List<Side> sides;
    private final String subtitle;
    private final String leftOut;

    ComparisonFigures(Comparison comparison) {
        this.comparison = comparison;
        this.sides = comparison.sides().stream().limit(MAX_SIDES).toList();
        boolean many = comparison.sides().size() > MAX_SIDES
                || sides.stream().anyMatch(side -> side.runs().size() > MAX_RUNS);
        this.leftOut = many ? "; at most " + MAX_SIDES + " sides and " + MAX_RUNS + " runs of each are shown" : "";
        this.subtitle =
                String.join(" · ", sides.stream().map(ComparisonFigures::label).toList());
    }

    private static String label(Side side) {
        int runs = side.runs().size();
        return RunText.clean(side.name()) + (runs == 1 ? "" : " (" + runs + " runs)");
    }

    List<Figure> all() {
        List<Figure> figures = new ArrayList<>();
        List<Contrast> contrasts = comparison.contrasts();
        for (int i = 0; i < Math.min(MAX_SIDES, contrasts.size()); i++) {
            String name = contrasts.size() == 1 ? "compare-effects" : "compare-effects-" + (i + 1);
            figures.add(EffectsFigure.of(name, contrasts.get(i), comparison.settings()));
        }
        Metric main = main();
        if (contrasts.stream()
                        .filter(contrast -> contrast.result(main).isSeen())
                        .count()
                > 1) {
            figures.add(0, EffectsFigure.across("compare-all", contrasts, main, comparison.settings()));
        }
        if (sides.stream().flatMap(side -> side.runs().stream()).anyMatch(run -> run.analysis() != null)) {
            if (lines().stream().anyMatch(line -> line.quanta() >= FEWEST_QUANTA)) {
                figures.add(time());
            }
            figures.add(percentiles());
            figures.add(ecdf());
        }
        return figures;
    }

    /** The metric of the first rule, or what most will call faster or slower. */
    private Metric main() {
        return comparison.settings().rules().isEmpty()
                ? Metric.RESPONSE_MEAN
                : comparison.settings().rules().get(0).metric();
    }

    /** One run to be drawn. */
    private record Line(String name, Color colour, BasicStroke stroke, Analysis analysis) {

        int quanta() {
            return analysis.series().wholeQuanta();
        }

        double[] seconds() {
            Series series = analysis.series();
            double[] seconds = new double[quanta()];
            for (int i = 0; i < seconds.length; i++) {
                seconds[i] = series.middleSeconds(i);
            }
            return seconds;
        }
    }

    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            Side side = sides.get(i);
            Color colour = Objects.requireNonNull(Theme.EACH[i]);
            BasicStroke stroke = side.runs().size() == 1 ? Theme.LINE : ONE_OF_MANY;
            for (MeasuredRun run : side.runs().stream().limit(MAX_RUNS).toList()) {
                Analysis analysis = run.analysis();
                if (analysis != null) {
                    lines.add(new Line(label(side), colour, stroke, analysis));
                }
            }
        }
        return lines;
    }

    private static LegendItemCollection legend(List<Line> lines) {
        LegendItemCollection legend = new LegendItemCollection();
        List<String> seen = new ArrayList<>();
        for (Line line : lines) {
            if (!seen.contains(line.name())) {
                seen.add(line.name());
                legend.add(Theme.legendLine(line.name(), line.colour(), Theme.LINE));
            }
        }
        return legend;
    }

    private Figure time() {
        List<Line> lines = lines();
        double end = lines.stream()
                .mapToDouble(line -> line.analysis().series().durationSeconds())
                .max()
                .orElse(1);
        XYPlot all = new StackedPanels(Axes.time(end))
                .add(panel("throughput (calls/s)", lines, end, series -> series.of(Series.THROUGHPUT), true), 1)
                .add(panel("response p50 (ms)", lines, end, series -> series.response(Statistic.P50), false), 1)
                .add(panel("response p99 (ms)", lines, end, series -> series.response(Statistic.P99), false), 1)
                .with(legend(lines));
        return Figure.of(
                "compare-time",
                "Throughput and response time over time",
                subtitle,
                "Every run starts at zero; lines that differ throughout indicate different services, lines that "
                        + "differ only occasionally indicate other influences" + leftOut + ".",
                760,
                all);
    }

    private static XYPlot panel(
            String label, List<Line> lines, double end, Function<Series, double[]> values, boolean fromZero) {
        double[][] rows = lines.stream()
                .map(line -> Arrays.copyOf(values.apply(line.analysis().series()), line.quanta()))
                .toArray(double[][]::new);
        Scale scale = fromZero ? Scale.linear(List.of(rows)) : Scale.of(false, rows);
        ValueAxis range = scale.axis(label, Theme.INK);
        XYPlot plot = Theme.plot(null, range);
        for (int i = 0; i < rows.length; i++) {
            Line line = lines.get(i);
            Theme.line(
                    plot,
                    Downsampler.line(line.name(), line.seconds(), rows[i], 0, end, range),
                    line.colour(),
                    line.stroke());
        }
        return plot;
    }

    private Figure percentiles() {
        List<Line> lines = lines();
        Scale scale = scale(lines, false);
        long most = lines.stream()
                .mapToLong(line -> line.analysis().response().count())
                .max()
                .orElse(1);
        XYPlot plot = DistributionFigures.percentilePlot(
                DistributionFigures.percentileAxis("percentile of ok calls", most),
                scale.axis("response time (ms)", Theme.INK));
        for (Line line : lines) {
            Distribution response = line.analysis().response();
            DistributionFigures.addCurve(plot, line.name(), response, scale, line.colour(), line.stroke());
        }
        plot.setFixedLegendItems(legend(lines));
        return Figure.of(
                "compare-percentiles",
                "Response time by percentile",
                subtitle,
                "Compare the values at 99 to see how long the slowest call in a hundred took" + scale.note()
                        + "; lines that diverge only on the right differ only in their slowest calls" + leftOut + ".",
                500,
                plot);
    }

    private Figure ecdf() {
        List<Line> lines = lines();
        Scale scale = scale(lines, true);
        NumberAxis range = Axes.fromZero("share of ok calls (%)", 100, Theme.INK);
        range.setRange(0, 101.5);
        XYPlot plot = Theme.plain(new XYPlot(null, scale.axis("response time (ms)", Theme.INK), range, null));
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        for (Line line : lines) {
            EcdfFigure.add(plot, line.name(), line.analysis().response(), scale, line.colour(), line.stroke());
        }
        plot.setFixedLegendItems(legend(lines));
        return Figure.of(
                "compare-ecdf",
                "Cumulative share of calls by response time",
                subtitle,
                "For each response time, the share of ok calls that took at most that long" + scale.note()
                        + "; a line further to the right means slower calls" + leftOut + ".",
                460,
                plot);
    }

    private static Scale scale(List<Line> lines, boolean always) {
        return Scale.of(
                always,
                lines.stream().map(line -> line.analysis().response().values()).toArray(double[][]::new));
    }
}
