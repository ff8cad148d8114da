package org.diperf.analyzer.result;

/**
 * A metric of the client over time.
 *
 * @param unit as declared; empty where it was not
 * @param values mean of each quantum of the run's series, of calls by their end; {@code NaN} where nothing was seen
 */
public record MetricRow(String name, String unit, double[] values) {

    /** Names its column, with its unit. */
    public String column() {
        String words = unit.replace("/", "_per_").replaceAll("[^A-Za-z0-9]+", "_");
        return "metrics." + name + (words.isEmpty() ? "" : "_" + words);
    }
}
