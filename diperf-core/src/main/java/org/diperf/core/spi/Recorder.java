package org.diperf.core.spi;

import org.jspecify.annotations.Nullable;

/**
 * Takes finished calls and observations that a client measured itself. Thread-safe; times are on the tester's monotonic
 * clock, {@link System#nanoTime}.
 */
public interface Recorder {

    /**
     * Records one call that succeeded or failed.
     *
     * @param startNanos when it was sent
     * @param endNanos when it ended; not before {@code startNanos}
     * @param bytes what it moved, at least 0
     * @param failure the cause in few words as in {@link Call#fail(long, String)}, or {@code null} for success
     */
    void call(long startNanos, long endNanos, long bytes, @Nullable String failure);

    /**
     * Records the value of a metric at an instant.
     *
     * @param metric declared or found at run time
     * @param atNanos when it held
     * @param value in the metric's unit
     */
    void observe(Metric metric, long atNanos, double value);

    /**
     * Counts something that could not be used, such as a malformed line; shown in the report.
     *
     * @param what in few words, the same for equal things
     * @param example what was found; shown once, cut to 200 characters
     */
    void reject(String what, String example);

    /** Maps Unix time, in seconds, to the tester's monotonic clock as it stands now, in nanoseconds. */
    long monotonicNanos(double unixSeconds);
}
