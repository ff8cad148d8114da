package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Distribution;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedRangeXYPlot;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.data.xy.XYSeries;

/** The figures of distributions. */
final class DistributionFigures {

    private static final int MAX_BARS = 120;
    /** A label is no wider than this share of the axis. */
    private static final double LABEL = 0.2;

    private final Analysis analysis;
    private final RunView run;

    DistributionFigures(RunView run) {
        this.analysis = run.analysis();
        this.run = run;
    }

    /** Response and service time by percentile, dense towards the slowest calls. */
    Figure percentiles() {
        Distribution response = analysis.response();
        Distribution service = analysis.service();
        Scale scale = Scale.of(false, response.values(), service.values());
        XYPlot plot = percentilePlot(
                percentileAxis("percentile of calls", Math.max(response.count(), service.count())),
                scale.axis("time (ms)", Theme.INK));
        boolean both = service.count() > 0;
        if (both) {
            addCurve(plot, "service time, from actual start", service, scale, Theme.SECOND, Theme.DASHED);
        }
        addCurve(
                plot,
                both ? "response time, from intended start" : "response time",
                response,
                scale,
                Theme.THROUGHPUT,
                Theme.LINE);
        plot.setFixedLegendItems(plot.getLegendItems());
        return run.figure(
                "percentiles",
                "Response time by percentile",
                "The value at 99 is how long the slowest call in a hundred took" + scale.note()
                        + (both
                                ? "; where response time exceeds service time, calls waited before they could be"
                                        + " sent."
                                : "; it is not known when the calls were due, so waiting time is not shown."),
                500,
                plot);
    }

    /** Histogram of response times. */
    Figure distribution() {
        Distribution response = analysis.response();
        List<double[]> bars = bars(response);
        double[] edges = bars.stream()
                .flatMapToDouble(b -> java.util.Arrays.stream(new double[] {b[0], b[1]}))
                .toArray();
        boolean any = bars.size() > 0;
        ValueAxis domain = any
                ? Axes.log(
                        "response time (ms, log scale)",
                        Downsampler.minPositive(edges),
                        Downsampler.max(edges),
                        Theme.INK)
                : Axes.fromZero("response time (ms)", Double.NaN, Theme.INK);
        XYIntervalSeries series = new XYIntervalSeries("ok calls", false, true);
        double most = 0;
        for (double[] bar : bars) {
            series.add(Math.sqrt(bar[0] * bar[1]), bar[0], bar[1], bar[2], bar[2], bar[2]);
            most = Math.max(most, bar[2]);
        }
        XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
        data.addSeries(series);
        XYBarRenderer renderer = Theme.bars(new Color(0x56, 0xB4, 0xE9));
        renderer.setDrawBarOutline(bars.size() < 60);
        renderer.setSeriesOutlinePaint(0, Color.WHITE);
        NumberAxis range = Axes.fromZero("ok calls per bar", most * 1.05, Theme.INK);
        XYPlot plot = Theme.plain(new XYPlot(any ? data : null, domain, range, renderer));
        double p50 = valueAt(response, 0.5);
        double p99 = valueAt(response, 0.99);
        if (any && p50 > 0 && p99 > 0) {
            double at50 = Axes.share(domain, p50);
            double at99 = Axes.share(domain, p99);
            boolean right = at99 < 1 - LABEL;
            mark(plot, p50, "median " + Numbers.time(p50), Theme.MEDIAN, at50 < LABEL, false);
            // Where the labels might meet, the second one is a line below.
            mark(plot, p99, "99 % within " + Numbers.time(p99), Theme.P99, right, !right || at99 - at50 < LABEL);
        }
        String title = "Distribution of response times";
        return new Figure(
                "distribution",
                title,
                "Each bar counts the ok calls with a response time in its range; bars are equally wide on the "
                        + "logarithmic scale, and several humps mean several kinds of responses.",
                460,
                Theme.chart(plot, title, run.subtitle(), false));
    }

    /** Send lag over time, and next to it by percentile, on one axis. */
    Figure sendLag(TimeSeriesFigures time) {
        Distribution lag = analysis.lag();
        Scale scale =
                Scale.of(false, analysis.series().of(Series.LAG_P99), positive(lag.values()), positive(time.added()));
        ValueAxis range = scale.axis("time (ms)", Theme.INK);
        XYPlot left = time.lag(range);
        XYPlot right = percentilePlot(percentileAxis("percentile of calls", lag.count()), range);
        right.setRangeAxis(null);
        addCurve(right, "send lag of all calls by percentile", lag, scale, Theme.THROUGHPUT, Theme.LINE);
        right.setFixedLegendItems(right.getLegendItems());
        CombinedRangeXYPlot both = new CombinedRangeXYPlot(range);
        both.setGap(24);
        both.add(left, 3);
        both.add(right, 2);
        LegendItemCollection legend = StackedPanels.legend(List.of(left, right));
        both.setFixedLegendItems(legend);
        return run.figure(
                "send-lag",
                "Send lag and error bound: what the generator added",
                "Send lag is the time from when a call was due until it was sent; the bound is how much the "
                        + "generator may have added in sending and receiving" + scale.note()
                        + ". Where either approaches the response times, the load generator was the limit.",
                460,
                both);
    }

