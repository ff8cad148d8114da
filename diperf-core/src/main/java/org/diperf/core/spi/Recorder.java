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
     * @param bytes transferred, at least 0
     * @param failure the cause in a few words, as in {@link Call#fail(long, String)}, or {@code null} for success
     */
    void call(long startNanos, long endNanos, long bytes, @Nullable String failure);

    /**
     * Records one call of which it is known how long this machine kept whoever made it from running.
     *
     * @param startNanos when it was sent
     * @param endNanos when it ended; not before {@code startNanos}
     * @param bytes transferred, at least 0
     * @param failure the cause in a few words, or {@code null} for success
     * @param waitedNanos for how long at most its maker waited for a processor in the meantime; {@link Long#MAX_VALUE} if that
     *     is not known
     */
    default void call(long startNanos, long endNanos, long bytes, @Nullable String failure, long waitedNanos) {
        call(startNanos, endNanos, bytes, failure);
    }

    /**
     * Records the value of a metric at an instant.
     *
     * @param metric declared, or discovered at run time
     * @param atNanos when the value held
     * @param value in the metric's unit
     */
    void observe(Metric metric, long atNanos, double value);

    /**
     * Counts something that could not be used, such as a malformed line; shown in the report.
     *
     * @param what in a few words, the same for equal cases
     * @param example what was found; shown once, truncated to 200 characters
     */
    void reject(String what, String example);

    /** Converts Unix time, in seconds, to the tester's monotonic clock, in nanoseconds, using the current reading of both. */
    long monotonicNanos(double unixSeconds);
}
