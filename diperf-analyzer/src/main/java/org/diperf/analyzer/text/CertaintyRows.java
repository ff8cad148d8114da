package org.diperf.analyzer.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.Confidence.Bounds;
import org.diperf.analyzer.result.Confidence.TimeBounds;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.result.Steady;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Times;
import org.diperf.analyzer.result.Summary.Window;
import org.jspecify.annotations.Nullable;

/** How sure numbers are: 95 % intervals, from when on they were steady, and Little's law. */
public final class CertaintyRows {

    private CertaintyRows() {}

    /** Gives the head of the table. */
    public static List<String> head(RateUnit unit) {
        return List.of(
                "part of the run",
                "ok calls" + unit.symbol() + " ±",
                "mean ±",
                "p50 (from–to)",
                "p95 (from–to)",
                "p99 (from–to)",
                "steady from",
                "Little's law");
    }

    /** Gives the rows of what was measured, of the peak where that is another part, and of stages; none where nothing is known. */
    public static List<List<String>> of(Analysis analysis, int mostStages) {
        Summary summary = analysis.summary();
        RateUnit unit = RateUnit.of(analysis.run());
        List<List<String>> rows = new ArrayList<>();
        Window measured = summary.measured();
        Window peak = summary.peak();
        if (measured != null) {
            add(rows, "measured", measured, unit);
        }
        if (peak != null && peak.differsFrom(measured)) {
            add(rows, "peak", peak, unit);
        }
        List<StageSummary> stages = summary.stages();
        for (StageSummary stage : stages == null ? List.<StageSummary>of() : stages) {
            Double level = stage.level();
            Confidence confidence = stage.confidence();
            if (confidence != null && rows.size() < mostStages) {
                rows.add(row(
                        level == null ? "stage " + (stage.number() + 1) : Levels.write(analysis, level),
                        confidence,
                        stage.throughput(),
                        stage.responseTime(),
                        stage.steady(),
                        stage.littlesLaw(),
                        unit));
            }
        }
        return rows;
    }

    private static void add(List<List<String>> rows, String what, Window window, RateUnit unit) {
        Confidence confidence = window.confidence();
        if (confidence != null) {
            String label = what + " " + Numbers.clock(window.fromSeconds()) + "–" + Numbers.clock(window.toSeconds());
            rows.add(row(
                    label,
                    confidence,
                    window.throughput(),
                    window.responseTime(),
                    window.steady(),
                    window.littlesLaw(),
                    unit));
        }
    }

    private static List<String> row(
            String label,
            Confidence confidence,
            @Nullable Throughput throughput,
            @Nullable Times times,
            @Nullable Steady steady,
            @Nullable LittlesLaw law,
            RateUnit unit) {
        TimeBounds bounds = confidence.responseTime();
        return List.of(
                label,
                throughput == null
                        ? Numbers.NONE
                        : plusMinus(throughput.mean() * unit.factor(), confidence.throughput(), unit.factor()),
                times == null ? Numbers.NONE : plusMinus(times.mean(), bounds == null ? null : bounds.mean(), 1),
                times == null ? Numbers.NONE : range(times.p50(), bounds == null ? null : bounds.p50()),
                times == null ? Numbers.NONE : range(times.p95(), bounds == null ? null : bounds.p95()),
                times == null ? Numbers.NONE : range(times.p99(), bounds == null ? null : bounds.p99()),
                steady(steady),
                law == null
                        ? Numbers.NONE
                        : (law.holds() ? "✓ " : "✗ ")
                                + String.format(Locale.ROOT, "%+.2f %%", law.differencePercent()));
    }

    private static String steady(@Nullable Steady steady) {
        if (steady == null) {
            return Numbers.NONE;
        }
        Double from = steady.fromSeconds();
        return from == null ? (steady.isNone() ? "never" : "too few calls") : Numbers.clock(from);
    }

    /** Gives one line for a terminal; {@code null} where nothing of it is known. */
    public static @Nullable String line(Analysis analysis) {
        Window measured = analysis.summary().measured();
        Confidence confidence = measured == null ? null : measured.confidence();
        Times times = measured == null ? null : measured.responseTime();
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
        TimeBounds bounds = confidence.responseTime();
        if (bounds != null && bounds.mean() != null) {
            parts.add("mean " + plusMinus(times.mean(), bounds.mean(), 1) + " ms");
        }
        if (bounds != null && bounds.p99() != null) {
            parts.add("p99 " + range(times.p99(), bounds.p99()) + " ms");
        }
        return parts.isEmpty() ? null : "95 % sure: " + String.join(" · ", parts);
    }

    /** Writes a value and half its interval, with the digits that the interval carries. */
    static String plusMinus(double value, @Nullable Bounds bounds, double factor) {
        if (bounds == null) {
            return Numbers.plain(value);
        }
        double half = bounds.half() * factor;
        int place = place(half);
        return half > 0 ? write(value, place) + " ± " + write(half, place) : Numbers.plain(value) + " ± 0";
    }

    /** Writes a value and its interval, with the digits that the interval carries. */
    static String range(double value, @Nullable Bounds bounds) {
        if (bounds == null || !(bounds.half() > 0)) {
            return Numbers.plain(value);
        }
        int place = place(bounds.half());
        return write(value, place) + " (" + write(bounds.low(), place) + "–" + write(bounds.high(), place) + ")";
    }

    /** Gives the decimal place of the second digit: -1 of 0.25. */
    private static int place(double half) {
        return half > 0 ? (int) Math.floor(Math.log10(half)) - 1 : 0;
    }

    private static String write(double value, int place) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(-place, RoundingMode.HALF_EVEN);
        return String.format(Locale.ROOT, "%,." + Math.max(0, -place) + "f", rounded);
    }
}
