package org.diperf.analyzer.grid;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.stats.Statistic;
import org.jspecify.annotations.Nullable;

/** Writes the CSV files of a grid. */
final class GridFiles {

    private GridFiles() {}

    static void write(GridSummary grid, Path folder) throws IOException {
        GridNames names = GridNames.of(grid);
        runs(names).write(grid.runs(), folder.resolve("runs.csv"));
        points(names).write(grid.points(), folder.resolve("points.csv"));
    }

    private static Table<RunSummary> runs(GridNames names) {
        return Table.of(
                List.of(Column.of("run", RunSummary::number), Column.of("dir", RunSummary::dir)),
                set(names, RunSummary::set),
                List.of(
                        Column.of("trial", RunSummary::trial),
                        Column.of("state", RunSummary::state),
                        Column.of("verdict", RunSummary::verdict),
                        Column.of("started", RunSummary::startedAt),
                        Column.of("duration_s", RunSummary::durationSeconds),
                        count("calls", CallCounts::total),
                        count("ok", CallCounts::ok),
                        count("failed", CallCounts::failed),
                        count("timed_out", CallCounts::timedOut),
                        count("dropped", CallCounts::dropped),
                        count("bytes", CallCounts::bytes),
                        Column.of("throughput_per_s", Metric.THROUGHPUT::of),
                        Column.of("bytes_per_s", RunSummary::bytesPerSecond)),
                Column.ofStatistics(
                        "response",
                        "ms",
                        (run, statistic) -> run.responseTime() == null
                                ? Double.NaN
                                : run.responseTime().of(statistic)),
                List.of(
                        Column.of("fairness_jain", RunSummary::fairness),
                        Column.of("found", RunSummary::found),
                        Column.of("saturation_clients", Metric.SATURATION::of),
                        Column.of("problem", RunSummary::problem)));
    }

    private static Table<PointSummary> points(GridNames names) {
        List<Column<PointSummary>> response = new ArrayList<>();
        for (Statistic statistic : Statistic.rising()) {
            if (GridPoints.STATISTICS.contains(statistic)) {
                response.addAll(spread("response_" + statistic.key() + "_ms", point -> {
                    Map<String, Spread> times = point.responseTime();
                    return times == null ? null : times.get(statistic.key());
                }));
            }
        }
        return Table.of(
                set(names, PointSummary::set),
                List.of(Column.of("trials", PointSummary::n), Column.of("verdict", PointSummary::verdict)),
                spread("throughput_per_s", PointSummary::throughput),
                spread("bytes_per_s", PointSummary::bytesPerSecond),
                response,
                spread("failed_share", PointSummary::failed),
                spread("fairness_jain", PointSummary::fairness),
                spread("found", PointSummary::found),
                spread("saturation_clients", Metric.SATURATION::of));
    }

    /** Returns what was set, a column a key. */
    private static <T> List<Column<T>> set(GridNames names, Function<T, Map<String, Object>> set) {
        return names.keys().stream()
                .map(key -> Column.<T>of(names.name(key), row -> GridNames.value(set.apply(row), key)))
                .toList();
    }

    private static Column<RunSummary> count(String name, Function<CallCounts, Long> of) {
        return Column.of(name, run -> run.calls() == null ? null : of.apply(run.calls()));
    }

    private static List<Column<PointSummary>> spread(String name, Function<PointSummary, @Nullable Spread> of) {
        return List.of(
                part(name + "_median", of, Spread::median),
                part(name + "_q1", of, Spread::q1),
                part(name + "_q3", of, Spread::q3),
                part(name + "_mean", of, Spread::mean),
                part(name + "_low", of, Spread::low),
                part(name + "_high", of, Spread::high));
    }

    private static Column<PointSummary> part(
            String name, Function<PointSummary, @Nullable Spread> of, Function<Spread, @Nullable Double> part) {
        return Column.of(name, point -> {
            Spread spread = of.apply(point);
            return spread == null ? null : part.apply(spread);
        });
    }
}
