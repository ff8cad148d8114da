package org.diperf.core.experiment;

import java.time.Duration;

/**
 * A condition that must hold.
 *
 * @param that an expression over the summary, such as {@code response.p99 < 1500ms}
 * @param every how often to check it during the run, each time over the time since the last check; zero: once, at the end
 * @param after when checks during the run start
 * @param abort whether the run ends as soon as it does not hold
 */
public record Threshold(String that, Duration every, Duration after, boolean abort) {}
