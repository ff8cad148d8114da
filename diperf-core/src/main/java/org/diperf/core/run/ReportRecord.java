package org.diperf.core.run;

import java.util.List;

/**
 * @param quantumNanos time per point of a series
 * @param smoothNanos width of the moving average; 0 where {@code smoothPoints} counts
 * @param smoothPoints points of the moving average; 0 where {@code smoothNanos} counts
 * @param perMinute whether rates are shown per minute
 * @param figures that the experiment asks for
 * @param maxAddedNanos what the load generator may have added to p50 or p99, beyond half of it, before the run is suspect
 */
public record ReportRecord(
        long quantumNanos,
        long smoothNanos,
        int smoothPoints,
        boolean perMinute,
        List<FigureRecord> figures,
        long maxAddedNanos) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    public ReportRecord {
        figures = List.copyOf(figures);
    }

    /** Returns {@link #maxAddedNanos} in ms. */
    public double maxAddedMillis() {
        return (double) maxAddedNanos / NANOS_PER_MILLI;
    }

    /** Makes the record without figures, and with 1 ms that the load generator may add. */
    public ReportRecord(long quantumNanos, long smoothNanos, int smoothPoints, boolean perMinute) {
        this(quantumNanos, smoothNanos, smoothPoints, perMinute, List.of(), NANOS_PER_MILLI);
    }
}
