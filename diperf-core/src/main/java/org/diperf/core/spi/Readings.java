package org.diperf.core.spi;

/**
 * Receives what a monitor observes. Names of metrics are lower case with dots, such as {@code cpu.user}; a unit is one of
 * {@code cores}, {@code bytes}, {@code bytes/s}, {@code 1/s}, {@code count}, {@code percent} or a word of the source.
 * Capacity planning uses {@code cpu} in cores and {@code memory} in bytes. Confined to the monitor's
 * thread.
 */
public interface Readings {

    /** Reads the clock that all samples of the run use, ns. */
    long nanoTime();

    /** Records a value at an instant of {@link #nanoTime}. Values that are not finite are ignored. */
    void gauge(String metric, String unit, double value, long atNanos);

    /** Records a current value. */
    default void gauge(String metric, String unit, double value) {
        gauge(metric, unit, value, nanoTime());
    }

    /**
     * Records the reading of a counter; its rate since the previous reading becomes the metric. A falling counter was reset.
     *
     * @param unit of the rate, such as {@code bytes/s} for a counter of bytes, {@code cores} for one of seconds
     * @param total since any starting point
     * @param sourceNanos when it was read, on the counter's own clock, which rates are computed with
     * @param atNanos the same instant on the clock of {@link #nanoTime}, as exactly as it is known
     */
    void counter(String metric, String unit, double total, long sourceNanos, long atNanos);

    /** Records the reading of a counter at an instant of {@link #nanoTime}. */
    default void counter(String metric, String unit, double total, long atNanos) {
        counter(metric, unit, total, atNanos, atNanos);
    }

    /**
     * Records one request that the service reports as served.
     *
     * @param endUnixNanos when it ended, on the wall clock of this machine, ns since 1970
     * @param durationNanos how long the service says it took; negative: unknown
     * @param outcome {@code ok}, or a cause in lower case with hyphens, such as {@code status-503}
     * @param bytes sent; 0 if unknown
     */
    void served(long endUnixNanos, long durationNanos, String outcome, long bytes);

    /** Adds a remark about the samples that readers need, such as what memory counts; shown once. */
    void note(String text);
}
