package org.diperf.analyzer.compare;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.util.FastMath;

/**
 * One side against the first.
 *
 * @param a the first side
 * @param b the other one
 * @param overRuns whether runs were the unit, so that what varies from run to run was seen
 * @param results one a metric, in the order of {@link Metric}
 * @param rules one a rule
 * @param caveats what to keep in mind, one line each
 */
public record Contrast(
        Side a, Side b, boolean overRuns, List<MetricResult> results, List<RuleResult> rules, List<String> caveats) {

    /** Nobody makes more to settle one question. */
    static final int MAX_RUNS = 100;

    public Contrast {
        results = List.copyOf(results);
        rules = List.copyOf(rules);
        caveats = List.copyOf(caveats);
    }

    /** Returns what is said of a metric. */
    public MetricResult result(Metric metric) {
        return results.get(metric.ordinal());
    }

    /** Lists the metrics of which this is said. */
    public List<MetricResult> found(MetricResult.Finding finding) {
        return results.stream().filter(result -> result.finding() == finding).toList();
    }

    /**
     * Returns how many runs a side it takes for the interval of a metric to have this half width, if they vary as those that were seen: it shrinks with the root of their number and, where runs are the unit, with Student's t of their degrees of freedom. Of too few
     * runs to see what varies between them it is the least.
     *
     * @param result has an interval
     * @param width a change: a fraction, or a share of calls
     * @return empty: more than {@link #MAX_RUNS}
     */
    OptionalInt runsToTell(MetricResult result, double width) {
        Metric metric = result.metric();
        double low = metric.scaledChange(result.low());
        double high = metric.scaledChange(result.high());
        double wanted = metric.isShare() ? width : FastMath.asinh(width / Math.exp((low + high) / 2));
        double ratio = (high - low) / 2 / wanted;
        int seen = overRuns
                ? Math.min(result.unitsA(), result.unitsB())
                : Math.min(a.runs().size(), b.runs().size());
        return IntStream.rangeClosed(TrialComparison.FEWEST, MAX_RUNS)
                .filter(runs -> ratio * Math.sqrt((double) seen / runs) * (overRuns ? t(runs) / t(seen) : 1) <= 1)
                .findFirst();
    }

    private static double t(int runs) {
        return new TDistribution(null, 2 * runs - 2).inverseCumulativeProbability(0.975);
    }
}
