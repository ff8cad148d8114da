package org.diperf.analyzer.stats;

import java.util.Arrays;

/**
 * From when on a series is steady, by MSER-5 (White, Cobb and Spratt, <i>A comparison of five steady-state truncation
 * heuristics for simulation</i>, 2000): the cut is where the standard error of the mean of what follows it is least. Where
 * that is in the second half, there is no steady state.
 *
 * <p>With few or correlated batches the least is often somewhere by chance: a cut that is no better than chance is none.
 * Batches are of equal time with at least five calls on average, not of five calls. A batch that lies further from the
 * median than five times the deviation is taken as if it lay there, or one stall would count as a warm-up. What moves the mean of all by
 * less than a hundredth is no warm-up either, however certain it is.
 *
 * @param state what was found
 * @param fromNanos from when on it is steady; of no meaning unless {@link State#STEADY}
 */
public record SteadyState(State state, long fromNanos) {

    /** What can be found. */
    public enum State {
        /** Steady from some instant in the first half on. */
        STEADY,
        /** Not steady, or not for long enough to be told. */
        NONE,
        /** Too few calls to tell. */
        UNKNOWN
    }

    private static final int[] BATCHES = {192, 160, 120, 96, 80, 64, 60};
    private static final int CALLS = 5;
    /** Cuts that leave less than this part are not looked at: few batches are close together by chance. */
    private static final int MIN_LEFT = 4;

    private static final double BEYOND_CHANCE = 3;
    /** The part of the mean by which a warm-up must move it. */
    private static final double MATTERS = 0.01;

    private static final double MAX_CORRELATED = 0.9;
    private static final double FAR = 5;
    /** Makes a median of absolute deviations a standard deviation, for the normal distribution. */
    private static final double NORMAL = 1.4826;

    /** Judges response times and rate of a stretch: both must be steady. */
    public static SteadyState of(BatchSeries stretch) {
        int batches = 0;
        for (int i = 0; i < BATCHES.length && batches == 0; i++) {
            batches = stretch.calls() >= (long) CALLS * BATCHES[i] ? BATCHES[i] : 0;
        }
        if (batches == 0) {
            return new SteadyState(State.UNKNOWN, stretch.fromNanos());
        }
        int response = cut(means(stretch, batches));
        int rate = cut(BatchMeans.joined(stretch.ended(), batches));
        if (response < 0 || rate < 0) {
            return new SteadyState(State.NONE, stretch.fromNanos());
        }
        long width = (stretch.toNanos() - stretch.fromNanos()) / batches;
        return new SteadyState(State.STEADY, stretch.fromNanos() + Math.max(response, rate) * width);
    }

    /** A part without calls is as the one before it: nothing is known of it. */
    private static double[] means(BatchSeries stretch, int batches) {
        double[] means = stretch.means(batches);
        double last = Arrays.stream(means)
                .filter(mean -> !Double.isNaN(mean))
                .findFirst()
                .orElse(0);
        for (int i = 0; i < means.length; i++) {
            last = Double.isNaN(means[i]) ? last : means[i];
            means[i] = last;
        }
        return means;
    }

    /** Finds how many values to leave out at the start; -1: there is no steady state. */
    public static int cut(double[] values) {
        int n = values.length;
        double[] of = tamed(values);
        double sum = 0;
        double squares = 0;
        double least = Double.POSITIVE_INFINITY;
        int best = 0;
        for (int d = n - 1; d >= 0; d--) {
            sum += of[d];
            squares += of[d] * of[d];
            int left = n - d;
            double error = Math.max(0, squares - sum * sum / left) / left / left;
            if (MIN_LEFT * left >= n && error <= least) {
                least = error;
                best = d;
            }
        }
        if (best == 0 || !differ(of, best) || !matters(values, best)) {
            return 0;
        }
        return best > n / 2 ? -1 : best;
    }

    /**
     * Returns whether what is before a cut has another mean than what follows, beyond chance: more than three standard errors, as
     * the scatter and the lag-1 autocorrelation of what follows have it.
     */
    private static boolean differ(double[] values, int cut) {
        double[] after = Arrays.copyOfRange(values, cut, values.length);
        double mean = Arrays.stream(after).average().orElse(0);
        double before = Arrays.stream(values, 0, cut).average().orElse(0);
        double squares = Arrays.stream(after)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        double correlation = Math.max(0, Math.min(MAX_CORRELATED, BatchMeans.autocorrelation(after)));
        double variance = squares / (after.length - 1) * (1 + correlation) / (1 - correlation);
        return Math.abs(before - mean) > BEYOND_CHANCE * Math.sqrt(variance * (1.0 / cut + 1.0 / after.length));
    }

    /** Returns whether what is before a cut moves the mean of all, by medians because one stall does not count. */
    private static boolean matters(double[] values, int cut) {
        double before = median(Arrays.copyOf(values, cut));
        double after = median(Arrays.copyOfRange(values, cut, values.length));
        return Math.abs(before - after) * cut / values.length > MATTERS * Math.abs(after);
    }

    /** Moves values to around 0, and those far away nearer. */
    private static double[] tamed(double[] values) {
        double middle = median(values);
        double[] apart = Arrays.stream(values).map(value -> value - middle).toArray();
        double far = FAR * NORMAL * median(Arrays.stream(apart).map(Math::abs).toArray());
        return far == 0
                ? apart
                : Arrays.stream(apart)
                        .map(value -> Math.max(-far, Math.min(far, value)))
                        .toArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n == 0 ? 0 : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }
}
