package org.diperf.core.experiment;

import java.time.Duration;
import java.util.List;

/**
 * How the run is shown.
 *
 * @param quantum time per point of a series, more than zero
 * @param smooth width of the moving average; zero where {@code smoothPoints} counts
 * @param smoothPoints points of the moving average; zero where {@code smooth} counts
 * @param perMinute whether rates are shown per minute instead of per second
 * @param figures that the experiment asks for, beside those of every report
 */
public record ReportChoice(
        Duration quantum, Duration smooth, int smoothPoints, boolean perMinute, List<FigureChoice> figures) {
    public ReportChoice {
        figures = List.copyOf(figures);
    }

    /** Makes the choice without figures of its own. */
    public ReportChoice(Duration quantum, Duration smooth, int smoothPoints, boolean perMinute) {
        this(quantum, smooth, smoothPoints, perMinute, List.of());
    }
}
