package org.diperf.analyzer.result;

import org.jspecify.annotations.Nullable;

/**
 * Little's law as a check of what was measured (Little, <i>A proof for the queuing formula L = λW</i>, 1961): in closed load the
 * clients are throughput times (response + think time), in open load the calls in flight throughput times service time,
 * each over calls however they ended. More than 2 % between both sides, beyond what the edges of the part and the scatter of think times
 * can do, is a fault of the measurement.
 *
 * @param counted clients that were active, by the plan, or calls in flight, by time
 * @param product throughput times response (open load: service) and think time
 * @param perSecond calls that ended, well or not
 * @param timeMillis their mean response time, in open load their mean service time
 * @param thinkMillis mean think time of the plan; {@code null} in open load
 * @param differencePercent product over counted, less 100 %
 * @param allowedPercent either way
 * @param holds whether the difference is allowed
 */
public record LittlesLaw(
        double counted,
        double product,
        double perSecond,
        double timeMillis,
        @Nullable Double thinkMillis,
        double differencePercent,
        double allowedPercent,
        boolean holds) {}
