package org.diperf.analyzer.figure;

import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.compare.ComparisonText;
import org.diperf.analyzer.compare.Contrast;
import org.diperf.analyzer.compare.Metric;
import org.diperf.analyzer.compare.MetricResult;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.compare.Settings;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYIntervalSeries;

/** The change of each metric with its interval, as a forest plot. */
final class EffectsFigure {

    private static final int HEAD_HEIGHT = 170;
    private static final int ROW_HEIGHT = 36;
    /** Intervals that reach further are cut off at the edge. */
    private static final double WIDEST = 3;
    /** More rows would not fit on a page. */
    private static final int MAX_ROWS = 30;

    private static final int LONGEST = 44;

    private EffectsFigure() {}

    /** Shape and colour of a finding: neither alone tells it. */
    private record Sign(String label, Color colour, Shape shape) {}

    /** What is shown in a row, and of what. */
    private record Row(String label, MetricResult result) {}

    /** Shows all metrics of one comparison. */
    static Figure of(String name, Contrast contrast, Settings settings) {
        List<Row> rows = contrast.results().stream()
                .filter(MetricResult::isSeen)
                .filter(result -> result.metric() != Metric.FAILED || result.valueA() + result.valueB() > 0)
                .map(result -> new Row(result.metric().words(), result))
                .toList();
        return figure(
                name,
                "What changed, and how certain it is",
                RunText.clean(contrast.b().name()) + " against "
                        + RunText.clean(contrast.a().name()) + " · " + ComparisonText.method(contrast),
                rows,
                settings);
    }

    /** Shows one metric of many comparisons. */
    static Figure across(String name, List<Contrast> contrasts, Metric metric, Settings settings) {
        List<Row> rows = contrasts.stream()
                .filter(contrast -> contrast.result(metric).isSeen())
                .limit(MAX_ROWS)
                .map(contrast -> new Row(cut(RunText.clean(contrast.b().name())), contrast.result(metric)))
                .toList();
        return figure(
                name,
                "Change of " + metric.words() + ", and how certain it is",
                "each against "
                        + (sameBaseline(contrasts)
                                ? RunText.clean(contrasts.get(0).a().name())
                                : "its own")
                        + (contrasts.size() > MAX_ROWS ? "; the first " + MAX_ROWS + " are drawn" : ""),
                rows,
                settings);
    }

    private static boolean sameBaseline(List<Contrast> contrasts) {
        return contrasts.stream()
                .allMatch(contrast -> contrast.a().equals(contrasts.get(0).a()));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : "…" + text.substring(text.length() - LONGEST + 1);
    }

    private static Figure figure(String name, String title, String subtitle, List<Row> rows, Settings settings) {
        List<TickedAxis.Mark> marks = new ArrayList<>();
        Map<Finding, XYIntervalSeries> series = new EnumMap<>(Finding.class);
        double reach = reach(rows.stream().map(Row::result).toList(), settings);
        for (int i = 0; i < rows.size(); i++) {
            MetricResult row = rows.get(i).result();
            double y = rows.size() - i;
            marks.add(new TickedAxis.Mark(
                    y, rows.get(i).label() + "  " + ComparisonText.change(row.metric(), row.change())));
            double x = 100 * row.change();
            double low = row.hasInterval() ? Math.max(-reach, 100 * row.low()) : x;
            double high = row.hasInterval() ? Math.min(reach, 100 * row.high()) : x;
            Finding shown = row.isJudged() || row.finding() == Finding.UNDECIDED ? row.finding() : Finding.NOT_JUDGED;
            series.computeIfAbsent(shown, finding -> new XYIntervalSeries(finding, false, true))
                    .add(Math.max(-reach, Math.min(reach, x)), low, high, y, y, y);
        }
        TickedAxis range = Theme.axis(new TickedAxis("", marks), Theme.INK);
        range.setRange(0.4, rows.size() + 0.6);
        NumberAxis domain = Axes.fromZero("change (%; failed calls in percentage points)", reach, Theme.INK);
        domain.setRange(-reach, reach);
        XYPlot plot = Theme.plot(domain, range);
        plot.setRangeGridlinesVisible(false);
        double matters = 100 * settings.smallestEffect();
        plot.addDomainMarker(new IntervalMarker(-matters, matters, Theme.RAMP), Layer.BACKGROUND);
        plot.addDomainMarker(new ValueMarker(0, Theme.BORDER, Theme.THIN_DASHED), Layer.BACKGROUND);
        LegendItemCollection legend = new LegendItemCollection();
        for (Map.Entry<Finding, XYIntervalSeries> entry : series.entrySet()) {
            Sign sign = sign(entry.getKey());
            XYErrorRenderer renderer = new XYErrorRenderer();
            renderer.setDrawYError(false);
            renderer.setErrorPaint(sign.colour());
            renderer.setErrorStroke(Theme.LINE);
            renderer.setCapLength(9);
            renderer.setSeriesPaint(0, sign.colour());
            renderer.setSeriesShape(0, sign.shape());
            Theme.intervals(plot, entry.getValue(), renderer);
            legend.add(Theme.legendShape(sign.label(), sign.colour(), sign.shape()));
        }
        legend.add(Theme.legendShape("too small to matter", Theme.RAMP, Theme.LEGEND_BOX));
        plot.setFixedLegendItems(legend);
        return Figure.of(
                name,
                title,
                subtitle,
                "Each mark is the observed change, and its bar is the 95 % confidence interval; if the bar "
                        + "excludes zero, the mark lies outside the grey band and p is small, the metric changed.",
                HEAD_HEIGHT + ROW_HEIGHT * Math.max(3, rows.size()),
                plot);
    }

    /** Shows all changes and the intervals of what is judged, but not an interval that would make all others dots. */
    private static double reach(List<MetricResult> rows, Settings settings) {
        double seen = 2 * settings.smallestEffect();
        double whole = seen;
        for (MetricResult row : rows) {
            seen = row.isJudged() ? Math.max(seen, Math.abs(row.change())) : seen;
            if (row.hasInterval()) {
                whole = Math.max(whole, Math.max(Math.abs(row.low()), Math.abs(row.high())));
            }
        }
        return 108 * Math.min(whole, Math.max(WIDEST * seen, 0.1));
    }

    private static Sign sign(Finding finding) {
        return switch (finding) {
            case WORSE -> new Sign("worse", Theme.P99, new Rectangle2D.Double(-5, -5, 10, 10));
            case BETTER -> new Sign("better", Theme.MEDIAN, Theme.shape(0, -7, 7, 0, 0, 7, -7, 0));
            case NO_DIFFERENCE ->
                new Sign("no difference that matters", Theme.THROUGHPUT, new Ellipse2D.Double(-5, -5, 10, 10));
            case COULD_NOT_TELL ->
                new Sign("could not tell", Theme.DOTS_IN_LEGEND, new Rectangle2D.Double(-4, -4, 8, 8));
            case NOT_SURE -> new Sign("may be chance", Theme.DOTS_IN_LEGEND, Theme.shape(0, -6, 6, 5, -6, 5));
            case GENERATOR -> new Sign("may be due to generator", Theme.EACH[1], Theme.shape(0, -6, 6, 5, -6, 5));
            case UNDECIDED -> new Sign("too little data", Theme.BORDER, new Rectangle2D.Double(-3.5, -3.5, 7, 7));
            default -> new Sign("not judged", Theme.BORDER, new Ellipse2D.Double(-3.5, -3.5, 7, 7));
        };
    }
}
