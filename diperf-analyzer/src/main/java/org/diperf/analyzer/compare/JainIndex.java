package org.diperf.analyzer.compare;

import java.util.random.RandomGenerator;
import org.diperf.analyzer.stats.FairnessStatistics;

/** How evenly clients were served, by Jain's index, and how much that rests on which clients there were. */
final class JainIndex {

    private JainIndex() {}

    /** Returns the index; {@code NaN} for less than two clients, and where none had anything. */
    static double index(long[] shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return shares.length < 2 || sum == 0 ? Double.NaN : FairnessStatistics.jain(shares.length, sum, squares);
    }

    /** Returns the index over as many clients, drawn with replacement. */
    static double drawn(long[] shares, RandomGenerator random) {
        if (shares.length < 2) {
            return Double.NaN;
        }
        long[] drawn = new long[shares.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = shares[random.nextInt(drawn.length)];
        }
        return index(drawn);
    }

    /** Returns by which share of the mean each client is off it; empty where {@link #index} is not known. */
    static double[] deviations(long[] shares) {
        double mean = 0;
        for (long share : shares) {
            mean += share / (double) shares.length;
        }
        if (Double.isNaN(index(shares))) {
            return new double[0];
        }
        double[] off = new double[shares.length];
        for (int i = 0; i < off.length; i++) {
            off[i] = Math.abs(shares[i] / mean - 1);
        }
        return off;
    }
}
