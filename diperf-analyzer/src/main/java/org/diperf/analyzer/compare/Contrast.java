package org.diperf.analyzer.compare;

import java.util.List;

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
}
