package org.diperf.analyzer.figure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridNames;
import org.diperf.analyzer.grid.GridSummary;
import org.diperf.analyzer.grid.GridSummary.LevelSpread;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.Metric;
import org.diperf.analyzer.grid.Spread;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.GridRecord;
import org.jspecify.annotations.Nullable;

/** All figures of a grid. */
public final class GridFigures {

    private static final int PANELS = 4;
    private static final int MAX_FIGURES = 4;
    private static final double MIN_PAYLOAD = 64 * 1024;
    private static final String TRIAL = "trial";

    private final GridAnalysis analysis;
    private final GridSummary grid;
    private final GridNames names;
    private final List<GridDimension> dimensions;

    private GridFigures(GridAnalysis analysis) {
        this.analysis = analysis;
        this.grid = analysis.summary();
        this.names = GridNames.of(grid);
        this.dimensions = dimensions();
    }

    /**
     * Draws them into a folder, as {@code NAME.png} and {@code NAME.svg}; without fonts the result says why some are missing.
     *
     * @param folder made if need be
     */
    public static Figures.Result write(GridAnalysis analysis, Path folder) throws IOException {
        return Figures.write(() -> all(analysis), folder);
    }

    static List<Figure> all(GridAnalysis analysis) {
        return new GridFigures(analysis).all();
    }

    private List<GridDimension> dimensions() {
        List<GridDimension> found = new ArrayList<>();
        grid.axes().forEach(axis -> found.add(new GridDimension(axis.path(), names.name(axis.path()), axis.values())));
        if (!grid.variants().isEmpty()) {
            found.add(new GridDimension(
                    GridRecord.VARIANT,
                    GridRecord.VARIANT,
                    List.copyOf(grid.variants().keySet())));
        }
        found.removeIf(dimension -> dimension.values().size() < 2);
        return found;
    }

    private List<Figure> all() {
        List<Figure> figures = new ArrayList<>();
        Metric main = analysis.main();
        over(main, figures);
        if (main != Metric.THROUGHPUT && main != Metric.BANDWIDTH) {
            over(Metric.THROUGHPUT, figures);
        }
        if (main != Metric.BANDWIDTH && movesData()) {
            over(Metric.BANDWIDTH, figures);
        }
        if (main != Metric.MEDIAN) {
            over(Metric.MEDIAN, figures);
        }
        over(Metric.P99, figures);
        over(Metric.FAILED, figures);
        over(Metric.SATURATION, figures);
        levels("throughput", "throughput (ok calls/s)", LevelSpread::throughput, figures);
        levels("response time p50", "response time p50 (ms)", LevelSpread::p50, figures);
        levels("response time p99", "response time p99 (ms)", LevelSpread::p99, figures);
        return figures;
    }

    /** Returns whether calls move so much that what counts is bits. */
    private boolean movesData() {
        return grid.points().stream().allMatch(point -> {
            Spread calls = point.throughput();
            Spread bytes = point.bytesPerSecond();
            return calls != null && bytes != null && bytes.median() >= MIN_PAYLOAD * calls.median();
        });
    }

    private void over(Metric metric, List<Figure> figures) {
        String what = metric.words() + (metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")");
        if (dimensions.isEmpty()) {
            trials(metric, what, figures);
            return;
        }
        List<GridDimension> rest = new ArrayList<>(dimensions);
        GridDimension x =
                rest.stream().filter(GridDimension::isWide).findFirst().orElse(rest.get(0));
        rest.remove(x);
        GridDimension line = rest.isEmpty() ? null : rest.remove(rest.size() - 1);
        List<Map<String, Object>> panels = panels(rest);
        GridChart chart = new GridChart(what, x, line, panelNames(panels), (i, j, panel) -> {
            PointSummary point = point(settings(panels.get(panel), x, i, line, j));
            return point == null ? null : metric.of(point);
        });
        add(chart, metric == Metric.FAILED, "grid-" + name(metric.words()), metric.words(), figures);
    }

    /** Trials of one point have nothing next to them but one another. */
    private void trials(Metric metric, String what, List<Figure> figures) {
        List<Object> trials = new ArrayList<>();
        grid.runs().forEach(run -> trials.add(run.trial()));
        GridDimension x = new GridDimension(TRIAL, TRIAL, trials);
        GridChart chart = new GridChart(
                what,
                x,
                null,
                List.of(""),
                (i, j, panel) -> Spread.of(DoubleStream.of(metric.of(grid.runs().get(i)))));
        add(chart, metric == Metric.FAILED, "grid-" + name(metric.words()), metric.words(), figures);
    }

