package org.diperf.analyzer.compare;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Comparisons of two samples that look only at which value is larger. Values must be independent of one another: batches,
 * clients or runs, never calls.
 *
 * <p>Sources: Mann and Whitney, <i>On a Test of Whether one of Two Random Variables is Stochastically Larger than the
 * Other</i>, 1947; Hodges and Lehmann, <i>Estimates of Location Based on Rank Tests</i>, 1963; Cliff, <i>Dominance
 * Statistics</i>, 1993.
 */
final class RankStatistics {

    private static final int LARGEST_EXACT = 30;
    private static final NormalDistribution NORMAL = new NormalDistribution();

    private RankStatistics() {}

    /**
     * Returns the two-sided p of Mann and Whitney's U: exact for up to 30 values a side without ties, by the normal
     * approximation with correction for ties and continuity otherwise; {@code NaN} where a side is empty.
     */
    static double mannWhitney(double[] a, double[] b) {
        int n = a.length;
        int m = b.length;
        if (n == 0 || m == 0) {
            return Double.NaN;
        }
        double[] all = Arrays.copyOf(a, n + m);
        System.arraycopy(b, 0, all, n, m);
        Integer[] order = IntStream.range(0, n + m).boxed().toArray(Integer[]::new);
        Arrays.sort(order, (i, j) -> Double.compare(all[i], all[j]));
        double rankSum = 0;
        double ties = 0;
        for (int i = 0; i < order.length; ) {
            int end = i + 1;
            while (end < order.length && all[order[end]] == all[order[i]]) {
                end++;
            }
            double rank = (i + 1 + end) / 2.0;
            for (int j = i; j < end; j++) {
                rankSum += order[j] < n ? rank : 0;
            }
            double tied = end - i;
            ties += tied * tied * tied - tied;
            i = end;
        }
        double u = rankSum - n * (n + 1) / 2.0;
        if (ties == 0 && n <= LARGEST_EXACT && m <= LARGEST_EXACT) {
            return exact((int) Math.min(u, (double) n * m - u), n, m);
        }
        double total = n + m;
        double variance = n * (double) m / 12 * (total + 1 - ties / (total * (total - 1)));
        if (variance <= 0) {
            return 1;
        }
        double off = Math.max(0, Math.abs(u - n * (double) m / 2) - 0.5);
        return Math.min(1, 2 * NORMAL.cumulativeProbability(-off / Math.sqrt(variance)));
    }

    /** Sums up the chances of all U up to the smaller one, on both sides. */
    private static double exact(int least, int n, int m) {
        // ways[j][u] counts the orders of i values of one side and j of the other with this U, for i growing.
        double[][] ways = new double[m + 1][n * m + 1];
        for (double[] row : ways) {
            row[0] = 1;
        }
        for (int i = 1; i <= n; i++) {
            double[][] next = new double[m + 1][n * m + 1];
            next[0][0] = 1;
            for (int j = 1; j <= m; j++) {
                for (int u = 0; u <= i * j; u++) {
                    // The largest value is of the first side, above all j of the other, or of the other side.
                    next[j][u] = (u >= j ? ways[j][u - j] : 0) + next[j - 1][u];
                }
            }
            ways = next;
        }
        double tail = 0;
        double total = 0;
        for (int u = 0; u <= n * m; u++) {
            total += ways[m][u];
            tail += u <= least ? ways[m][u] : 0;
        }
        return Math.min(1, 2 * tail / total);
    }

    /** Returns the median of all differences b - a: by how much b is shifted; {@code NaN} where a side is empty. */
    static double hodgesLehmann(double[] a, double[] b) {
        double[] differences = new double[a.length * b.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < b.length; j++) {
                differences[i * b.length + j] = b[j] - a[i];
            }
        }
        Arrays.sort(differences);
        int n = differences.length;
        return n == 0 ? Double.NaN : (differences[(n - 1) / 2] + differences[n / 2]) / 2;
    }

    /** Returns the share of pairs in which b is larger less the share in which a is: from -1 to 1. */
    static double cliffsDelta(double[] a, double[] b) {
        long larger = 0;
        for (double x : a) {
            for (double y : b) {
                larger += Double.compare(y, x);
            }
        }
        return a.length == 0 || b.length == 0 ? Double.NaN : larger / ((double) a.length * b.length);
    }
}
