package org.diperf.analyzer.grid;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.jspecify.annotations.Nullable;

/**
 * A number over the trials of a point.
 *
 * @param n trials that measured it
 * @param median of them
 * @param q1 lower quartile, interpolated as R's type 7
 * @param q3 upper quartile
 * @param mean of them
 * @param low lower end of the interval that holds the mean for 95 % of such sets of trials, by Student's t; {@code null} below
 *     {@link #MIN_TRIALS}
 * @param high its upper end
 */
public record Spread(
        int n,
        double median,
        double q1,
        double q3,
        double mean,
        @Nullable Double low,
        @Nullable Double high) {

    /** Of fewer trials no interval is given: it would be wider than anybody could use. */
    public static final int MIN_TRIALS = 3;

    private static final double TAIL = 0.975;

    /** Returns that of some values, {@code null} where there are none; those that are not finite do not count. */
    public static @Nullable Spread of(DoubleStream values) {
        double[] sorted = values.filter(Double::isFinite).sorted().toArray();
        int n = sorted.length;
        if (n == 0) {
            return null;
        }
        double mean = mean(sorted);
        Double low = null;
        Double high = null;
        if (n >= MIN_TRIALS) {
            double half = new TDistribution(n - 1).inverseCumulativeProbability(TAIL) * Math.sqrt(variance(sorted) / n);
            // Nothing that is measured of a grid can be below zero.
            low = sorted[0] >= 0 ? Math.max(0, mean - half) : mean - half;
            high = mean + half;
        }
        Percentile percentile = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
        percentile.setData(sorted);
        return new Spread(
                n, percentile.evaluate(50), percentile.evaluate(25), percentile.evaluate(75), mean, low, high);
    }

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    /** Returns the unbiased variance; of one value 0. */
    static double variance(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return values.length < 2 ? 0 : squares / (values.length - 1);
    }
}
