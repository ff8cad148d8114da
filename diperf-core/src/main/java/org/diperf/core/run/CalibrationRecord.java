package org.diperf.core.run;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What testers of a run's client plugin on one of its hosts had been calibrated to before the run.
 *
 * @param host as testers name it
 * @param perSecond calls that one tester there can end in a second, against a service that does nothing
 * @param at when that was measured, ISO 8601 in UTC
 * @param doubt why it may be too low, in a few words; {@code null}: no reason is known
 */
public record CalibrationRecord(
        String host, double perSecond, String at, @Nullable String doubt) {

    /** Returns the same record with the name that testers gave changed, as it is in theirs. */
    CalibrationRecord masked(UnaryOperator<String> mask) {
        return new CalibrationRecord(mask.apply(host), perSecond, at, doubt);
    }
}
