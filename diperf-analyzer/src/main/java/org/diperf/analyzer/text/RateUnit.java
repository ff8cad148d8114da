package org.diperf.analyzer.text;

import org.diperf.core.run.RunRecord;

/**
 * How rates are shown.
 *
 * @param factor from calls a second
 * @param symbol as it stands behind a unit: {@code /s} or {@code /min}
 */
public record RateUnit(double factor, String symbol) {

    /** Returns what the experiment asked for. */
    public static RateUnit of(RunRecord run) {
        return run.report().perMinute() ? new RateUnit(60, "/min") : new RateUnit(1, "/s");
    }

    /** Writes a rate with its unit. */
    public String calls(double perSecond) {
        return Numbers.brief(perSecond * factor) + " calls" + symbol;
    }
}
