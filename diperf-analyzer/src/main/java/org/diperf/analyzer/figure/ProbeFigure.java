package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.ProbeSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.text.Levels;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.expression.Expression;
import org.diperf.core.expression.Expression.Limit;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jspecify.annotations.Nullable;

/** The probes of a search: what was judged against the value that was tried, with its limit, a panel a condition. */
final class ProbeFigure implements RunFigure {

    private static final int MAX_PANELS = 3;
    private static final double DECADE = 10;

    private final Analysis analysis;
    private final SearchSummary search;
    private final RunView run;
    private final double factor;
    private final String unit;

    ProbeFigure(RunView run, SearchSummary search) {
        this.analysis = run.analysis();
        this.search = search;
        this.run = run;
        boolean rates = Levels.areRates(analysis);
        this.factor = rates ? run.unit().factor() : 1;
        this.unit = rates ? "calls" + run.unit().symbol() : "clients";
    }

    /** What became of a probe, by shape and colour. */
    private enum Result {
        HOLDS("conditions hold", Theme.MEDIAN, new Ellipse2D.Double(-5, -5, 10, 10)),
        BREAKS(
                "a condition breaks",
                Theme.P99,
                Theme.shape(-5, -3, -3, -5, 0, -2, 3, -5, 5, -3, 2, 0, 5, 3, 3, 5, 0, 2, -3, 5, -5, 3, -2, 0)),
        UNTOLD("undecided", Theme.LOAD, Theme.shape(0, -6, 6, 0, 0, 6, -6, 0)),
        DOUBTFUL("generator was the limit", Theme.SECOND, Theme.shape(0, -6, 6, 5, -6, 5));

        private final String words;
        private final Color colour;
        private final Shape shape;

        Result(String words, Color colour, Shape shape) {
            this.words = words;
            this.colour = colour;
            this.shape = shape;
        }
    }

    /** Adds the figure; only if a condition can be drawn. */
    @Override
    public void addTo(List<Figure> to) {
        List<Limit> limits = new ArrayList<>();
        for (String condition : search.conditions()) {
            try {
                limits.addAll(Expression.parse(condition).limits());
            } catch (IllegalArgumentException notOurs) {
                // A condition of a later version: it is in the table.
            }
        }
        double[] values = search.probes().stream()
                .mapToDouble(probe -> probe.value() * factor)
                .filter(value -> value > 0)
                .toArray();
        List<Limit> drawn = limits.stream()
                .filter(limit -> search.probes().stream().anyMatch(probe -> Double.isFinite(value(probe, limit))))
                .limit(MAX_PANELS)
                .toList();
        if (values.length == 0 || drawn.isEmpty()) {
            return;
        }
        to.add(figure(values, drawn));
    }

    private Figure figure(double[] values, List<Limit> limits) {
        Scale domain = Scale.of(Downsampler.max(values) / Downsampler.minPositive(values) > DECADE, values);
        ValueAxis axis = domain.axis("tried (" + unit + ")", Theme.INK);
        StackedPanels panels = new StackedPanels(axis);
        Map<Result, Boolean> seen = new LinkedHashMap<>();
        for (int i = 0; i < limits.size(); i++) {
            panels.add(panel(limits.get(i), axis, i == 0, seen), limits.size() == 1 ? 1 : i == 0 ? 3 : 2);
        }
        LegendItemCollection legend = new LegendItemCollection();
        for (Result result : Result.values()) {
            if (seen.containsKey(result)) {
                legend.add(Theme.legendShape(result.words, result.colour, result.shape));
            }
        }
        legend.add(Theme.legendLine("limit", Theme.INK, Theme.THIN_DASHED));
        XYPlot plots = panels.with(legend);
        return run.figure(
                "search",
                "Search: all values tried",
                "Each mark is one probe, after it settled" + domain.note()
                        + "; those beyond the dashed limit violated their condition, and the line marks the highest "
                        + "value that met all conditions.",
                limits.size() == 1 ? 460 : 560,
                plots);
    }

