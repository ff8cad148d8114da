package org.diperf.plugins.lib.forecast;

import org.jspecify.annotations.Nullable;

/**
 * Forecasts one series by the battery, with an interval from how far its forecasts were off. Each forecast stands before the value
 * that scores it. Confined to its owner; nothing grows.
 */
public final class Forecaster {

    private final Battery battery;
    private final Interval interval = new Interval();

    /**
     * What is forecast of the next value.
     *
     * @param bounds in which it lies in nine cases of ten; {@code null} while too little is known, before the 20th value
     * @param method the predictor that made the forecast
     */
    public record Standing(double value, Interval.@Nullable Bounds bounds, String method) {}

    public Forecaster(Battery.Kind kind) {
        battery = new Battery(kind);
    }

    /** Returns the forecast of the next value; {@code null} before the first value. */
    public @Nullable Standing standing() {
        double value = battery.forecast(true);
        return Double.isNaN(value) ? null : new Standing(value, interval.about(value), battery.method(true));
    }

    /** Scores the forecast that stood, and learns the value. */
    public void take(double value) {
        double stood = battery.forecast(true);
        if (!Double.isNaN(stood)) {
            interval.add(value - stood);
        }
        battery.take(value);
    }

    /** Returns the root of the mean square error of all forecasts so far; 0 before the second value. */
    public double rootMeanSquareError() {
        return Math.sqrt(battery.error(true));
    }
}
