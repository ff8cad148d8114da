package org.diperf.core.spi;

/**
 * Takes what a monitor sees. Names of metrics are lower case with dots, such as {@code cpu.user}; a unit is one of
 * {@code cores}, {@code bytes}, {@code bytes/s}, {@code 1/s}, {@code count}, {@code percent} or a word of the source's own.
 * {@code cpu} in cores and {@code memory} in bytes are what plans of capacity are made from. Confined to the monitor's
 * thread.
 */
public interface Readings {

    /** Reads the clock on which all samples of the run are placed, ns. */
    long nanoTime();

    /** Takes a value that held at an instant of {@link #nanoTime}. Anything but a finite number is left out. */
    void gauge(String metric, String unit, double value, long atNanos);

    /** Takes a value that holds now. */
    default void gauge(String metric, String unit, double value) {
        gauge(metric, unit, value, nanoTime());
    }

    /**
     * Takes the standing of a counter, of which the rate since the last standing is made. One that falls begins anew.
     *
     * @param unit of the rate, such as {@code bytes/s} of a counter of bytes, {@code cores} of one of seconds
     * @param total since any time
     * @param sourceNanos when it stood so, on any clock that goes with the counter: what rates are taken over
     * @param atNanos the same instant on the clock of {@link #nanoTime}, as well as it is known
     */
    void counter(String metric, String unit, double total, long sourceNanos, long atNanos);

    /** Takes the standing of a counter at an instant of {@link #nanoTime}. */
    default void counter(String metric, String unit, double total, long atNanos) {
        counter(metric, unit, total, atNanos, atNanos);
    }

    /**
     * Takes one request that the service says it has served.
     *
     * @param endUnixNanos when it ended, on the wall clock of this machine, ns since 1970
     * @param durationNanos how long the service says it took; negative: it does not say
     * @param outcome {@code ok}, or a cause in lower case with hyphens, such as {@code status-503}
     * @param bytes sent; 0 where that is not known
     */
    void served(long endUnixNanos, long durationNanos, String outcome, long bytes);

    /** Says something about the samples that a reader must know, such as what memory counts; told once. */
    void note(String text);
}
