package org.diperf.analyzer.compare;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.stats.Statistic;

/** What is compared: a measure, which way of it is better, and on which scale effects add up. */
public final class Metric {

    /** Ok calls a second. */
    public static final Metric THROUGHPUT = new Metric("throughput", "throughput", "/s", true, true);
    /** Mean response time, ms. */
    public static final Metric RESPONSE_MEAN = ofResponse(Statistic.MEAN, true);
    /** Median response time, ms. */
    public static final Metric RESPONSE_P50 = ofResponse(Statistic.P50, true);
    /** 99th percentile of response times, ms. */
    public static final Metric RESPONSE_P99 = ofResponse(Statistic.P99, true);
    /** Failed calls' share of all that ended. */
    public static final Metric FAILED = new Metric("failed", "failed calls", "%", false, true);
    /** Jain's index over clients. */
    public static final Metric FAIRNESS = new Metric("fairness.jain", "fairness (Jain)", "", true, true);
    /** Mean service time, ms. */
    public static final Metric SERVICE_MEAN = new Metric("service.mean", "service mean", "ms", false, false);

    /** Quantiles stand as they rise. */
    private static final List<Metric> ALL = Stream.of(
                    Stream.of(THROUGHPUT, RESPONSE_MEAN),
                    Statistic.rising().stream().filter(Statistic::isQuantile).map(Metric::ofQuantile),
                    Stream.of(FAILED, FAIRNESS, SERVICE_MEAN))
            .flatMap(some -> some)
            .toList();

    private final Measure measure;
    private final String words;
    private final String unit;
    private final boolean moreIsBetter;
    private final boolean judged;

    private Metric(String path, String words, String unit, boolean moreIsBetter, boolean judged) {
        this.measure = Measures.of(path);
        this.words = words;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
        this.judged = judged;
    }

    private static Metric ofResponse(Statistic statistic, boolean judged) {
        return new Metric("response." + statistic.path(), "response " + statistic.path(), "ms", false, judged);
    }

    private static Metric ofQuantile(Statistic statistic) {
        return statistic.equals(Statistic.P50)
                ? RESPONSE_P50
                : statistic.equals(Statistic.P99) ? RESPONSE_P99 : ofResponse(statistic, false);
    }

    /** Returns the name that summaries and thresholds have for it. */
    public String path() {
        return measure.path();
    }

    /** Returns the number of which it is the comparison. */
    Measure measure() {
        return measure;
    }

    /** Returns its place in {@link #all}. */
    int ordinal() {
        return ALL.indexOf(this);
    }

    /** Returns its name for people. */
    public String words() {
        return words;
    }

    /** Returns the unit of its values as they are shown; empty: none. */
    public String unit() {
        return unit;
    }

    /** Says which way is better. */
    public boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** Returns whether it counts where nobody says what to judge; the others follow those that do so closely that they add nothing. */
    public boolean isJudged() {
        return judged;
    }

    /** Returns whether its effect is a difference of two shares, and not a ratio. */
    public boolean isShare() {
        return this == FAILED;
    }

    /** Returns the quantile that it is, a fraction; 0: it is none. */
    double quantile() {
        Statistic statistic = measure.statistic();
        return statistic != null && statistic.isQuantile() ? statistic.fraction() : 0;
    }

    /** Counts the calls from which on it says something: ten beyond a quantile. */
    long fewestCalls() {
        return quantile() == 0 ? 20 : Math.round(10 / (1 - quantile()));
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
        String wanted = path.equals("failed.share") ? "failed" : path;
        return Measures.find(wanted)
                .flatMap(asked -> ALL.stream()
                        .filter(metric -> metric.measure.equals(asked)
                                || metric == THROUGHPUT && asked.path().equals("throughput.mean"))
                        .findFirst());
    }

    /** Lists all. */
    public static List<Metric> all() {
        return ALL;
    }

    /** Lists the paths, for messages. */
    public static List<String> paths() {
        return ALL.stream().map(Metric::path).toList();
    }

    @Override
    public String toString() {
        return path();
    }
}
