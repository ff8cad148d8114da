package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.Confidence.Bounds;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.SteadyPhase;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Levels;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RangeText;
import org.diperf.analyzer.text.RateUnit;
import org.jspecify.annotations.Nullable;

/** How certain numbers are: 95 % confidence intervals, from when on they were steady, and Little's law. */
public final class ConfidenceTable {

    private ConfidenceTable() {}

    /** A part of the run of which is known how certain its numbers are. */
    public record Row(
            String label,
            CallStatistics numbers,
            Confidence confidence,
            @Nullable SteadyPhase steady,
            @Nullable LittlesLaw littlesLaw)
            implements PartCounts {}

    /** Makes the table. */
    public static Table<Row> of(RateUnit unit) {
        List<Column<Row>> times = new ArrayList<>();
        times.add(Column.forPeople(
                "mean ±",
                row -> row.responseTime() == null
                        ? Numbers.NONE
                        : plusMinus(row.responseTime().mean(), row.confidence().responseTime(Statistic.MEAN), 1)));
        for (Statistic statistic : Statistic.shown()) {
            if (Confidence.hasInterval(statistic)) {
                times.add(Column.forPeople(
                        statistic.path() + " (from–to)",
                        row -> row.responseTime() == null
                                ? Numbers.NONE
                                : range(
                                        row.responseTime().of(statistic),
                                        row.confidence().responseTime(statistic))));
            }
        }
        return Table.of(
                List.of(
                        Column.forPeople("part of the run", Row::label),
                        Column.forPeople(
                                "ok calls" + unit.symbol() + " ±",
                                row -> row.throughput() == null
                                        ? Numbers.NONE
                                        : plusMinus(
                                                row.throughput().mean() * unit.factor(),
                                                row.confidence().throughput(),
                                                unit.factor()))),
                times,
                List.of(
                        Column.forPeople("steady from", row -> steady(row.steady())),
                        Column.forPeople(
                                "Little's law",
                                row -> row.littlesLaw() == null
                                        ? Numbers.NONE
                                        : (row.littlesLaw().holds() ? "✓ " : "✗ ")
                                                + String.format(
                                                        Locale.ROOT,
                                                        "%+.2f %%",
                                                        row.littlesLaw().differencePercent()))));
    }

    /** Returns what was measured, the peak where that is another part, and stages; none where nothing is known. */
    public static List<Row> rows(Analysis analysis, int mostStages) {
        Summary summary = analysis.summary();
        List<Row> rows = new ArrayList<>();
        Window measured = summary.measured();
        Window peak = summary.peak();
        if (measured != null) {
            add(rows, "measured", measured);
        }
        if (peak != null && peak.differsFrom(measured)) {
            add(rows, "peak", peak);
        }
        List<StageSummary> stages = summary.stages();
        for (StageSummary stage : stages == null ? List.<StageSummary>of() : stages) {
            Double level = stage.level();
            Confidence confidence = stage.confidence();
            if (confidence != null && rows.size() < mostStages) {
                rows.add(new Row(
                        level == null ? "stage " + (stage.number() + 1) : Levels.write(analysis, level),
                        stage.numbers(),
                        confidence,
                        stage.steady(),
                        stage.littlesLaw()));
            }
        }
        return rows;
    }

    private static void add(List<Row> rows, String what, Window window) {
        Confidence confidence = window.confidence();
        if (confidence != null) {
            String label = what + " " + Numbers.clock(window.fromSeconds()) + "–" + Numbers.clock(window.toSeconds());
            rows.add(new Row(label, window.numbers(), confidence, window.steady(), window.littlesLaw()));
        }
    }

    private static String steady(@Nullable SteadyPhase steady) {
        if (steady == null) {
            return Numbers.NONE;
        }
        Double from = steady.fromSeconds();
        return from == null ? (steady.isNone() ? "never" : "too few calls") : Numbers.clock(from);
    }

    /** Returns one line for a terminal; {@code null} where nothing of it is known. */
    public static @Nullable String line(Analysis analysis) {
        Window measured = analysis.summary().measured();
        Confidence confidence = measured == null ? null : measured.confidence();
        Statistics times = measured == null ? null : measured.responseTime();
        if (measured == null || confidence == null || times == null) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        RateUnit unit = RateUnit.of(analysis.run());
        Throughput throughput = measured.throughput();
        if (throughput != null && confidence.throughput() != null) {
            parts.add(plusMinus(throughput.mean() * unit.factor(), confidence.throughput(), unit.factor()) + " ok calls"
                    + unit.symbol());
        }
        Bounds mean = confidence.responseTime(Statistic.MEAN);
        if (mean != null) {
            parts.add("mean " + plusMinus(times.mean(), mean, 1) + " ms");
        }
        Bounds p99 = confidence.responseTime(Statistic.P99);
        if (p99 != null) {
            parts.add("p99 " + range(times.p99(), p99) + " ms");
        }
        return parts.isEmpty() ? null : String.join(" · ", parts);
    }

    private static String plusMinus(double value, @Nullable Bounds bounds, double factor) {
        return bounds == null ? Numbers.plain(value) : RangeText.plusMinus(value, bounds.half() * factor);
    }

    private static String range(double value, @Nullable Bounds bounds) {
        return bounds == null ? Numbers.plain(value) : RangeText.interval(value, bounds.low(), bounds.high());
    }
}
