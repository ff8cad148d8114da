package org.diperf.analyzer.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is compared. */
public enum Metric {
    /** Ok calls a second. */
    THROUGHPUT("throughput", "throughput", "/s", true, true, 0),
    /** Mean response time, ms. */
    RESPONSE_MEAN("response.mean", "response mean", "ms", false, true, 0),
    /** Median response time, ms. */
    RESPONSE_P50("response.p50", "response p50", "ms", false, true, 0.5),
    /** 90th percentile of response times, ms. */
    RESPONSE_P90("response.p90", "response p90", "ms", false, false, 0.9),
    /** 95th percentile of response times, ms. */
    RESPONSE_P95("response.p95", "response p95", "ms", false, false, 0.95),
    /** 99th percentile of response times, ms. */
    RESPONSE_P99("response.p99", "response p99", "ms", false, true, 0.99),
    /** 99.9th percentile of response times, ms. */
    RESPONSE_P999("response.p99.9", "response p99.9", "ms", false, false, 0.999),
    /** Failed calls' share of all that ended. */
    FAILED("failed", "failed calls", "%", false, true, 0),
    /** Jain's index over clients. */
    FAIRNESS("fairness.jain", "fairness (Jain)", "", true, true, 0),
    /** Mean service time, ms. */
    SERVICE_MEAN("service.mean", "service mean", "ms", false, false, 0);

    private static final List<Metric> ALL = List.of(values());

    private final String path;
    private final String words;
    private final String unit;
    private final boolean moreIsBetter;
    private final boolean judged;
    private final double quantile;

    Metric(String path, String words, String unit, boolean moreIsBetter, boolean judged, double quantile) {
        this.path = path;
        this.words = words;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
        this.judged = judged;
        this.quantile = quantile;
    }

    /** Gives the name that summaries and thresholds have for it. */
    public String path() {
        return path;
    }

    /** Gives its name for people. */
    public String words() {
        return words;
    }

    /** Gives the unit of its values as they are shown; empty: none. */
    public String unit() {
        return unit;
    }

    /** Says which way is better. */
    public boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** Says whether it counts where nobody says what to judge; the others follow those that do so closely that they add nothing. */
    public boolean isJudged() {
        return judged;
    }

    /** Says whether its effect is a difference of two shares, and not a ratio. */
    public boolean isShare() {
        return this == FAILED;
    }

    /** Gives the quantile that it is, a fraction; 0: it is none. */
    double quantile() {
        return quantile;
    }

    /** Counts the calls from which on it says something: ten beyond a quantile. */
    long fewestCalls() {
        return quantile == 0 ? 20 : Math.round(10 / (1 - quantile));
    }

    /** Puts a value on the scale on which effects add up: its logarithm, or a share as it is. */
    double scaled(double value) {
        return isShare() ? value : Math.log(value);
    }

    /** Takes a value back from {@link #scaled}. */
    double unscaled(double scaled) {
        return isShare() ? scaled : Math.exp(scaled);
    }

    /** Takes an effect from the adding scale: what is to be added to 1, or to the share. */
    double change(double scaledEffect) {
        return isShare() ? scaledEffect : Math.expm1(scaledEffect);
    }

    /** Puts a change on the adding scale. */
    double scaledChange(double change) {
        return isShare() ? change : Math.log1p(change);
    }

    /** Finds the metric with this path; summaries' long names are taken too. */
    public static Optional<Metric> named(String path) {
        String wanted = path.replaceFirst("^responseTime\\b", "response")
                .replaceFirst("^serviceTime\\b", "service")
                .replaceFirst("\\.p999$", ".p99.9")
                .replaceFirst("^throughput\\.mean$", "throughput")
                .replaceFirst("^failed\\.share$", "failed")
                .replaceFirst("^measured\\.", "");
        return ALL.stream().filter(metric -> metric.path.equals(wanted)).findFirst();
    }

    /** Lists all. */
    public static List<Metric> all() {
        return ALL;
    }

    /** Lists the paths, for messages. */
    public static List<String> paths() {
        return Arrays.stream(values()).map(Metric::path).toList();
    }
}
