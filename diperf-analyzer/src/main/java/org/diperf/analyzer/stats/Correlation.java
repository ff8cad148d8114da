package org.diperf.analyzer.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

/**
 * How two properties of testers go together. Intervals hold the coefficient of the population with 95 % for testers drawn
 * at random: by Fisher's transformation (R. A. Fisher, <i>On the probable error of a coefficient of correlation</i>, 1921),
 * for ranks with the standard error of Bonett and Wright (<i>Sample size requirements for estimating Pearson, Kendall and
 * Spearman correlations</i>, 2000). Fewer than four testers have none.
 *
 * @param of what, in the words of {@code summary.json}
 * @param against latency or bandwidth
 * @param testers of which both are known, at least three
 * @param spearman coefficient of the ranks: whether one rises with the other, by whatever curve
 * @param spearmanLow end of its interval; {@code NaN}: none
 * @param spearmanHigh end of its interval
 * @param pearson coefficient of the values: whether one is a straight line of the other
 * @param pearsonLow end of its interval; {@code NaN}: none
 * @param pearsonHigh end of its interval
 */
public record Correlation(
        String of,
        String against,
        int testers,
        double spearman,
        double spearmanLow,
        double spearmanHigh,
        double pearson,
        double pearsonLow,
        double pearsonHigh) {

    /** 97.5 % quantile of the normal distribution. */
    private static final double Z = 1.959963984540054;

    private static final int FEWEST = 3;

    /**
     * Correlates pairs of which both are finite.
     *
     * @return without coefficients ({@code NaN}) where there are fewer than three pairs, or one side has no variance
     */
    public static Correlation of(String of, double[] values, String against, double[] others) {
        int[] known = java.util.stream.IntStream.range(0, values.length)
                .filter(i -> Double.isFinite(values[i]) && Double.isFinite(others[i]))
                .toArray();
        double[] x = Arrays.stream(known).mapToDouble(i -> others[i]).toArray();
        double[] y = Arrays.stream(known).mapToDouble(i -> values[i]).toArray();
        int n = known.length;
        if (n < FEWEST || isFlat(x) || isFlat(y)) {
            double none = Double.NaN;
            return new Correlation(of, against, n, none, none, none, none, none, none);
        }
        double pearson = new PearsonsCorrelation().correlation(x, y);
        NaturalRanking ranking = new NaturalRanking();
        double spearman = new PearsonsCorrelation().correlation(ranking.rank(x), ranking.rank(y));
        double[] ofRanks = interval(spearman, n, Math.sqrt(1 + spearman * spearman / 2));
        double[] ofValues = interval(pearson, n, 1);
        return new Correlation(of, against, n, spearman, ofRanks[0], ofRanks[1], pearson, ofValues[0], ofValues[1]);
    }

    /** Returns whether there are coefficients. */
    public boolean isKnown() {
        return Double.isFinite(spearman);
    }

    private static boolean isFlat(double[] values) {
        return Arrays.stream(values).distinct().count() < 2;
    }

    private static double[] interval(double coefficient, int n, double inflation) {
        if (n <= FEWEST) {
            return new double[] {Double.NaN, Double.NaN};
        }
        // A coefficient of one, which few ranks soon have, would give an interval without width.
        double bounded = Math.max(-1 + 1e-9, Math.min(1 - 1e-9, coefficient));
        double middle = 0.5 * Math.log((1 + bounded) / (1 - bounded));
        double half = Z * inflation / Math.sqrt(n - 3.0);
        return new double[] {Math.tanh(middle - half), Math.tanh(middle + half)};
    }
}
