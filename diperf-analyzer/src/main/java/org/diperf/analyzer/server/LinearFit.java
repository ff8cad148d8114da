package org.diperf.analyzer.server;

import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * A straight line through points that follow one another in time: y = base + perUnit x, by least squares, with an interval
 * that allows for neighbours that are alike. It is the wider one of two: that of Newey and West with Bartlett's weights over S
 * = 1.3 sqrt(n) lags and the critical value of Kiefer and Vogelsang (Econometric Theory 21, 2005) for the share b = S / n, as
 * Lazarus, Lewis, Stock and Watson recommend (J. Business and Economic Statistics 36, 2018); and Student's with as many points as
 * there would be if a point had nothing of the one before, n (1 - r) / (1 + r) with r their correlation, raised by (1 + 4 r) / n for
 * its bias. The first alone is too narrow along a ramp.
 *
 * @param perUnit what one more of x adds to y
 * @param low lower end of the 95 % interval of it
 * @param high upper end
 * @param base y at x = 0
 * @param points that the line was laid through
 */
public record LinearFit(double perUnit, double low, double high, double base, int points) {

    /** With fewer points nothing is said. */
    static final int MIN_POINTS = 8;

    /** The highest x must be higher than the lowest by this part of their mean: else there is no line to be seen. */
    private static final double MIN_RANGE = 0.3;

    private static final double MAX_ALIKE = 0.97;

    /**
     * Lays a line.
     *
     * @return {@code null} where there are too few points, or x is too much the same
     */
    static @Nullable LinearFit of(double[] x, double[] y) {
        int n = x.length;
        if (n < MIN_POINTS) {
            return null;
        }
        double meanX = mean(x);
        double meanY = mean(y);
        double min = x[0];
        double max = x[0];
        double squares = 0;
        double products = 0;
        for (int i = 0; i < n; i++) {
            min = Math.min(min, x[i]);
            max = Math.max(max, x[i]);
            squares += (x[i] - meanX) * (x[i] - meanX);
            products += (x[i] - meanX) * (y[i] - meanY);
        }
        if (meanX <= 0 || max - min < MIN_RANGE * meanX) {
            return null;
        }
        double slope = products / squares;
        double base = meanY - slope * meanX;
        double[] scores = new double[n];
        double[] rests = new double[n];
        for (int i = 0; i < n; i++) {
            rests[i] = y[i] - base - slope * x[i];
            scores[i] = (x[i] - meanX) * rests[i];
        }
        double half = Math.max(
                criticalValue(n) * Math.sqrt(longRunSum(scores) * n / (n - 2)) / squares,
                student(rests, 2) / Math.sqrt(squares));
        return new LinearFit(slope, slope - half, slope + half, base, n);
    }

    /**
     * Returns the ratio of the sums of y and x with its interval, for points whose x is much the same: a line through the origin.
     *
     * @return {@code null} where there are too few points or no x
     */
    static @Nullable LinearFit ratio(double[] x, double[] y) {
        int n = x.length;
        double sum = mean(x) * n;
        if (n < MIN_POINTS || sum <= 0) {
            return null;
        }
        double ratio = mean(y) * n / sum;
        double[] scores = new double[n];
        for (int i = 0; i < n; i++) {
            scores[i] = y[i] - ratio * x[i];
        }
        double half = Math.max(
                criticalValue(n) * Math.sqrt(longRunSum(scores) * n / (n - 1)) / sum,
                student(scores, 1) * Math.sqrt(n) / sum);
        return new LinearFit(ratio, ratio - half, ratio + half, 0, n);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return values.length == 0 ? 0 : sum / values.length;
    }

    /** Returns Student's value times the deviation of what is left over, widened for neighbours that are alike. */
    private static double student(double[] rests, int parameters) {
        int n = rests.length;
        double squares = 0;
        double products = 0;
        for (int i = 0; i < n; i++) {
            squares += rests[i] * rests[i];
            products += i == 0 ? 0 : rests[i] * rests[i - 1];
        }
        double seen = squares == 0 ? 0 : Math.max(0, products / squares);
        double alike = Math.min(MAX_ALIKE, seen + (1 + 4 * seen) / n);
        double factor = (1 + alike) / (1 - alike);
        double freedom = Math.max(2, n / factor - parameters + 0.5);
        double value = new TDistribution(freedom).inverseCumulativeProbability(0.975);
        return value * Math.sqrt(squares / (n - parameters) * factor);
    }

    private static int lags(int n) {
        return Math.min(n - 1, (int) Math.ceil(1.3 * Math.sqrt(n)));
    }

    /** Estimates the variance of the sum of the scores. */
    private static double longRunSum(double[] scores) {
        int n = scores.length;
        int lags = lags(n);
        double sum = 0;
        for (int lag = 0; lag < lags; lag++) {
            double products = 0;
            for (int i = lag; i < n; i++) {
                products += scores[i] * scores[i - lag];
            }
            sum += (lag == 0 ? 1 : 2 * (1 - (double) lag / lags)) * products;
        }
        return Math.max(0, sum);
    }

    /** Returns the two-sided 95 % value for Bartlett's weights over a fixed share of the points. */
    private static double criticalValue(int n) {
        double b = (double) lags(n) / n;
        return 1.96 + 2.9694 * b + 0.4160 * b * b - 0.5324 * b * b * b;
    }
}
