package org.diperf.analyzer.compare;

import java.util.random.RandomGenerator;

/**
 * How evenly clients were served: (sum x)^2 / (n sum x^2), from 1/n to 1 (Jain, Chiu and Hawe, <i>A Quantitative Measure of
 * Fairness and Discrimination</i>, DEC TR-301, 1984).
 */
final class Jain {

    private Jain() {}

    /** Gives the index; {@code NaN} for less than two clients, and where none had anything. */
    static double index(long[] shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return shares.length < 2 || sum == 0 ? Double.NaN : sum * sum / (shares.length * squares);
    }

    /** Gives the index over as many clients, drawn with replacement. */
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

    /** Gives by which share of the mean each client is off it; empty where {@link #index} is not known. */
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
