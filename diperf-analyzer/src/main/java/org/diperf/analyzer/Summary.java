package org.diperf.analyzer;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code summary.json}: times in milliseconds, rates per second, sizes in bytes unless the name says
 * otherwise. What was not measured is {@code null} and absent from the file.
 */
public record Summary(
        String format,
        String experiment,
        @Nullable String startedAt,
        double durationSeconds,
        List<String> target,
        LoadSummary load,
        TesterCounts testers,
        CallCounts calls,
        @Nullable Throughput throughput,
        @Nullable Times responseTime,
        @Nullable Times responseTimeFailed,
        @Nullable Times serviceTime,
        @Nullable Times sendLag,
        @Nullable Times processingTime,
        @Nullable Window measured,
        @Nullable Window peak,
        @Nullable Fairness fairness,
        @Nullable ClockSummary clock,
        List<ThresholdResult> thresholds,
        String verdict,
        List<String> warnings,
        Map<String, String> labels) {

    /** Name and version of the format. */
    public static final String FORMAT = "diperf-summary/1";

    /** Gives the same summary with these results of thresholds. */
    Summary with(List<ThresholdResult> results) {
        return new Summary(
                format,
                experiment,
                startedAt,
                durationSeconds,
                target,
                load,
                testers,
                calls,
                throughput,
                responseTime,
                responseTimeFailed,
                serviceTime,
                sendLag,
                processingTime,
                measured,
                peak,
                fairness,
                clock,
                results,
                verdict,
                warnings,
                labels);
    }

    /** What was offered: {@code closed} with clients, or {@code open} with a rate per second and arrivals. */
    public record LoadSummary(
            String model,
            @Nullable Integer clients,
            @Nullable Double rate,
            @Nullable String arrivals) {}

    /** Testers wanted, started, lost. */
    public record TesterCounts(int requested, int started, int lost) {}

    /** Calls by how they ended; {@code cancelled} and {@code timedOut} are within {@code failed}. */
    public record CallCounts(
            long planned,
            long sent,
            long total,
            long ok,
            long failed,
            long timedOut,
            long dropped,
            long unfinished,
            Map<String, Long> outcomes,
            long bytes) {}

    /** Ok calls a second: mean over the time, the others over whole quanta. */
    public record Throughput(
            double mean,
            @Nullable Double median,
            @Nullable Double min,
            @Nullable Double max) {}

    /** Statistics of times, ms. {@code negative} counts values below zero, where there are any. */
    public record Times(
            long count,
            double min,
            double mean,
            double stddev,
            double p50,
            double p90,
            double p95,
            double p99,
            double p999,
            double max,
            @Nullable Long negative) {}

    /** A part of the run. */
    public record Window(
            double fromSeconds,
            double toSeconds,
            @Nullable Integer clients,
            CallCounts calls,
            @Nullable Throughput throughput,
            @Nullable Times responseTime,
            @Nullable Times responseTimeFailed,
            @Nullable Times serviceTime,
            @Nullable Times sendLag) {}

    /** How evenly clients were served over the peak; closed load only. */
    public record Fairness(double utilisationStddev, double jain, int clients) {}

    /** How well the clocks are known. */
    public record ClockSummary(double maxErrorBoundMicros, double meanErrorBoundMicros, int sources) {}

    /** Whether a threshold holds, and on what. */
    public record ThresholdResult(String expression, boolean holds, String observed) {}
}