    private void levels(String words, String what, Function<LevelSpread, @Nullable Spread> of, List<Figure> figures) {
        TreeSet<Double> values = new TreeSet<>();
        for (PointSummary point : grid.points()) {
            List<LevelSpread> levels = point.levels();
            if (levels != null) {
                levels.forEach(level -> values.add(level.level()));
            }
        }
        if (values.size() < 2) {
            return;
        }
        List<GridDimension> rest = new ArrayList<>(dimensions);
        GridDimension x = new GridDimension("", "load level", List.copyOf(values));
        GridDimension line = rest.isEmpty() ? null : rest.remove(0);
        List<Map<String, Object>> panels = panels(rest);
        GridChart chart = new GridChart(what, x, line, panelNames(panels), (i, j, panel) -> {
            Map<String, Object> set = new LinkedHashMap<>(panels.get(panel));
            if (line != null) {
                set.put(line.key(), line.values().get(j));
            }
            PointSummary point = point(set);
            List<LevelSpread> levels = point == null ? null : point.levels();
            return levels == null
                    ? null
                    : levels.stream()
                            .filter(level -> x.values().get(i).equals(level.level()))
                            .map(of)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null);
        });
        add(chart, false, "grid-levels-" + name(words), words, figures);
    }

    private void add(GridChart chart, boolean onlyPositive, String file, String words, List<Figure> figures) {
        if (chart.isEmpty() || onlyPositive && !chart.isAnyPositive()) {
            return;
        }
        List<String> over = new ArrayList<>();
        over.add(chart.x().name());
        GridDimension line = chart.line();
        if (line != null) {
            over.add(line.name());
        }
        String title =
                Character.toUpperCase(words.charAt(0)) + words.substring(1) + " over " + String.join(" and ", over);
        for (int from = 0; from < Math.min(chart.panels().size(), PANELS * MAX_FIGURES); from += PANELS) {
            int to = Math.min(chart.panels().size(), from + PANELS);
            figures.add(Figure.of(
                    file + (from == 0 ? "" : "-" + (from / PANELS + 1)),
                    title,
                    subtitle(),
                    (chart.hasBars() ? "Each bar" : "Each mark") + " is the median of a point's trials"
                            + (chart.x().isWide()
                                    ? ", on logarithmic scales"
                                    : chart.isLogarithmic() ? ", on a logarithmic scale" : "")
                            + "; the thin line is the 95 % interval of the mean (3 or more trials), the thick one spans the "
                            + "quartiles. Where intervals do not overlap, the points differ by more than the scatter between "
                            + "trials.",
                    460,
                    chart.plot(from, to)));
        }
    }

    private String subtitle() {
        return RunText.clean(grid.experiment()) + " · " + grid.done() + " of " + grid.planned() + " runs, "
                + grid.trials().count() + (grid.trials().count() == 1 ? " trial" : " trials") + " per point";
    }

    private List<Map<String, Object>> panels(List<GridDimension> rest) {
        List<Map<String, Object>> panels = List.of(Map.of());
        for (GridDimension dimension : rest) {
            List<Map<String, Object>> more = new ArrayList<>();
            for (Map<String, Object> panel : panels) {
                for (Object value : dimension.values()) {
                    Map<String, Object> set = new LinkedHashMap<>(panel);
                    set.put(dimension.key(), value);
                    if (grid.points().stream()
                            .anyMatch(point -> point.set().entrySet().containsAll(set.entrySet()))) {
                        more.add(set);
                    }
                }
            }
            panels = more;
        }
        return panels;
    }

    private List<String> panelNames(List<Map<String, Object>> panels) {
        return panels.stream().map(set -> set.isEmpty() ? "" : names.point(set)).toList();
    }

    private static Map<String, Object> settings(
            Map<String, Object> panel, GridDimension x, int i, @Nullable GridDimension line, int j) {
        Map<String, Object> set = new LinkedHashMap<>(panel);
        set.put(x.key(), x.values().get(i));
        if (line != null) {
            set.put(line.key(), line.values().get(j));
        }
        return set;
    }

    /** Returns the point of some settings; what has one value alone need not be among them. */
    private @Nullable PointSummary point(Map<String, Object> set) {
        return grid.points().stream()
                .filter(point -> point.set().entrySet().containsAll(set.entrySet()))
                .findFirst()
                .orElse(null);
    }

    private static String name(String words) {
        return words.replaceAll("[^A-Za-z0-9]+", "-").toLowerCase(Locale.ROOT);
    }
}
