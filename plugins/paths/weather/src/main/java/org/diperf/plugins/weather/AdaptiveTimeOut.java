package org.diperf.plugins.weather;

import java.time.Duration;
import org.diperf.plugins.lib.forecast.Battery;
import org.diperf.plugins.lib.forecast.Forecaster;

/**
 * How long to wait for one thing of one peer: the forecast of how long it takes, and four times the root mean square error of the forecasts; doubled by
 * each time that it did not come, until it comes again (Allen, Wolski, Plank: Adaptive timeout discovery using the Network Weather Service,
 * 2002, whose own margin is two errors). Confined to its owner.
 */
final class AdaptiveTimeOut {

    static final Duration LEAST = Duration.ofMillis(250);
    private static final double ERRORS = 4;
    /** Of the forecast: values that do not vary have no error, and the next one has. */
    private static final double MIN_FACTOR = 1.5;

    private final Forecaster forecaster = new Forecaster(Battery.Kind.FIXED);
    private final long mostNanos;
    private int missed;

    /** @param most also the first one, while nothing is known */
    AdaptiveTimeOut(Duration most) {
        mostNanos = most.toNanos();
    }

    /** Returns how long to wait next. */
    Duration current() {
        Forecaster.Standing next = forecaster.standing();
        double nanos = mostNanos;
        if (next != null) {
            double forecast = Math.max(next.value(), 0);
            nanos = Math.max(forecast + ERRORS * forecaster.rootMeanSquareError(), MIN_FACTOR * forecast);
            nanos = Math.max(nanos, LEAST.toNanos()) * Math.pow(2, Math.min(missed, 30));
        }
        return Duration.ofNanos((long) Math.min(nanos, mostNanos));
    }

    /** Learns how long it took. */
    void took(long nanos) {
        forecaster.take(nanos);
        missed = 0;
    }

    /** Learns that it did not come. */
    void missed() {
        missed++;
    }
}
