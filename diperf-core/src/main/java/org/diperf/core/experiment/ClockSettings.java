package org.diperf.core.experiment;

import java.time.Duration;

/**
 * How testers' clocks are compared with the controller's.
 *
 * @param sync time between two comparisons; zero: as often as needed
 */
public record ClockSettings(Duration sync) {}
