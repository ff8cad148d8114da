package org.diperf.core.experiment;

import java.time.Duration;
import java.util.List;

/**
 * How the report shows the run.
 *
 * @param quantum time per point of a series, more than zero
 * @param smooth width of the moving average; zero if {@code smoothPoints} applies
 * @param smoothPoints points of the moving average; zero if {@code smooth} applies
 * @param perMinute whether rates are shown per minute instead of per second
 * @param figures that the experiment asks for, next to those of every report
 * @param maxAdded what the load generator may add to p50 or p99, beyond half of it, before the run is suspect
 */
public record ReportSettings(
        Duration quantum,
        Duration smooth,
        int smoothPoints,
        boolean perMinute,
        List<FigureSettings> figures,
        Duration maxAdded) {
    public ReportSettings {
        figures = List.copyOf(figures);
    }
}
