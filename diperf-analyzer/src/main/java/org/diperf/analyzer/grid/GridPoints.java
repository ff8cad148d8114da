package org.diperf.analyzer.grid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.diperf.analyzer.grid.GridSummary.LevelNumbers;
import org.diperf.analyzer.grid.GridSummary.LevelSpread;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.grid.GridSummary.SaturationSpread;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.AxisRecord;
import org.jspecify.annotations.Nullable;

/** Brings the trials of each point together. */
final class GridPoints {

    /** What is told of response times over trials: their mean and their quantiles. */
    static final List<Statistic> STATISTICS = Statistic.listed().stream()
            .filter(statistic -> statistic.equals(Statistic.MEAN) || statistic.isQuantile())
            .toList();

    private GridPoints() {}

    /** Returns whether a run counts among the trials of its point: one that was cut short does not. */
    static boolean counts(RunSummary run) {
        return run.isMeasured() && run.state().equals(GridAnalyzer.word(GridRecord.State.DONE));
    }

    /** Returns the points in the order of the axes' values, then of the variants. */
    static List<PointSummary> of(GridRecord grid, List<RunSummary> runs) {
        Map<Map<String, Object>, List<RunSummary>> together = new LinkedHashMap<>();
        runs.forEach(run ->
                together.computeIfAbsent(run.set(), set -> new ArrayList<>()).add(run));
        List<String> variants = List.copyOf(grid.variants().keySet());
        Comparator<Map<String, Object>> order = Comparator.comparing(set -> 0);
        for (AxisRecord axis : grid.axes()) {
            order = order.thenComparingInt(set -> place(axis.values(), set.get(axis.path())));
        }
        order = order.thenComparingInt(set -> place(variants, set.get(GridRecord.VARIANT)));
        return together.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(order))
                .map(entry -> point(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static int place(List<?> values, @Nullable Object value) {
        return value == null ? -1 : values.indexOf(value);
    }

    private static PointSummary point(Map<String, Object> set, List<RunSummary> all) {
        List<RunSummary> runs = all.stream().filter(GridPoints::counts).toList();
        Map<String, Spread> response = new LinkedHashMap<>();
        for (Statistic statistic : STATISTICS) {
            Spread spread = Spread.of(runs.stream()
                    .map(RunSummary::responseTime)
                    .filter(times -> times != null)
                    .mapToDouble(times -> times.of(statistic)));
            if (spread != null) {
                response.put(statistic.key(), spread);
            }
        }
        String verdict = runs.isEmpty()
                ? "failed"
                : runs.stream().anyMatch(run -> !"valid".equals(run.verdict())) ? "suspect" : "valid";
        return new PointSummary(
                set,
                all.stream().map(RunSummary::number).toList(),
                runs.size(),
                verdict,
                spread(runs, Metric.THROUGHPUT::of),
                spread(runs, run -> or(run.bytesPerSecond())),
                response.isEmpty() ? null : response,
                spread(runs, run -> Metric.failedShare(run.calls())),
                spread(runs, run -> or(run.fairness())),
                spread(runs, run -> or(run.found())),
                levels(runs),
                saturation(runs));
    }

    private static @Nullable SaturationSpread saturation(List<RunSummary> runs) {
        List<SaturationSummary> judged = runs.stream()
                .map(RunSummary::saturation)
                .flatMap(Stream::ofNullable)
                .toList();
        return judged.isEmpty()
                ? null
                : new SaturationSpread(
                        judged.size(), Spread.of(judged.stream().mapToDouble(saturation -> or(saturation.clients()))));
    }

    private static @Nullable List<LevelSpread> levels(List<RunSummary> runs) {
        Map<Double, List<LevelNumbers>> together = new TreeMap<>();
        for (RunSummary run : runs) {
            List<LevelNumbers> levels = run.levels();
            if (levels != null) {
                levels.forEach(level -> together.computeIfAbsent(level.level(), value -> new ArrayList<>())
                        .add(level));
            }
        }
        if (together.isEmpty()) {
            return null;
        }
        List<LevelSpread> spreads = new ArrayList<>();
        together.forEach((level, numbers) -> spreads.add(new LevelSpread(
                level,
                level(numbers, LevelNumbers::throughput),
                level(numbers, LevelNumbers::responseMean),
                level(numbers, LevelNumbers::p50),
                level(numbers, LevelNumbers::p99))));
        return spreads;
    }

    private static @Nullable Spread level(List<LevelNumbers> numbers, Function<LevelNumbers, @Nullable Double> of) {
        return Spread.of(numbers.stream().mapToDouble(level -> or(of.apply(level))));
    }

    private static @Nullable Spread spread(List<RunSummary> runs, ToDoubleFunction<RunSummary> of) {
        return Spread.of(runs.stream().mapToDouble(of));
    }

    private static double or(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }
}
