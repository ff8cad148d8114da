package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.grid.Spread;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedRangeXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jspecify.annotations.Nullable;

/**
 * One number over a grid: bars with whiskers, dots where bars of most would be too short to be seen, or curves where the values along
 * the panels are numbers; one colour a line, one panel for each value of what is left, all on one scale.
 *
 * @param what is shown, with its unit
 * @param x along the panels
 * @param line told apart by colour; {@code null}: there is one line
 * @param panels names of the panels; one that is empty has no name
 * @param cells what is to be shown where
 */
record GridChart(String what, GridDimension x, @Nullable GridDimension line, List<String> panels, Cells cells) {

    /** Letters of an axis's name that fit across the whole figure. */
    private static final int LETTERS = 165;

    private static final double BARS = 0.8;
    /** Of numbers that are compared by line; more of them are a curve. */
    private static final int MAX_BARS = 4;

    /** How far apart points of neighbouring lines stand, of the axis: whiskers must not hide one another. */
    private static final double APART = 0.006;

    /** How many times the least median is the largest, from which on bars say nothing of the small ones. */
    private static final double BEYOND_BARS = 50;

    private static final int LABELS = 14;
    private static final BasicStroke WHISKER = new BasicStroke(1.3f);
    private static final BasicStroke QUARTILES = new BasicStroke(4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);

    /** Knows what is shown where. */
    @FunctionalInterface
    interface Cells {
        /** Returns {@code null} where nothing was measured. */
        @Nullable
        Spread at(int x, int line, int panel);
    }

    /** Returns whether it has bars; otherwise it has dots or curves. */
    boolean hasBars() {
        return hasSteps() && !rangesWidely();
    }

    /** Returns whether values stand side by side and not at their numbers. */
    private boolean hasSteps() {
        boolean comparesLines = line != null || panels.size() > 1;
        return !x.isWide() && !(x.isNumeric() && x.values().size() > MAX_BARS && comparesLines);
    }

    private boolean rangesWidely() {
        double[] medians = spreads().stream().mapToDouble(Spread::median).toArray();
        double least = Downsampler.minPositive(medians);
        return spreads().stream().allMatch(spread -> spread.median() > 0 && spread.q1() > 0)
                && Downsampler.max(medians) > BEYOND_BARS * least;
    }

    /** Returns whether its scale is logarithmic. */
    boolean isLogarithmic() {
        return scale().logarithmic();
    }

    /** Draws the panels of which {@code from} is the first. */
    CombinedRangeXYPlot plot(int from, int to) {
        Scale scale = scale();
        ValueAxis range = scale.axis(what, Theme.INK);
        CombinedRangeXYPlot all = new CombinedRangeXYPlot(range);
        all.setGap(10);
        for (int panel = from; panel < to; panel++) {
            all.add(panel(panel, to - from, scale), 1);
        }
        LegendItemCollection legend = new LegendItemCollection();
        for (int i = 0; i < lines() && line != null; i++) {
            String label = line.name() + " " + line.labels().get(i);
            legend.add(
                    hasSteps()
                            ? Theme.legendShape(label, colour(i), Theme.LEGEND_BOX)
                            : Theme.legendLine(label, colour(i), Theme.LINE));
        }
        if (most() >= Spread.MIN_TRIALS) {
            legend.add(Theme.legendLine("95 % interval of the mean", Theme.INK, WHISKER));
        }
        if (most() > 1) {
            legend.add(Theme.legendLine("quartiles of the trials", Theme.LOAD, QUARTILES));
        }
        all.setFixedLegendItems(legend);
        return all;
    }

    private int lines() {
        return line == null ? 1 : line.values().size();
    }

    private static Color colour(int index) {
        return Theme.EACH[index % Theme.EACH.length];
    }

    private int most() {
        int most = 0;
        for (Spread spread : spreads()) {
            most = Math.max(most, spread.n());
        }
        return most;
    }

    /** Returns whether there is anything to be shown. */
    boolean isEmpty() {
        return spreads().isEmpty();
    }

    /** Returns whether any value is above zero. */
    boolean isAnyPositive() {
        return spreads().stream().anyMatch(spread -> spread.q3() > 0 || spread.mean() > 0);
    }

    private List<Spread> spreads() {
        List<Spread> spreads = new ArrayList<>();
        for (int panel = 0; panel < panels.size(); panel++) {
            for (int i = 0; i < lines(); i++) {
                for (int j = 0; j < x.values().size(); j++) {
                    Spread spread = cells.at(j, i, panel);
                    if (spread != null) {
                        spreads.add(spread);
                    }
                }
            }
        }
        return spreads;
    }

