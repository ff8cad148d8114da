package org.diperf.analyzer.measure;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Knows the paths that {@link SummaryLookup} can answer, so that a misspelt one is told before a run and not after it. */
public final class SummaryPaths {

    private static final List<String> TIMES = List.of(
            "response",
            "responseTime",
            "responseTimeFailed",
            "service",
            "serviceTime",
            "lag",
            "sendLag",
            "processing",
            "processingTime",
            "firstCalls",
            "laterCalls");
    private static final List<String> STATISTICS =
            List.of("count", "min", "mean", "stddev", "p50", "p90", "p95", "p99", "p99.9", "p999", "max");
    private static final List<String> COUNTS =
            List.of("planned", "sent", "total", "ok", "failed", "timedOut", "dropped", "unfinished", "bytes");
    private static final List<String> OTHERS = List.of(
            "throughput",
            "throughput.mean",
            "throughput.median",
            "throughput.min",
            "throughput.max",
            "fairness.utilisationStddev",
            "fairness.jain",
            "fairness.clients",
            "clock.maxErrorBoundMicros",
            "clock.meanErrorBoundMicros",
            "clock.sources",
            "clock.expectedErrorMicros",
            "clock.startSkewMicros.max",
            "clock.startSkewMicros.mean",
            "clock.steps",
            "testers.requested",
            "testers.started",
            "testers.lost",
            "testers.replaced",
            "bandwidth.bytesPerSecond",
            "bandwidth.megabitsPerSecond",
            "durationSeconds",
            "verdict");
    private static final Pattern SCOPE = Pattern.compile("^(?:whole\\.|peak\\.|measured\\.)?(?:calls\\.)?");
    private static final Pattern QUANTILE = Pattern.compile("\\.p[0-9]{1,2}(?:\\.[0-9]+)?$");

    /** What monitors see is known only when they have seen it. */
    private static final Pattern SERVER = Pattern.compile("server\\..+\\.(?:mean|min|max)");

    /** So is what clients measure, to somebody who knows only the experiment. */
    private static final Pattern METRIC =
            Pattern.compile("metrics\\..+\\.(?:count|min|mean|stddev|p50|p90|p95|p99|max)");

    /** Which kinds of request there are the experiment says. */
    private static final Pattern REQUEST =
            Pattern.compile("requests\\.[A-Za-z0-9_-]+\\.(?:(?:calls\\.)?(?:total|ok|failed|failed\\.share)"
                    + "|throughput(?:\\.mean)?"
                    + "|response(?:Time)?\\.(?:count|min|mean|stddev|p50|p90|p95|p99|p99\\.9|p999|max))");

    private SummaryPaths() {}

    /** Says whether a path names something that a summary can hold. */
    public static boolean known(String path) {
        String rest = SCOPE.matcher(path).replaceFirst("").replaceFirst("\\.share$", "");
        String quantileAsked = QUANTILE.matcher(rest).replaceFirst(".p99");
        return SERVER.matcher(rest).matches()
                || METRIC.matcher(rest).matches()
                || REQUEST.matcher(path).matches()
                || names().contains(rest)
                || names().contains(quantileAsked);
    }

    /** Lists the paths without their scopes, for messages. */
    public static List<String> names() {
        return Stream.concat(
                        TIMES.stream().flatMap(times -> STATISTICS.stream().map(statistic -> times + "." + statistic)),
                        Stream.concat(COUNTS.stream(), OTHERS.stream()))
                .toList();
    }
}
