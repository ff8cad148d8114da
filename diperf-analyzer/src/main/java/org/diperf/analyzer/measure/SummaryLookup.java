package org.diperf.analyzer.measure;

import java.util.Map;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.result.Distribution;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.RequestSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Times;
import org.diperf.analyzer.result.Summary.Window;
import org.jspecify.annotations.Nullable;

/**
 * Finds values by the paths of {@code summary.json}, as thresholds name them: over {@code measured}, unless a path begins with
 * {@code whole.} or {@code peak.}. {@code response}, {@code service}, {@code lag} and {@code processing} are short for {@code
 * responseTime}, {@code serviceTime}, {@code sendLag} and {@code processingTime}; over {@code measured} the first three know every percentile
 * ({@code p99.9}). {@code requests.NAME.} stands before values of a kind of request, over the whole run. {@code failed} and the other counts need no {@code calls.} before them, and have a {@code .share}: a fraction of the
 * calls that ended, of dropped calls one of the planned ones.
 */
public final class SummaryLookup {

    private final Summary summary;
    private final Distribution response;
    private final Distribution service;
    private final Distribution lag;

    public SummaryLookup(Analysis analysis) {
        this(analysis.summary(), analysis.response(), analysis.service(), analysis.lag());
    }

    SummaryLookup(Summary summary, Distribution response, Distribution service, Distribution lag) {
        this.summary = summary;
        this.response = response;
        this.service = service;
        this.lag = lag;
    }

    /**
     * Gives a value.
     *
     * @return a {@link Double} in ms, 1/s or bytes, or as a count or fraction; a {@link String}; or {@code null} when it was
     *     not measured
     */
    public @Nullable Object value(String path) {
        Window measured = summary.measured();
        if (path.startsWith("whole.")) {
            return whole(path.substring("whole.".length()));
        }
        if (path.startsWith("peak.")) {
            Window peak = summary.peak();
            return peak == null ? null : inWindow(peak, path.substring("peak.".length()));
        }
        String rest = path.startsWith("measured.") ? path.substring("measured.".length()) : path;
        Object percentile = percentile(rest);
        if (percentile != null) {
            return percentile;
        }
        Object found = measured == null ? null : inWindow(measured, rest);
        return found == null ? ofRun(rest) : found;
    }

    private @Nullable Object ofRun(String path) {
        Summary.Fairness fairness = summary.fairness();
        Summary.ClockSummary clock = summary.clock();
        Summary.StartSkew skew = clock == null ? null : clock.startSkewMicros();
        return switch (path) {
            case "verdict" -> summary.verdict();
            case "durationSeconds" -> summary.durationSeconds();
            case "fairness.jain" -> fairness == null ? null : (Object) fairness.jain();
            case "fairness.utilisationStddev" -> fairness == null ? null : (Object) fairness.utilisationStddev();
            case "fairness.clients" -> fairness == null ? null : (Object) (double) fairness.clients();
            case "clock.maxErrorBoundMicros" -> clock == null ? null : (Object) clock.maxErrorBoundMicros();
            case "clock.meanErrorBoundMicros" -> clock == null ? null : (Object) clock.meanErrorBoundMicros();
            case "clock.sources" -> clock == null ? null : (Object) (double) clock.sources();
            case "clock.expectedErrorMicros" -> clock == null ? null : clock.expectedErrorMicros();
            case "clock.startSkewMicros.max" -> skew == null ? null : (Object) skew.max();
            case "clock.startSkewMicros.mean" -> skew == null ? null : (Object) skew.mean();
            case "clock.steps" -> clock == null ? null : (Object) (double) clock.steps();
            case "testers.requested" -> (double) summary.testers().requested();
            case "testers.started" -> (double) summary.testers().started();
            case "testers.lost" -> (double) summary.testers().lost();
            case "testers.replaced" -> (double) summary.testers().replaced();
            default ->
                switch (beforeDot(path)) {
                    case "server" -> server(afterDot(path));
                    case "requests" -> request(afterDot(path));
                    case "processing", "processingTime" -> times(summary.processingTime(), afterDot(path));
                    default -> ofClients(path);
                };
        };
    }

