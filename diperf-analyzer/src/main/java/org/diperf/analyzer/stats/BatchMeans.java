package org.diperf.analyzer.stats;

import org.apache.commons.math3.distribution.TDistribution;

/**
 * Confidence intervals of ratios such as a mean (sum of times over count of calls) or a rate (count over seconds) from sums
 * over equal stretches of time, by non-overlapping batch means (Law and Carson, <i>A sequential procedure for determining the
 * length of a steady-state simulation</i>, 1979; ratio estimator: Cochran, <i>Sampling Techniques</i>, §6).
 *
 * <p>Stretches are joined to batches until the lag-1 autocorrelation of the batches' residuals is below 0.1, and twice more
 * while 30 batches remain, as that estimate scatters too. Student's t has as many degrees of freedom as batches, less one.
 */
public final class BatchMeans {

    /** No interval of a mean rests on fewer. */
    public static final int MIN_BATCHES = 30;

    /** From this lag-1 autocorrelation on batches are too short. */
    public static final double CORRELATED = 0.1;

    /** One-sided 5 % point of the normal distribution: what chance alone adds to an estimate. */
    private static final double CHANCE = 1.645;

    private static final int MIN_CALLS = 10;

    static final String STILL_CORRELATED =
            "neighbouring batches are still correlated: the measured part is too short, or not steady";

    /** Below, nothing is said of how values scatter. */
    static final int FEWEST_CALLS = 10;

    private static final int COARSE_BATCHES = 10;
    private static final double MAX_CORRELATION = 0.8;
    private static final double ROUNDING = 1e-12;

    private BatchMeans() {}

    /**
     * Returns the interval of {@code sum(above) / sum(below)}.
     *
     * @param above of each of equally long stretches, in the order of time, not negative
     * @param below of the same
     * @param calls in all of them: a batch has at least ten
     */
    public static Interval ratio(double[] above, double[] below, long calls) {
        int cells = above.length;
        double all = sum(below);
        double ratio = sum(above) / all;
        if (!(all > 0) || calls < FEWEST_CALLS) {
            return Interval.none(fewCalls(calls));
        }
        double[] residuals = new double[cells];
        for (int i = 0; i < cells; i++) {
            residuals[i] = above[i] - ratio * below[i];
        }
        if (calls < (long) MIN_CALLS * MIN_BATCHES) {
            return coarse(ratio, residuals, all, fewCalls(calls));
        }
        int independent = 0;
        for (int k = cells; k >= MIN_BATCHES && independent == 0; k = fewer(k)) {
            if (calls >= (long) MIN_CALLS * k && autocorrelation(joined(residuals, k)) < CORRELATED) {
                independent = k;
            }
        }
        for (int k = grown(independent); independent > 0 && k >= MIN_BATCHES; k = fewer(k)) {
            double[] batches = joined(residuals, k);
            if (autocorrelation(batches) < CORRELATED + CHANCE / Math.sqrt(k)) {
                double half = studentT(k - 1) * deviation(batches) / all;
                return Interval.of(ratio - half, ratio + half, k);
            }
        }
        return coarse(ratio, residuals, all, STILL_CORRELATED);
    }

    private static String fewCalls(long calls) {
        return "only " + calls + " calls, but at least " + MIN_CALLS * MIN_BATCHES + " are required";
    }

    private static Interval coarse(double ratio, double[] residuals, double all, String reason) {
        double half = coarseHalf(residuals) / all;
        // What is left of equal values by rounding.
        half = half < ROUNDING * ratio ? 0 : half;
        return Interval.coarse(Math.max(0, ratio - half), ratio + half, reason);
    }

    /**
     * Returns half the width of the coarse bounds on a sum of residuals: ten batches without their linear trend, which a run that is
     * repeated has again, and as much wider as values with their lag-1 autocorrelation scatter more than independent ones (an
     * autoregressive process of first order: Box and Jenkins, <i>Time Series Analysis</i>).
     */
    static double coarseHalf(double[] residuals) {
        double[] batches = withoutTrend(joined(residuals, COARSE_BATCHES));
        double correlation = Math.min(MAX_CORRELATION, Math.max(0, autocorrelation(batches)));
        return studentT(COARSE_BATCHES - 2)
                * deviation(batches)
                * Math.sqrt((COARSE_BATCHES - 1.0) / (COARSE_BATCHES - 2))
                * Math.sqrt((1 + correlation) / (1 - correlation));
    }

    private static double[] withoutTrend(double[] values) {
        int n = values.length;
        double middle = (n - 1) / 2.0;
        double mean = sum(values) / n;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            products += (i - middle) * (values[i] - mean);
            squares += (i - middle) * (i - middle);
        }
        double[] rest = new double[n];
        for (int i = 0; i < n; i++) {
            rest[i] = values[i] - mean - products / squares * (i - middle);
        }
        return rest;
    }

    /** Joins twice more while enough batches remain. */
    private static int grown(int batches) {
        int k = batches;
        for (int i = 0; i < 2 && k / 2 >= MIN_BATCHES && k % 2 == 0; i++) {
            k /= 2;
        }
        return k;
    }

    private static int fewer(int batches) {
        return batches % 2 == 0 ? batches / 2 : 0;
    }

    /** Sums neighbours so that so many are left. */
    static double[] joined(double[] values, int batches) {
        double[] joined = new double[batches];
        int each = values.length / batches;
        for (int i = 0; i < batches * each; i++) {
            joined[i / each] += values[i];
        }
        return joined;
    }

    /** Returns the standard deviation of the sum of residuals, whose mean is 0. */
    static double deviation(double[] residuals) {
        double squares = 0;
        for (double residual : residuals) {
            squares += residual * residual;
        }
        int k = residuals.length;
        return Math.sqrt(squares * k / (k - 1));
    }

    /** Returns the lag-1 autocorrelation; 0 of values that are all the same. */
    public static double autocorrelation(double[] values) {
        double mean = sum(values) / values.length;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            squares += (values[i] - mean) * (values[i] - mean);
            products += i == 0 ? 0 : (values[i] - mean) * (values[i - 1] - mean);
        }
        return squares == 0 ? 0 : products / squares;
    }

    /** Returns whether neighbours are correlated beyond what chance gives. */
    static boolean isCorrelated(double[] batches) {
        return autocorrelation(batches) >= CORRELATED + CHANCE / Math.sqrt(batches.length);
    }

    /** Returns Student's t of a two-sided interval of {@link Interval#LEVEL}. */
    static double studentT(int degrees) {
        return new TDistribution(degrees).inverseCumulativeProbability(1 - (1 - Interval.LEVEL) / 2);
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
