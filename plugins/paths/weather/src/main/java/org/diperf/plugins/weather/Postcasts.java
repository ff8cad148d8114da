package org.diperf.plugins.weather;

import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.lib.forecast.Battery;

/** What NWS's forecasters would have said before each value of a series. */
final class Postcasts {

    /**
     * Of one value, as NWS's {@code nws_extract} has them.
     *
     * @param absolute forecast by the predictor with the least mean absolute error; NaN before the first value
     * @param absoluteError mean absolute error of these forecasts up to this value
     * @param square forecast by the predictor with the least mean square error
     * @param squareError root of the mean square error of these forecasts up to this value
     */
    record Postcast(Measurement measured, double absolute, double absoluteError, double square, double squareError) {}

    private final Battery battery = new Battery(Battery.Kind.FIXED);
    private final List<Postcast> all = new ArrayList<>();

    /** @param measured the oldest first */
    Postcasts(List<Measurement> measured) {
        for (Measurement each : measured) {
            double absolute = battery.forecast(false);
            double square = battery.forecast(true);
            battery.take(each.value());
            all.add(new Postcast(each, absolute, battery.error(false), square, Math.sqrt(battery.error(true))));
        }
    }

    List<Postcast> all() {
        return List.copyOf(all);
    }

    /** Returns the forecast of the next value. */
    double next(boolean squared) {
        return battery.forecast(squared);
    }

    String method(boolean squared) {
        return battery.method(squared);
    }
}
