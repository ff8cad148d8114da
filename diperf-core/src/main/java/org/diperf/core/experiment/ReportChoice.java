package org.diperf.core.experiment;

import java.time.Duration;

/**
 * How the run is shown.
 *
 * @param quantum width of one point of a series, more than zero
 * @param smooth width of the moving average; zero where {@code smoothPoints} counts
 * @param smoothPoints points of the moving average; zero where {@code smooth} counts
 * @param perMinute whether rates are shown per minute instead of per second
 */
public record ReportChoice(Duration quantum, Duration smooth, int smoothPoints, boolean perMinute) {}