    private static double[] positive(double[] values) {
        // A microsecond and less is no lag worth a decade of axis.
        return java.util.Arrays.stream(values).filter(v -> v > 0.001).toArray();
    }

    static XYPlot percentilePlot(NumberAxis domain, ValueAxis range) {
        XYPlot plot = Theme.plot(domain, range);
        return plot;
    }

    /** Makes an axis of -log10(1 - p), as far as so many values reach. */
    static NumberAxis percentileAxis(String label, long count) {
        List<TickedAxis.Mark> marks = new ArrayList<>();
        marks.add(new TickedAxis.Mark(0, "0 %"));
        marks.add(new TickedAxis.Mark(-Math.log10(0.5), "50 %"));
        marks.add(new TickedAxis.Mark(1, "90 %"));
        marks.add(new TickedAxis.Mark(2, "99 %"));
        marks.add(new TickedAxis.Mark(3, "99.9 %"));
        marks.add(new TickedAxis.Mark(4, "99.99 %"));
        marks.add(new TickedAxis.Mark(5, "99.999 %"));
        marks.add(new TickedAxis.Mark(6, "99.9999 %"));
        TickedAxis axis = new TickedAxis(label, marks);
        axis.setRange(0, reach(count) + 0.08);
        return Theme.axis(axis, Theme.INK);
    }

    /** Returns the place of the largest of so many values on the axis of percentiles. */
    private static double reach(long count) {
        return Math.min(6, Math.max(1, Math.log10(Math.max(1, count))));
    }

    static void addCurve(
            XYPlot plot, String name, Distribution distribution, Scale scale, Color colour, BasicStroke stroke) {
        XYSeries series = new XYSeries(name, false, true);
        double[] quantiles = distribution.quantiles();
        double end = reach(distribution.count());
        for (int i = 0; i < Math.min(quantiles.length, distribution.values().length); i++) {
            double x = quantiles[i] < 1 ? -Math.log10(1 - quantiles[i]) : end;
            if (x <= end + 1e-9 && distribution.count() > 0) {
                // What lies below the axis is drawn along its edge: most calls have hardly any lag.
                series.add(x, scale.atLeast(distribution.values()[i]), false);
            }
        }
        Theme.line(plot, series, colour, stroke);
    }

    /** Returns the value at a quantile, {@code NaN} when empty. */
    static double valueAt(Distribution distribution, double quantile) {
        double[] quantiles = distribution.quantiles();
        for (int i = 0; i < Math.min(quantiles.length, distribution.values().length); i++) {
            if (quantiles[i] >= quantile - 1e-9) {
                return distribution.values()[i];
            }
        }
        return Double.NaN;
    }

    /** Joins neighbouring buckets until there are few enough bars; {from, to, count} each. */
    private static List<double[]> bars(Distribution distribution) {
        List<double[]> buckets = new ArrayList<>();
        for (int i = 0; i < distribution.bucketCounts().length; i++) {
            double from = distribution.bucketsFrom()[i];
            double to = distribution.bucketsTo()[i];
            if (distribution.bucketCounts()[i] > 0 && to > 0 && Double.isFinite(to)) {
                buckets.add(
                        new double[] {from > 0 ? from : to / 2, to, distribution.bucketCounts()[i]});
            }
        }
        if (buckets.isEmpty()) {
            return buckets;
        }
        double low = Math.log10(buckets.get(0)[0]);
        double high = Math.log10(buckets.get(buckets.size() - 1)[1]);
        double finest =
                buckets.stream().mapToDouble(b -> Math.log10(b[1] / b[0])).max().orElse(1);
        double width = Math.max((high - low) / MAX_BARS, finest);
        int count = (int) Math.max(1, Math.round((high - low) / width));
        width = (high - low) / count;
        List<double[]> bars = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bars.add(new double[] {Math.pow(10, low + i * width), Math.pow(10, low + (i + 1) * width), 0});
        }
        for (double[] bucket : buckets) {
            // A bucket over an edge is shared out, evenly on the logarithmic scale; otherwise bars would comb.
            double from = (Math.log10(bucket[0]) - low) / width;
            double to = (Math.log10(bucket[1]) - low) / width;
            for (int i = (int) Math.max(0, Math.floor(from)); i < count && i < to; i++) {
                double share = to > from ? (Math.min(to, i + 1) - Math.max(from, i)) / (to - from) : 1;
                bars.get(i)[2] += bucket[2] * Math.max(0, share);
            }
        }
        return bars;
    }

    private static void mark(XYPlot plot, double millis, String label, Color colour, boolean right, boolean below) {
        ValueMarker marker = new ValueMarker(millis, colour, Theme.LINE);
        marker.setLabel(" " + label + " ");
        marker.setLabelFont(Theme.SMALL);
        marker.setLabelPaint(colour);
        marker.setLabelBackgroundColor(new Color(255, 255, 255, 0));
        marker.setLabelAnchor(right ? RectangleAnchor.TOP_RIGHT : RectangleAnchor.TOP_LEFT);
        marker.setLabelTextAnchor(right ? TextAnchor.TOP_LEFT : TextAnchor.TOP_RIGHT);
        if (below) {
            marker.setLabelOffset(new RectangleInsets(22, 3, 3, 3));
        }
        plot.addDomainMarker(marker, Layer.FOREGROUND);
    }
}
