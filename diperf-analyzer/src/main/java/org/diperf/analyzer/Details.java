package org.diperf.analyzer;

/**
 * What figures and tables show beyond series and rows.
 *
 * @param heat response times over time
 * @param signs what testers saw of themselves, quantum by quantum
 * @param network what the way to the target does to each tester's calls
 */
public record Details(HeatMap heat, GeneratorSigns signs, NetworkImpact network) {

    /** Of a run of which nothing was measured. */
    public static final Details NONE = new Details(HeatMap.NONE, GeneratorSigns.NONE, NetworkImpact.NONE);
}
