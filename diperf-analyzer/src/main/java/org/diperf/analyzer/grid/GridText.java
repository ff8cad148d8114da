package org.diperf.analyzer.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.grid.GridSummary.FindingSummary;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.run.GridRecord;

/** A grid in words and tables, the same on the terminal and in the report. */
public final class GridText {

    private static final int MAX_ROWS = 60;

    private GridText() {}

    /** Says in a sentence or two what the grid shows. */
    public static String finding(GridAnalysis analysis) {
        GridSummary grid = analysis.summary();
        FindingSummary finding = grid.finding();
        if (finding != null) {
            return finding.conclusion();
        }
        if (grid.done() == 0) {
            return "No run produced usable numbers.";
        }
        if (isAsFound(grid)) {
            return Numbers.count(grid.planned(), "run")
                    + " side by side. diperf compare shows whether two of them differ by more than chance.";
        }
        PointSummary only = grid.points().stream()
                .filter(point -> point.n() > 0)
                .findFirst()
                .orElseThrow();
        Spread spread = analysis.main().of(only);
        return spread == null
                ? "No calls succeeded."
                : "Over " + Numbers.count(only.n(), "trial") + " the "
                        + analysis.main().words() + " is " + with(analysis.main(), spread.median())
                        + interval(analysis.main(), spread) + ".";
    }

    private static String interval(Metric metric, Spread spread) {
        Double low = spread.low();
        Double high = spread.high();
        return low == null || high == null
                ? ""
                : "; the 95 % interval of the mean is " + Numbers.brief(low) + " to " + with(metric, high);
    }

    private static String with(Metric metric, double value) {
        return Numbers.brief(value) + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }

    /** Says what was run: {@code size (4 values) × 2 variants, 3 trials interleaved · 24 of 24 runs done, ...}. */
    public static String plan(GridSummary grid) {
        if (isAsFound(grid)) {
            return Numbers.count(grid.planned(), "run") + ", "
                    + Numbers.count(grid.points().size(), "point");
        }
        List<String> parts = new ArrayList<>();
        GridNames names = GridNames.of(grid);
        grid.axes()
                .forEach(axis -> parts.add(names.name(axis.path()) + " ("
                        + Numbers.count(axis.values().size(), "value") + ")"));
        if (!grid.variants().isEmpty()) {
            parts.add(Numbers.count(grid.variants().size(), "variant"));
        }
        String trials = grid.trials().count() > 1
                ? (parts.isEmpty() ? "" : ", ") + Numbers.count(grid.trials().count(), "trial") + " "
                        + grid.trials().order()
                : "";
        return String.join(" × ", parts) + trials + " · " + grid.done() + " of " + Numbers.count(grid.planned(), "run")
                + " done, order " + grid.order() + " · seed " + grid.seed();
    }

    /** Returns the head of {@link #points}: one column a setting, then numbers. */
    public static List<String> pointHead(GridAnalysis analysis) {
        return new PointColumns(analysis).table().headings();
    }

    /** Counts the columns of {@link #points} from the left that hold text. */
    public static int textColumns(GridAnalysis analysis) {
        return new PointColumns(analysis).textColumns();
    }

    /** Counts the columns of {@link #run} behind its number that hold settings. */
    public static int settingColumns(GridSummary grid) {
        return settings(grid).size();
    }

    /** Returns a row for each point. */
    public static List<List<String>> points(GridAnalysis analysis) {
        return new PointColumns(analysis).table().cells(analysis.summary().points());
    }

    /** Returns whether its runs were put side by side afterwards. */
    public static boolean isAsFound(GridSummary grid) {
        return grid.order().equals(GridRecord.AS_FOUND);
    }

    /** Returns the head of {@link #run}. */
    public static List<String> runHead(GridAnalysis analysis) {
        List<String> head = settings(analysis.summary());
        head.add(0, "run");
        head.add("trial");
        special(analysis, head, "found", "Mbit/s");
        head.addAll(List.of("calls/s", "p50 ms", "p99 ms", "calls", "failed", "verdict"));
        return head;
    }

    /** Returns the row of a run, as {@link #runHead} says. */
    public static List<String> run(GridAnalysis analysis, RunSummary run) {
        List<String> row = values(analysis.summary(), run.set());
        row.add(0, String.valueOf(run.number()));
        row.add(String.valueOf(run.trial()));
        special(analysis, row, Numbers.plain(Metric.FOUND.of(run)), Numbers.plain(Metric.BANDWIDTH.of(run)));
        row.add(Numbers.plain(Metric.THROUGHPUT.of(run)));
        row.add(Numbers.plain(Metric.MEDIAN.of(run)));
        row.add(Numbers.plain(Metric.P99.of(run)));
        row.add(run.calls() == null ? Numbers.NONE : Numbers.count(run.calls().total()));
        row.add(run.calls() == null ? Numbers.NONE : Numbers.count(run.calls().failed()));
        String verdict = run.verdict();
        boolean done = run.state().equals("done");
        row.add(done && verdict != null ? verdict : run.state());
        return row;
    }

    /** Renders the table of the points with the finding above, for a terminal. */
    public static String render(GridAnalysis analysis, TerminalFormat screen, String report, String again) {
        StringBuilder out = new StringBuilder();
        GridSummary grid = analysis.summary();
        screen.sentence("", finding(analysis), out);
        out.append('\n');
        List<List<String>> rows = new ArrayList<>();
        rows.add(pointHead(analysis));
        rows.addAll(points(analysis));
        int more = rows.size() - 1 - MAX_ROWS;
        screen.table(more > 0 ? rows.subList(0, MAX_ROWS + 1) : rows, textColumns(analysis), out);
        if (more > 0) {
            out.append(" and ").append(more).append(" more, see points.csv\n");
        }
        out.append('\n');
        grid.warnings().stream().limit(10).forEach(line -> screen.sentence("   ! ", line, out));
        out.append(" report  ").append(report).append('\n');
        if (!again.isEmpty()) {
            out.append(" again   ").append(again).append('\n');
        }
        return out.toString();
    }

    private static List<String> settings(GridSummary grid) {
        GridNames names = GridNames.of(grid);
        List<String> head = new ArrayList<>();
        names.keys().forEach(key -> head.add(names.name(key)));
        if (head.isEmpty()) {
            head.add("point");
        }
        return head;
    }

    private static List<String> values(GridSummary grid, Map<String, Object> set) {
        List<String> values = new ArrayList<>();
        GridNames.of(grid).keys().forEach(key -> values.add(GridNames.value(set, key)));
        if (values.isEmpty()) {
            values.add("all");
        }
        return values;
    }

    /** Adds what only some grids have a column for. */
    private static void special(GridAnalysis analysis, List<String> to, String found, String bits) {
        if (analysis.main() == Metric.FOUND) {
            to.add(found);
        }
        if (analysis.main() == Metric.BANDWIDTH) {
            to.add(bits);
        }
    }
}
