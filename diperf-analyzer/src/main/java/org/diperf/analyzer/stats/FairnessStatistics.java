package org.diperf.analyzer.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How evenly something was shared out. The intervals are percentiles over seeded resamplings of the shares (Efron, <i>Bootstrap
 * methods</i>, 1979); extremes have none, as resampling says nothing of them.
 *
 * @param deviation population standard deviation
 * @param jain Jain's index, (sum x)^2 / (n sum x^2): 1 when all are the same, 1/n when one has all
 * @param variation coefficient of variation: deviation over mean
 * @param maxToMin greatest over least; infinite where somebody had nothing
 * @param p99ToP50 of the shares; infinite where half had nothing
 * @param deviationInterval of {@code deviation}; its {@code batches} are the shares, as those of the others
 * @param jainInterval of {@code jain}
 * @param variationInterval of {@code variation}
 * @param p99ToP50Interval of {@code p99ToP50}
 */
public record FairnessStatistics(
        double deviation,
        double jain,
        double variation,
        double maxToMin,
        double p99ToP50,
        Interval deviationInterval,
        Interval jainInterval,
        Interval variationInterval,
        Interval p99ToP50Interval) {

    /** With fewer shares a resampling says too little. */
    static final int LEAST = 10;

    private static final int RESAMPLES = 1_000;
    private static final int MIN_RESAMPLES = 200;
    private static final long MAX_DRAWS = 20_000_000;

    /**
     * Looks at shares.
     *
     * @param shares at least one of them more than 0, none below
     * @param seed the same for the same intervals
     */
    public static FairnessStatistics of(double[] shares, long seed) {
        double[] sorted = shares.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        int[] once = new int[n];
        Arrays.fill(once, 1);
        double[] of = statistics(sorted, once);
        Interval[] intervals = new Interval[of.length];
        if (n < LEAST) {
            Arrays.fill(intervals, Interval.none("only " + n + " clients, but at least " + LEAST + " are required"));
        } else {
            intervals(sorted, seed, intervals);
        }
        return new FairnessStatistics(
                of[0],
                of[1],
                of[2],
                sorted[n - 1] / sorted[0],
                of[3],
                intervals[0],
                intervals[1],
                intervals[2],
                intervals[3]);
    }

    /**
     * Returns Jain's index (Jain, Chiu and Hawe, <i>A Quantitative Measure of Fairness and Discrimination</i>, DEC TR-301, 1984).
     *
     * @param n shares
     * @param sum of them, more than 0
     * @param squares sum of their squares
     */
    public static double jain(int n, double sum, double squares) {
        return sum * sum / (n * squares);
    }

    /** Returns Jain's index of shares with a coefficient of variation: 1 / (1 + variation^2). */
    public static double jain(double variation) {
        return 1 / (1 + variation * variation);
    }

    /**
     * Returns from where to where the coefficient of variation of shares can be that are known to lie within limits each: those of the
     * middles, moved by no more than the limits' half-widths, as the deviation of a sum is at most the sum of the deviations.
     *
     * @param least of each, not below 0
     * @param most of each
     * @return {@code null} where there is no limit, or all may be nothing
     */
    public static @Nullable Range variation(double[] least, double[] most) {
        int n = least.length;
        double mean = 0;
        double half = 0;
        double halfSquares = 0;
        for (int i = 0; i < n; i++) {
            mean += (least[i] + most[i]) / 2 / n;
            half += (most[i] - least[i]) / 2 / n;
            halfSquares += (most[i] - least[i]) * (most[i] - least[i]) / 4 / n;
        }
        double apart = 0;
        for (int i = 0; i < n; i++) {
            double of = (least[i] + most[i]) / 2 - mean;
            apart += of * of / n;
        }
        double deviation = Math.sqrt(apart);
        double moved = Math.sqrt(halfSquares);
        return mean - half > 0 && Double.isFinite(mean + half)
                ? new Range(Math.max(0, deviation - moved) / (mean + half), (deviation + moved) / (mean - half))
                : null;
    }

    private static void intervals(double[] sorted, long seed, Interval[] intervals) {
        int n = sorted.length;
        int resamples = (int) Math.max(MIN_RESAMPLES, Math.min(RESAMPLES, MAX_DRAWS / n));
        double[][] seen = new double[intervals.length][resamples];
        SplittableRandom random = new SplittableRandom(seed);
        int[] times = new int[n];
        for (int r = 0; r < resamples; r++) {
            Arrays.fill(times, 0);
            for (int i = 0; i < n; i++) {
                times[random.nextInt(n)]++;
            }
            double[] of = statistics(sorted, times);
            for (int s = 0; s < of.length; s++) {
                seen[s][r] = of[s];
            }
        }
        for (int s = 0; s < intervals.length; s++) {
            Arrays.sort(seen[s]);
            double low = seen[s][(int) Math.floor((1 - Interval.LEVEL) / 2 * resamples)];
            double high = seen[s][resamples - 1 - (int) Math.floor((1 - Interval.LEVEL) / 2 * resamples)];
            intervals[s] = Double.isFinite(low) && Double.isFinite(high)
                    ? Interval.of(low, high, n)
                    : Interval.none("too many clients had no ok calls");
        }
    }

    /** Returns deviation, Jain's index, variation and p99 over p50 of rising values, each so many times. */
    private static double[] statistics(double[] sorted, int[] times) {
        int n = sorted.length;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            sum += times[i] * sorted[i];
            squares += times[i] * sorted[i] * sorted[i];
        }
        double mean = sum / n;
        double apart = 0;
        double p50 = Double.NaN;
        double p99 = Double.NaN;
        long rank = 0;
        for (int i = 0; i < n; i++) {
            apart += times[i] * (sorted[i] - mean) * (sorted[i] - mean);
            rank += times[i];
            p50 = Double.isNaN(p50) && 2 * rank >= n ? sorted[i] : p50;
            p99 = Double.isNaN(p99) && 100 * rank >= 99L * n ? sorted[i] : p99;
        }
        double deviation = Math.sqrt(apart / n);
        return new double[] {deviation, jain(n, sum, squares), deviation / mean, p99 / p50};
    }
}
