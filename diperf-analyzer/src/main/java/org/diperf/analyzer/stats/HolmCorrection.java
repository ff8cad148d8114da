package org.diperf.analyzer.stats;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Corrects for many tests at once: the chance that any of them is wrong stays below the level, however they depend on one
 * another (Holm, <i>A Simple Sequentially Rejective Multiple Test Procedure</i>, 1979).
 */
public final class HolmCorrection {

    private HolmCorrection() {}

    /** Returns the adjusted p of each; {@code NaN} was no test and stays. */
    public static double[] adjusted(double[] p) {
        List<Integer> order = IntStream.range(0, p.length)
                .filter(i -> !Double.isNaN(p[i]))
                .boxed()
                .sorted(Comparator.comparingDouble(i -> p[i]))
                .toList();
        double[] adjusted = p.clone();
        double least = 0;
        for (int rank = 0; rank < order.size(); rank++) {
            int at = order.get(rank);
            least = Math.max(least, Math.min(1, p[at] * (order.size() - rank)));
            adjusted[at] = least;
        }
        return adjusted;
    }
}