    private XYPlot panel(Limit limit, ValueAxis axis, boolean first, Map<Result, Boolean> seen) {
        double shown = limit.isShare() ? 100 : 1;
        List<double[]> rows = new ArrayList<>();
        Map<Result, XYSeries> series = new LinkedHashMap<>();
        double bound = limit.number() * shown;
        double[] all = search.probes().stream()
                .mapToDouble(probe -> value(probe, limit) * shown)
                .toArray();
        rows.add(all);
        rows.add(new double[] {bound});
        // One probe beyond saturation must not press all others on the axis.
        Scale range = limit.isShare()
                ? Scale.linear(rows)
                : Scale.of(Downsampler.max(all) > DECADE * Downsampler.minPositive(all), rows.toArray(double[][]::new));
        ValueAxis rangeAxis = range.axis(RunText.clean(label(limit)), Theme.INK);
        if (!range.logarithmic()) {
            // Room for marks at zero.
            rangeAxis.setLowerBound(-0.06 * rangeAxis.getUpperBound());
        }
        XYPlot plot = Theme.plot(null, rangeAxis);
        for (int i = 0; i < all.length; i++) {
            ProbeSummary probe = search.probes().get(i);
            Result result = result(probe);
            double x = Axes.share(axis, probe.value() * factor);
            double y = Axes.share(rangeAxis, all[i]);
            if (Double.isFinite(x) && Double.isFinite(y)) {
                seen.put(result, true);
                series.computeIfAbsent(result, key -> new XYSeries(key.words, false, true))
                        .add(probe.value() * factor, all[i], false);
            }
        }
        for (Map.Entry<Result, XYSeries> entry : series.entrySet()) {
            XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
            renderer.setSeriesPaint(0, entry.getKey().colour);
            renderer.setSeriesShape(0, entry.getKey().shape);
            Theme.add(plot, new XYSeriesCollection(entry.getValue()), renderer);
        }
        if (Double.isFinite(Axes.share(rangeAxis, bound))) {
            plot.addRangeMarker(new ValueMarker(bound, Theme.INK, Theme.THIN_DASHED), Layer.BACKGROUND);
        }
        Double found = search.found();
        if (found != null && found > 0) {
            plot.addDomainMarker(found(found, axis, first), Layer.BACKGROUND);
        }
        return plot;
    }

    private ValueMarker found(double found, ValueAxis axis, boolean labelled) {
        double at = found * factor;
        ValueMarker marker = new ValueMarker(at, Theme.MEDIAN, new BasicStroke(1.6f));
        if (labelled) {
            boolean room = Axes.share(axis, at) < 0.7;
            marker.setLabel(" found: " + Levels.write(analysis, found) + " ");
            marker.setLabelFont(Theme.SMALL);
            marker.setLabelPaint(Theme.MEDIAN);
            marker.setLabelBackgroundColor(new Color(255, 255, 255, 200));
            marker.setLabelAnchor(room ? RectangleAnchor.TOP_RIGHT : RectangleAnchor.TOP_LEFT);
            marker.setLabelTextAnchor(room ? TextAnchor.TOP_LEFT : TextAnchor.TOP_RIGHT);
        }
        return marker;
    }

    private static String label(Limit limit) {
        String unit = limit.isShare()
                ? "%"
                : Measures.find(limit.lookup())
                        .map(Measure::unit)
                        .filter(known -> !known.isEmpty())
                        .orElse("calls");
        return limit.path() + " (" + unit + ")";
    }

    private Result result(ProbeSummary probe) {
        StageSummary stage = stage(probe);
        Boolean holds = probe.holds();
        return stage != null && Levels.isDoubtful(stage)
                ? Result.DOUBTFUL
                : holds == null ? Result.UNTOLD : holds ? Result.HOLDS : Result.BREAKS;
    }

    private @Nullable StageSummary stage(ProbeSummary probe) {
        return Levels.of(analysis).stream()
                .filter(stage -> stage.number() == probe.stage())
                .findFirst()
                .orElse(null);
    }

    private double value(ProbeSummary probe, Limit limit) {
        StageSummary stage = stage(probe);
        return stage == null
                ? Double.NaN
                : Measures.find(limit.lookup())
                        .map(measure -> measure.of(stage))
                        .map(value -> value instanceof Value.Amount amount ? amount.number() : Double.NaN)
                        .orElse(Double.NaN);
    }
}
