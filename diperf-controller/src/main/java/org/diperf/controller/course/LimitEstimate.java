package org.diperf.controller.course;

import java.util.Arrays;

/**
 * Where a service's limit lies, by the outcomes of probes, which scatter: a probe at a value {@code v} holds with the probability
 * {@code 1 / (1 + (v / limit)^(1 / s))}, half the time at the limit. Neither the limit nor {@code s}, the scatter of a probe as a share
 * of the limit, is known: each may be anything, evenly over its logarithm, and every outcome weighs them by how likely they made it (Watson and
 * Pelli, <i>QUEST: A Bayesian Adaptive Psychometric Method</i>, 1983). A share of outcomes is wrong whatever the value, so that no
 * single one decides (Wichmann and Hill, <i>The Psychometric Function</i>, 2001). Confined to the run's thread.
 */
final class LimitEstimate {

    private static final double WRONG = 0.01;
    private static final double[] SCATTERS = {0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32};
    private static final double STEP = 0.002;
    /** The limit may lie outside of what is tried, up to twice as high or half as low. */
    private static final double MARGIN = Math.log(2);

    private final double lowest;
    private final double[][] weights;
    private boolean open = true;

    /** Takes a limit from half the lowest value to twice the highest for possible; both are more than 0. */
    LimitEstimate(double from, double to) {
        lowest = Math.log(from) - MARGIN;
        weights = new double[SCATTERS.length][(int) Math.ceil((Math.log(to) + MARGIN - lowest) / STEP)];
        for (double[] limits : weights) {
            Arrays.fill(limits, 1);
        }
    }

    /** Takes in what became of a probe. */
    void add(double value, boolean holds) {
        open &= holds;
        double at = Math.log(value) - lowest;
        for (int s = 0; s < SCATTERS.length; s++) {
            for (int i = 0; i < weights[s].length; i++) {
                double odds = Math.exp((at - (i + 0.5) * STEP) / SCATTERS[s]);
                double likely = holds ? 1 / (1 + odds) : 1 - 1 / (1 + odds);
                weights[s][i] *= WRONG + (1 - 2 * WRONG) * likely;
            }
        }
    }

    /** Returns whether all held, so that nothing is known of how high the limit may be. */
    boolean isOpen() {
        return open;
    }

    /** Returns the value below which the limit lies with this probability. */
    double quantile(double probability) {
        int steps = weights[0].length;
        double[] below = new double[steps + 1];
        for (int i = 0; i < steps; i++) {
            below[i + 1] = below[i];
            for (double[] limits : weights) {
                below[i + 1] += limits[i];
            }
        }
        double wanted = probability * below[steps];
        int i = 0;
        while (below[i + 1] < wanted) {
            i++;
        }
        return Math.exp(lowest + (i + (wanted - below[i]) / (below[i + 1] - below[i])) * STEP);
    }
}