    private Scale scale() {
        List<Spread> spreads = spreads();
        double[] medians = spreads.stream().mapToDouble(Spread::median).toArray();
        double[] ends = spreads.stream()
                .mapToDouble(spread -> spread.high() == null ? spread.q3() : Math.max(spread.q3(), spread.high()))
                .toArray();
        if (hasBars()) {
            return new Scale(false, 0, Downsampler.max(medians, ends));
        }
        double[] lower = spreads.stream()
                .mapToDouble(spread -> {
                    Double low = spread.low();
                    double least = spread.q1();
                    // An interval that reaches far down would leave no room for the curve.
                    return low == null ? least : Math.max(Math.min(low, least), least / 3);
                })
                .toArray();
        return Scale.of(x.isWide() || hasSteps(), medians, ends, lower);
    }

    private XYPlot panel(int panel, int shown, Scale scale) {
        String name = panels.get(panel);
        XYPlot plot = Theme.inOrder(Theme.plain(new XYPlot()));
        plot.setDomainAxis(domain(name.isEmpty() ? x.name() : x.name() + "   (" + name + ")", shown));
        for (int i = 0; i < lines(); i++) {
            curve(plot, panel, i, scale);
        }
        for (int i = 0; i < lines(); i++) {
            whiskers(plot, panel, i, scale);
        }
        return plot;
    }

    private NumberAxis domain(String label, int shown) {
        double[] at = positions();
        List<String> labels = x.labels();
        int every = Math.max(1, (int) Math.ceil(labels.size() * (double) shown / LABELS));
        List<TickedAxis.Mark> marks = new ArrayList<>();
        for (int i = 0; i < at.length; i++) {
            marks.add(new TickedAxis.Mark(at[i], i % every == 0 ? labels.get(i) : ""));
        }
        TickedAxis axis = new TickedAxis(label + (x.isWide() ? " (log scale)" : ""), marks);
        double first = at[0];
        double last = at[at.length - 1];
        double margin = hasSteps() ? 0.5 : Math.max(1e-3, 0.06 * (last - first));
        axis.setRange(first - margin, last + margin);
        NumberAxis made = Theme.axis(axis, Theme.INK);
        double fits = (double) LETTERS / shown / label.length();
        if (fits < 1) {
            // Names of several axes, which would run into those of the next panel.
            Font font = made.getLabelFont();
            made.setLabelFont(font.deriveFont((float) (font.getSize2D() * Math.max(0.5, fits))));
        }
        return made;
    }

    private double[] positions() {
        double[] numbers = x.numbers();
        if (!hasSteps()) {
            return x.isWide() ? Downsampler.map(numbers, Math::log10) : numbers;
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        return numbers;
    }

    private void curve(XYPlot plot, int panel, int index, Scale scale) {
        XYErrorRenderer points = new XYErrorRenderer();
        points.setDrawXError(false);
        points.setDrawYError(false);
        points.setSeriesLinesVisible(0, !hasSteps());
        points.setSeriesPaint(0, colour(index));
        points.setSeriesStroke(0, Theme.LINE);
        points.setSeriesShape(0, Theme.LEVEL);
        Theme.intervals(plot, data(panel, index, scale, false), hasBars() ? Theme.bars(colour(index)) : points);
    }

    /** Draws quartiles and intervals over the bars or points, in a darker colour, so that both can be seen. */
    private void whiskers(XYPlot plot, int panel, int index, Scale scale) {
        Color dark = hasBars() ? Theme.LOAD : colour(index);
        Color darkest = hasBars() ? Theme.INK : colour(index);
        Theme.intervals(plot, data(panel, index, scale, false), Theme.whiskers(dark, QUARTILES, 0));
        Theme.intervals(plot, data(panel, index, scale, true), Theme.whiskers(darkest, WHISKER, 7));
    }

    private XYIntervalSeries data(int panel, int index, Scale scale, boolean interval) {
        XYIntervalSeries series = new XYIntervalSeries(index, false, true);
        double[] at = positions();
        double width = BARS / lines();
        double shift = APART * (at[at.length - 1] - at[0]) * (index - (lines() - 1) / 2.0);
        for (int i = 0; i < at.length; i++) {
            Spread spread = cells.at(i, index, panel);
            if (spread == null) {
                continue;
            }
            Double low = spread.low();
            Double high = spread.high();
            if (interval && (low == null || high == null)) {
                continue;
            }
            double from = interval && low != null ? low : spread.q1();
            double to = interval && high != null ? high : spread.q3();
            double left = hasSteps() ? at[i] - BARS / 2 + index * width : at[i] + shift;
            double right = hasSteps() ? left + width * 0.94 : left;
            series.add((left + right) / 2, left, right, spread.median(), scale.atLeast(from), to);
        }
        return series;
    }
}
