package org.diperf.analyzer.server;

/**
 * One metric of one monitor.
 *
 * @param monitor its name
 * @param metric its name
 * @param unit of its values
 * @param values time-weighted mean of each quantum; {@code NaN} where nothing was seen
 * @param mean over the measured part, time-weighted; {@code NaN} where nothing was seen of it
 * @param min of the samples of the measured part
 * @param max of the samples of the measured part
 * @param samples of the whole run
 */
public record MonitoredMetric(
        String monitor,
        String metric,
        String unit,
        double[] values,
        double mean,
        double min,
        double max,
        long samples) {

    /** Name of the monitor whose series do not have it in their names. */
    static final String PLAIN = "server";

    /** Names the series: {@code server.METRIC} of the monitor called server, {@code server.NAME.METRIC} of others. */
    public String series() {
        return PLAIN + "." + (monitor.equals(PLAIN) ? "" : monitor + ".") + metric;
    }

    /** Names the column of a file with the unit of its values. */
    public static String named(String name, String unit) {
        String words = unit.replace("1/s", "per_s").replace("/", "_per_").replaceAll("[^A-Za-z0-9]+", "_");
        return name + (words.isEmpty() ? "" : "_" + words);
    }

    /** Names its column, with its unit. */
    public String column() {
        return named(series(), unit);
    }
}
