package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.analyzer.result.MetricRow;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/**
 * Metrics that clients forecast, over time: what was measured, the forecast that stood before it, and its interval. A forecast of a
 * metric has its name with {@code .forecast} behind it, the ends of its interval {@code .low} and {@code .high}.
 */
record ForecastFigures(RunView run) implements RunFigure {

    private static final String FORECAST = ".forecast";
    private static final int MAX_PANELS = 4;

    @Override
    public void addTo(List<Figure> to) {
        List<MetricRow> forecast = metrics()
                .filter(metric -> named(metric.name() + FORECAST) != null)
                .limit(MAX_PANELS)
                .toList();
        if (forecast.isEmpty()) {
            return;
        }
        StackedPanels panels = new StackedPanels(run.time());
        for (int i = 0; i < forecast.size(); i++) {
            panels.add(panel(forecast.get(i), i == 0), i == 0 ? 3 : 2);
        }
        to.add(run.figure(
                "forecasts",
                "Probes and their forecasts",
                "Mean values of each interval that contains a probe. Each forecast was made before the probe at "
                        + "which it is plotted"
                        + inside(forecast.get(0))
                        + "; if measurements often differ from the forecast, the path has changed.",
                300 + 150 * forecast.size(),
                panels.joined()));
    }

    /** Says how many probes lay in the interval that was told before. */
    private String inside(MetricRow metric) {
        double[] low = values(named(metric.name() + ".low"));
        double[] high = values(named(metric.name() + ".high"));
        int told = 0;
        int within = 0;
        for (int i = 0; i < metric.values().length; i++) {
            if (Double.isFinite(metric.values()[i]) && Double.isFinite(low[i]) && Double.isFinite(high[i])) {
                told++;
                within += metric.values()[i] >= low[i] && metric.values()[i] <= high[i] ? 1 : 0;
            }
        }
        return told == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; the shaded range of %s contained %d of %d of these means (it is meant to contain nine out "
                                + "of ten individual probes)",
                        RunText.clean(metric.name()),
                        within,
                        told);
    }

    private XYPlot panel(MetricRow metric, boolean hasLegend) {
        double[] forecast = values(named(metric.name() + FORECAST));
        double[] low = values(named(metric.name() + ".low"));
        double[] high = values(named(metric.name() + ".high"));
        double most = Math.max(Downsampler.max(metric.values()), Downsampler.max(forecast));
        String label = RunText.clean(metric.name() + (metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")"));
        Panel panel = run.panel().left(Axes.fromZero(label, Double.isFinite(most) && most > 0 ? most : 1, Theme.INK));
        int[] told = finite(low);
        if (told.length > 1) {
            panel.band(
                    0,
                    hasLegend ? "9 of 10 within" : "",
                    at(run.seconds(), told),
                    at(low, told),
                    at(high, told),
                    Theme.MEDIAN_BAND);
        }
        line(panel, hasLegend ? "forecast" : "", forecast, Theme.MEDIAN);
        line(panel, hasLegend ? "measured" : "", metric.values(), Theme.INK);
        return panel.done(hasLegend);
    }

    /** Draws a line through the quanta that have a value. */
    private void line(Panel panel, String name, double[] values, Color colour) {
        int[] there = finite(values);
        double[] x = at(run.seconds(), there);
        double[] y = at(values, there);
        panel.line(0, name, x, y, colour, Theme.LINE);
    }

    private static int[] finite(double[] values) {
        return IntStream.range(0, values.length)
                .filter(i -> Double.isFinite(values[i]))
                .toArray();
    }

    private static double[] at(double[] values, int[] places) {
        return IntStream.of(places).mapToDouble(i -> values[i]).toArray();
    }

    private double[] values(@Nullable MetricRow metric) {
        double[] none = new double[run.seconds().length];
        Arrays.fill(none, Double.NaN);
        return metric == null ? none : metric.values();
    }

    /** Returns the metrics' values in the quanta that are drawn; one that is not whole, at the end, has values too. */
    private Stream<MetricRow> metrics() {
        int drawn = run.seconds().length;
        return run.analysis().details().metrics().stream()
                .map(each -> new MetricRow(each.name(), each.unit(), Arrays.copyOf(each.values(), drawn)));
    }

    private @Nullable MetricRow named(String name) {
        return metrics().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }
}
