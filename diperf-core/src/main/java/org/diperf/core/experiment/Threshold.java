package org.diperf.core.experiment;

import java.time.Duration;

/**
 * What must hold.
 *
 * @param that an expression over the summary, such as {@code response.p99 < 1500ms}
 * @param every how often it is judged during the run over the time since; zero: once, at the end
 * @param after when checks during the run start
 * @param abort whether the run ends as soon as it does not hold
 */
public record Threshold(String that, Duration every, Duration after, boolean abort) {}
