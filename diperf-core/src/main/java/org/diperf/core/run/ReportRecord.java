package org.diperf.core.run;

import java.util.List;

/**
 * @param quantumNanos time per point of a series
 * @param smoothNanos width of the moving average; 0 where {@code smoothPoints} counts
 * @param smoothPoints points of the moving average; 0 where {@code smoothNanos} counts
 * @param perMinute whether rates are shown per minute
 * @param figures that the experiment asks for
 */
public record ReportRecord(
        long quantumNanos, long smoothNanos, int smoothPoints, boolean perMinute, List<FigureRecord> figures) {
    public ReportRecord {
        figures = List.copyOf(figures);
    }

    /** Makes the record without figures. */
    public ReportRecord(long quantumNanos, long smoothNanos, int smoothPoints, boolean perMinute) {
        this(quantumNanos, smoothNanos, smoothPoints, perMinute, List.of());
    }
}