    /** Finds a value of a kind of request, over the whole run. */
    private @Nullable Object request(String path) {
        Map<String, RequestSummary> kinds = summary.requests();
        RequestSummary kind = kinds == null ? null : kinds.get(beforeDot(path));
        if (kind == null) {
            return null;
        }
        String rest = afterDot(path);
        Summary.RequestCounts calls = kind.calls();
        return switch (rest.startsWith("calls.") ? afterDot(rest) : rest) {
            case "total" -> (double) calls.total();
            case "ok" -> (double) calls.ok();
            case "failed" -> (double) calls.failed();
            case "failed.share" -> calls.total() == 0 ? null : (Object) ((double) calls.failed() / calls.total());
            case "throughput", "throughput.mean" -> kind.throughput().mean();
            default ->
                switch (beforeDot(rest)) {
                    case "response", "responseTime" -> times(kind.responseTime(), afterDot(rest));
                    default -> null;
                };
        };
    }

    private @Nullable Object ofClients(String path) {
        ClientSide side = summary.clientSide();
        if (side == null) {
            return null;
        }
        ClientSide.Bandwidth moved = side.bandwidth();
        Map<String, MetricSummary> metrics = side.metrics();
        return switch (beforeDot(path)) {
            case "firstCalls" -> times(side.firstCalls(), afterDot(path));
            case "laterCalls" -> times(side.laterCalls(), afterDot(path));
            case "metrics" -> metrics == null ? null : metric(metrics, afterDot(path));
            case "bandwidth" ->
                moved == null
                        ? null
                        : switch (afterDot(path)) {
                            case "bytesPerSecond" -> moved.bytesPerSecond();
                            case "megabitsPerSecond" -> moved.megabitsPerSecond();
                            default -> null;
                        };
            default -> null;
        };
    }

    private static @Nullable Object metric(Map<String, MetricSummary> metrics, String path) {
        int dot = path.lastIndexOf('.');
        MetricSummary of = dot < 0 ? null : metrics.get(path.substring(0, dot));
        if (of == null) {
            return null;
        }
        return switch (path.substring(dot + 1)) {
            case "count" -> (double) of.count();
            case "min" -> of.min();
            case "mean" -> of.mean();
            case "stddev" -> of.stddev();
            case "p50" -> of.p50();
            case "p90" -> of.p90();
            case "p95" -> of.p95();
            case "p99" -> of.p99();
            case "max" -> of.max();
            default -> null;
        };
    }

    /** Finds a statistic of a monitor's metric: by its monitor's name, or of the first monitor that has it. */
    private @Nullable Object server(String path) {
        Summary.ServerSummary side = summary.serverSide();
        int dot = path.lastIndexOf('.');
        if (side == null || side.server() == null || dot < 0) {
            return null;
        }
        String name = path.substring(0, dot);
        Summary.ServerMetric found = null;
        for (var monitor : side.server().entrySet()) {
            Summary.ServerMetric exact = name.startsWith(monitor.getKey() + ".")
                    ? monitor.getValue().get(name.substring(monitor.getKey().length() + 1))
                    : null;
            if (exact != null) {
                found = exact;
                break;
            }
            if (found == null) {
                found = monitor.getValue().get(name);
            }
        }
        if (found == null) {
            return null;
        }
        return switch (path.substring(dot + 1)) {
            case "mean" -> found.mean();
            case "min" -> found.min();
            case "max" -> found.max();
            default -> null;
        };
    }

    private @Nullable Object whole(String path) {
        Window whole = new Window(
                0,
                summary.durationSeconds(),
                null,
                summary.calls(),
                summary.throughput(),
                summary.responseTime(),
                summary.responseTimeFailed(),
                summary.serviceTime(),
                summary.sendLag());
        Object found = inWindow(whole, path);
        return found == null ? ofRun(path) : found;
    }

