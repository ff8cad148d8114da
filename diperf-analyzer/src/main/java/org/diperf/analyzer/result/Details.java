package org.diperf.analyzer.result;

import java.util.List;

/**
 * What figures and tables show beyond series and rows.
 *
 * @param heat response times over time
 * @param signs what testers saw of themselves, quantum by quantum
 * @param network what the way to the target does to each tester's calls
 * @param metrics what the plugin measured beside times and bytes, by name
 */
public record Details(HeatMap heat, GeneratorSigns signs, NetworkImpact network, List<MetricRow> metrics) {

    /** Of a run of which nothing was measured. */
    public static final Details NONE = new Details(HeatMap.NONE, GeneratorSigns.NONE, NetworkImpact.NONE, List.of());

    public Details {
        metrics = List.copyOf(metrics);
    }
}
