package org.diperf.analyzer.grid;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** Writes the CSV files of a grid (RFC 4180, with line feeds); what was not measured is empty. */
final class GridFiles {

    private static final List<String> SPREAD = List.of("median", "q1", "q3", "mean", "low", "high");

    private GridFiles() {}

    static void write(GridSummary grid, Path folder) throws IOException {
        runs(grid, folder.resolve("runs.csv"));
        points(grid, folder.resolve("points.csv"));
    }

    private static void runs(GridSummary grid, Path file) throws IOException {
        GridNames names = GridNames.of(grid);
        List<String> keys = names.keys();
        List<Object> head = new ArrayList<>(List.of("run", "dir"));
        keys.forEach(key -> head.add(names.name(key)));
        head.addAll(List.of(
                "trial",
                "state",
                "verdict",
                "started",
                "duration_s",
                "calls",
                "ok",
                "failed",
                "timed_out",
                "dropped",
                "bytes",
                "throughput_per_s",
                "bytes_per_s",
                "response_mean_ms",
                "response_p50_ms",
                "response_p90_ms",
                "response_p95_ms",
                "response_p99_ms",
                "response_p999_ms",
                "response_max_ms",
                "fairness_jain",
                "found",
                "saturation_clients",
                "problem"));
        List<String> lines = new ArrayList<>(List.of(line(head)));
        for (RunSummary run : grid.runs()) {
            List<Object> row = new ArrayList<>(List.of(run.number(), run.dir()));
            keys.forEach(key -> row.add(GridNames.value(run.set(), key)));
            row.add(run.trial());
            row.add(run.state());
            row.add(or(run.verdict()));
            row.add(or(run.startedAt()));
            row.add(or(run.durationSeconds()));
            CallCounts calls = run.calls();
            row.addAll(
                    calls == null
                            ? List.of("", "", "", "", "", "")
                            : List.of(
                                    calls.total(),
                                    calls.ok(),
                                    calls.failed(),
                                    calls.timedOut(),
                                    calls.dropped(),
                                    calls.bytes()));
            double throughput = Metric.THROUGHPUT.of(run);
            row.add(Double.isFinite(throughput) ? (Object) throughput : "");
            row.add(or(run.bytesPerSecond()));
            Statistics times = run.responseTime();
            row.addAll(
                    times == null
                            ? List.of("", "", "", "", "", "", "")
                            : List.of(
                                    times.mean(),
                                    times.p50(),
                                    times.p90(),
                                    times.p95(),
                                    times.p99(),
                                    times.p999(),
                                    times.max()));
            row.add(or(run.fairness()));
            row.add(or(run.found()));
            double saturation = Metric.SATURATION.of(run);
            row.add(Double.isFinite(saturation) ? (Object) saturation : "");
            row.add(or(run.problem()));
            lines.add(line(row));
        }
        Files.write(file, lines, StandardCharsets.UTF_8);
    }

    private static void points(GridSummary grid, Path file) throws IOException {
        GridNames names = GridNames.of(grid);
        List<String> keys = names.keys();
        List<Object> head = new ArrayList<>();
        keys.forEach(key -> head.add(names.name(key)));
        head.addAll(List.of("trials", "verdict"));
        for (String metric : List.of(
                "throughput_per_s",
                "bytes_per_s",
                "response_mean_ms",
                "response_p50_ms",
                "response_p90_ms",
                "response_p95_ms",
                "response_p99_ms",
                "response_p999_ms",
                "failed_share",
                "fairness_jain",
                "found",
                "saturation_clients")) {
            SPREAD.forEach(name -> head.add(metric + "_" + name));
        }
        List<String> lines = new ArrayList<>(List.of(line(head)));
        for (PointSummary point : grid.points()) {
            List<Object> row = new ArrayList<>();
            keys.forEach(key -> row.add(GridNames.value(point.set(), key)));
            row.add(point.n());
            row.add(point.verdict());
            add(row, point.throughput());
            add(row, point.bytesPerSecond());
            Map<String, Spread> times = point.responseTime();
            for (String name : List.of("mean", "p50", "p90", "p95", "p99", "p999")) {
                add(row, times == null ? null : times.get(name));
            }
            add(row, point.failed());
            add(row, point.fairness());
            add(row, point.found());
            add(row, Metric.SATURATION.of(point));
            lines.add(line(row));
        }
        Files.write(file, lines, StandardCharsets.UTF_8);
    }

    private static void add(List<Object> row, @Nullable Spread spread) {
        if (spread == null) {
            SPREAD.forEach(name -> row.add(""));
            return;
        }
        row.add(spread.median());
        row.add(spread.q1());
        row.add(spread.q3());
        row.add(spread.mean());
        row.add(or(spread.low()));
        row.add(or(spread.high()));
    }

    private static Object or(@Nullable Object value) {
        return value == null ? "" : value;
    }

    private static String line(List<Object> values) {
        return values.stream().map(GridFiles::cell).collect(Collectors.joining(","));
    }

    private static String cell(Object value) {
        String text = value instanceof Double number ? decimal(number) : String.valueOf(value);
        return text.matches("(?s).*[\",\r\n].*") ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }

    /** Cuts the rounding of binary fractions, as {@code summary.json} does. */
    private static String decimal(double value) {
        BigDecimal cut =
                BigDecimal.valueOf(value).setScale(9, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return cut.signum() == 0 ? "0" : cut.toPlainString();
    }
}