    /**
     * Gives a value of a stage by the same paths; of percentiles only those that {@code summary.json} has.
     *
     * @return as {@link #value}
     */
    public static @Nullable Object ofStage(StageSummary stage, String path) {
        Window window = new Window(
                stage.fromSeconds(),
                stage.toSeconds(),
                stage.clients(),
                stage.calls(),
                stage.throughput(),
                stage.responseTime(),
                null,
                stage.serviceTime(),
                stage.sendLag());
        return inWindow(window, path);
    }

    private static @Nullable Object inWindow(Window window, String path) {
        String rest = afterDot(path);
        return switch (beforeDot(path)) {
            case "response", "responseTime" -> times(window.responseTime(), rest);
            case "responseFailed", "responseTimeFailed" -> times(window.responseTimeFailed(), rest);
            case "service", "serviceTime" -> times(window.serviceTime(), rest);
            case "lag", "sendLag" -> times(window.sendLag(), rest);
            case "throughput" -> throughput(window.throughput(), rest);
            case "calls" -> count(window.calls(), rest);
            case "fromSeconds" -> window.fromSeconds();
            case "toSeconds" -> window.toSeconds();
            default -> count(window.calls(), path);
        };
    }

    private @Nullable Object percentile(String path) {
        Distribution of = switch (beforeDot(path)) {
            case "response", "responseTime" -> response;
            case "service", "serviceTime" -> service;
            case "lag", "sendLag" -> lag;
            default -> null;
        };
        String name = afterDot(path);
        if (of == null || of.count() == 0 || !name.matches("p[0-9]{1,2}(\\.[0-9]{1,4})?|p100")) {
            return null;
        }
        double fraction = Double.parseDouble(name.substring(1)) / 100;
        for (int i = 0; i < of.quantiles().length; i++) {
            if (of.quantiles()[i] >= fraction - 1e-9) {
                return of.values()[i];
            }
        }
        return of.max();
    }

    private static @Nullable Object times(@Nullable Times times, String name) {
        if (times == null) {
            return null;
        }
        Long negative = times.negative();
        return switch (name) {
            case "count" -> (double) times.count();
            case "min" -> times.min();
            case "mean", "" -> times.mean();
            case "stddev" -> times.stddev();
            case "p50", "median" -> times.p50();
            case "p90" -> times.p90();
            case "p95" -> times.p95();
            case "p99" -> times.p99();
            case "p999", "p99.9" -> times.p999();
            case "max" -> times.max();
            case "negative" -> negative == null ? null : (Object) negative.doubleValue();
            default -> null;
        };
    }

    private static @Nullable Object throughput(@Nullable Throughput throughput, String name) {
        if (throughput == null) {
            return null;
        }
        return switch (name) {
            case "", "mean" -> throughput.mean();
            case "median" -> throughput.median();
            case "min" -> throughput.min();
            case "max" -> throughput.max();
            default -> null;
        };
    }

    private static @Nullable Object count(CallCounts calls, String path) {
        if (path.startsWith("outcomes.")) {
            return (double) calls.outcomes().getOrDefault(path.substring("outcomes.".length()), 0L);
        }
        boolean share = path.endsWith(".share");
        String name = share ? path.substring(0, path.length() - ".share".length()) : path;
        double count;
        double of = calls.total();
        switch (name) {
            case "planned" -> count = calls.planned();
            case "sent" -> count = calls.sent();
            case "total" -> count = calls.total();
            case "ok" -> count = calls.ok();
            case "failed" -> count = calls.failed();
            case "timedOut" -> count = calls.timedOut();
            case "unfinished" -> {
                count = calls.unfinished();
                of = calls.sent();
            }
            case "dropped" -> {
                count = calls.dropped();
                of = calls.planned();
            }
            case "bytes" -> count = calls.bytes();
            default -> {
                return null;
            }
        }
        if (!share) {
            return count;
        }
        return of == 0 ? null : (Object) (count / of);
    }

    private static String beforeDot(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    private static String afterDot(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? "" : path.substring(dot + 1);
    }
}
