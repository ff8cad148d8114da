package org.diperf.plugins.lib.forecast;

import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.lib.forecast.Predictor.Adapting;

/**
 * The forecasters of the Network Weather Service over one series: 18 primary predictors; 16 derived ones, each of which takes the
 * primary with the least error over all or over the latest values, by mean square or mean absolute error; and two totals, which
 * take the derived one with the least error of its own. With each value all are first scored by the forecasts that stood, then they
 * learn it.
 *
 * <p>Source: NWS 2, {@code forecasters.c}, {@code median.c}, {@code exp_smooth.c}, {@code mse_forc.c}, {@code forc.c} and {@code
 * fbuff.c}. {@link Kind#NWS} follows them also where they are not what they meant: a smoothing predictor forecasts 0 before the first
 * value; the adaptive medians compare with other windows than they meant; 98 sums of errors are kept where 100 are wanted, so that
 * windows reach back 97 values at most; and the totals divide a sum of all errors by at most 98. {@link Kind#FIXED} does what was meant.
 * In both the total by absolute error has no forecast before the first value, where the source reads memory that nobody wrote.
 *
 * <p>Confined to its owner; a value costs a few microseconds, and nothing grows.
 */
public final class Battery {

    /** Whether the source is followed to the letter. */
    public enum Kind {
        NWS,
        FIXED
    }

    static final int PRIMARIES = 18;
    static final int DERIVED = 16;

    private static final double[] GAINS = {0.05, 0.10, 0.15, 0.20, 0.30, 0.40, 0.50, 0.75};
    private static final int[] WINDOWS = {1, 5, 10, 20, 30, 50, 100};
    private static final int KEPT_BY_NWS = 98;

    private final boolean published;
    private final List<Predictor> primaries;
    private final List<Derived> derived = new ArrayList<>();
    private final Errors[] errors = new Errors[PRIMARIES];
    private final double[] standing = new double[PRIMARIES];
    private final Total bySquare = new Total(true);
    private final Total byAbsolute = new Total(false);
    private double last;
    private boolean any;

    public Battery(Kind kind) {
        published = kind == Kind.NWS;
        primaries = primaries(published);
        int kept = published ? KEPT_BY_NWS : 1 + WINDOWS[WINDOWS.length - 1];
        for (int i = 0; i < PRIMARIES; i++) {
            errors[i] = new Errors(kept);
        }
        derived.add(new Derived(0, true, kept));
        derived.add(new Derived(0, false, kept));
        for (boolean squared : new boolean[] {true, false}) {
            for (int window : WINDOWS) {
                derived.add(new Derived(window, squared, kept));
            }
        }
        foresee();
    }

    private static List<Predictor> primaries(boolean published) {
        List<Predictor> all = new ArrayList<>(List.of(Predictor.lastValue(), Predictor.runningMean()));
        for (double gain : GAINS) {
            all.add(Predictor.smoothing(gain, published ? 0 : Double.NaN));
        }
        all.add(Predictor.median(31));
        all.add(Predictor.median(5));
        all.add(Predictor.trimmedMean(31, 0));
        all.add(Predictor.trimmedMean(5, 0));
        all.add(Predictor.trimmedMean(31, 0.30));
        all.add(Predictor.trimmedMean(51, 0.30));
        Adapting adapting = published ? Adapting.AS_PUBLISHED : Adapting.AS_MEANT;
        all.add(Predictor.adaptiveMedian(10, 5, 21, 1, adapting));
        all.add(Predictor.adaptiveMedian(30, 21, 51, 5, adapting));
        return List.copyOf(all);
    }

    /** The primary that was best so far. */
    private final class Derived {

        private final int window;
        private final boolean squared;
        private final Errors own;
        private double forecast = Double.NaN;
        private int method;

        Derived(int window, boolean squared, int kept) {
            this.window = window;
            this.squared = squared;
            this.own = new Errors(kept);
        }

        void choose() {
            int best = 0;
            double least = Double.MAX_VALUE;
            int reach = window;
            for (int i = 0; i < PRIMARIES; i++) {
                Errors of = errors[i];
                if (of.count() == 0) {
                    continue;
                }
                int wanted = Math.min(published ? reach : window, of.kept() - 1);
                // As published, one with a short past shortens it for all that follow.
                reach = wanted;
                double mean = wanted == 0 ? of.sum(squared) / of.count() : of.latest(squared, wanted) / wanted;
                if (mean < least) {
                    best = i;
                    least = mean;
                }
            }
            method = best;
            forecast = standing[best];
        }
    }

    /** The derived one that was best so far. */
    private final class Total {

        private final boolean squared;
        private final Errors own = new Errors(1);
        private double forecast = Double.NaN;
        private int method;

        Total(boolean squared) {
            this.squared = squared;
        }

        void choose() {
            if (!any) {
                return;
            }
            Derived best = derived.get(0);
            double least = Double.MAX_VALUE;
            for (Derived each : derived) {
                long count = published ? each.own.kept() : each.own.count();
                double mean = count == 0 ? Double.MAX_VALUE : each.own.sum(squared) / count;
                if (mean < least) {
                    best = each;
                    least = mean;
                }
            }
            forecast = Double.isNaN(best.forecast) ? last : best.forecast;
            method = best.method;
        }
    }

    /** Scores the forecasts that stand by the next value of the series, learns it, and foresees the one after it. */
    public void take(double value) {
        score(bySquare.own, bySquare.forecast, value);
        score(byAbsolute.own, byAbsolute.forecast, value);
        if (any) {
            for (Derived each : derived) {
                score(each.own, each.forecast, value);
            }
        }
        for (int i = 0; i < PRIMARIES; i++) {
            score(errors[i], standing[i], value);
            primaries.get(i).take(value);
        }
        last = value;
        any = true;
        foresee();
    }

    private static void score(Errors of, double forecast, double value) {
        if (!Double.isNaN(forecast)) {
            of.add(forecast - value);
        }
    }

    private void foresee() {
        for (int i = 0; i < PRIMARIES; i++) {
            standing[i] = primaries.get(i).forecast();
        }
        for (Derived each : derived) {
            each.choose();
        }
        bySquare.choose();
        byAbsolute.choose();
    }

    /**
     * Returns the forecast of the total.
     *
     * @param squared whether the one by mean square error, else by mean absolute error
     * @return {@link Double#NaN} before the first value
     */
    public double forecast(boolean squared) {
        return squared ? bySquare.forecast : byAbsolute.forecast;
    }

    /** Names the primary predictor that made the forecast. */
    public String method(boolean squared) {
        return primaries.get(squared ? bySquare.method : byAbsolute.method).name();
    }

    /** Returns the mean error of a total's forecasts so far: squared for the one by squares, else absolute; 0 before the second value. */
    public double error(boolean squared) {
        return (squared ? bySquare : byAbsolute).own.mean(squared);
    }

    /** Returns the mean error of a primary predictor's forecasts. */
    double primaryError(int primary, boolean squared) {
        return errors[primary].mean(squared);
    }

    /** Returns the forecast that a primary predictor stands by. */
    double primaryForecast(int primary) {
        return standing[primary];
    }

    /** Returns the forecast that a derived one stands by. */
    double derivedForecast(int number) {
        return derived.get(number).forecast;
    }
}
