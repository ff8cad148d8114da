package org.diperf.plugins.nws;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.forecast.Battery;
import org.diperf.plugins.lib.forecast.Forecaster;
import org.diperf.plugins.lib.forecast.Interval;
import org.jspecify.annotations.Nullable;

/** What is forecast of one quantity: by the battery, with an interval, each scored by the value that comes. Confined to its client. */
final class Forecasts {

    private static final double PERCENT = 100;

    private final Forecaster forecaster;
    private final Names names;

    /** The metrics of one quantity's forecasts. */
    static final class Names {

        private final Metric forecast;
        private final Metric low;
        private final Metric high;
        private final Metric error;
        private final Metric rmse;

        Names(String of, String unit) {
            forecast = new Metric(of + ".forecast", unit, "forecast in effect before this probe");
            low = new Metric(
                    of + ".low", unit, "lower end of the forecast's interval, which covers nine out of ten probes");
            high = new Metric(of + ".high", unit, "upper end of the forecast's interval");
            error = new Metric(of + ".error", "%", "error of the forecast, relative to the measured value");
            rmse = new Metric(of + ".rmse", unit, "root mean square error of all forecasts, including this one");
        }

        List<Metric> all() {
            return List.of(forecast, low, high, error, rmse);
        }
    }

    Forecasts(Battery.Kind kind, Names names) {
        this.forecaster = new Forecaster(kind);
        this.names = names;
    }

    /** Scores the forecast that stood, and learns the value; says how it went. */
    Map<Metric, Double> take(double value) {
        Map<Metric, Double> metrics = new LinkedHashMap<>();
        Forecaster.@Nullable Standing stood = forecaster.standing();
        forecaster.take(value);
        if (stood != null) {
            metrics.put(names.forecast, stood.value());
            Interval.@Nullable Bounds bounds = stood.bounds();
            if (bounds != null) {
                metrics.put(names.low, bounds.low());
                metrics.put(names.high, bounds.high());
            }
            if (value != 0) {
                metrics.put(names.error, PERCENT * Math.abs(stood.value() - value) / Math.abs(value));
            }
            metrics.put(names.rmse, forecaster.rootMeanSquareError());
        }
        return metrics;
    }
}
