package org.diperf.analyzer.result;

import java.util.List;

/**
 * What figures and tables show beyond series and rows.
 *
 * @param heat response times over time
 * @param signs what testers saw of themselves, quantum by quantum
 * @param network what the way to the target does to each tester's calls
 * @param metrics what the plugin measured besides times and bytes, by name
 * @param shown calls that are shown whole: the first of each cause of failure, then the slowest ok ones
 */
public record Details(
        HeatMap heat,
        GeneratorSymptoms signs,
        NetworkImpact network,
        List<MetricRow> metrics,
        List<DetailedCall> shown) {

    /** Of a run of which nothing was measured. */
    public static final Details NONE =
            new Details(HeatMap.NONE, GeneratorSymptoms.NONE, NetworkImpact.NONE, List.of(), List.of());

    public Details {
        metrics = List.copyOf(metrics);
        shown = List.copyOf(shown);
    }
}
