package org.diperf.core.experiment;

import java.time.Duration;

/**
 * How testers' clocks are compared with the controller's.
 *
 * @param sync from one comparison to the next; zero: as often as the clocks need it
 */
public record ClockChoice(Duration sync) {}
