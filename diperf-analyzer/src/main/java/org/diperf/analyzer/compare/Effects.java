package org.diperf.analyzer.compare;

import java.util.Optional;

/**
 * What one side says against another of one metric, before it is judged next to others.
 *
 * @param valueA of the first side; {@code NaN} where it was not measured
 * @param valueB of the other side
 * @param estimate empty where there are too few data
 * @param p of the test for any difference; {@code NaN} where there are too few data
 * @param unitsA values of the first side that were taken for independent
 * @param unitsB those of the other side
 * @param units what they are of
 */
record Effects(
        Metric metric,
        double valueA,
        double valueB,
        Optional<Estimate> estimate,
        double p,
        double[] unitsA,
        double[] unitsB,
        String units) {

    boolean isSeen() {
        return !Double.isNaN(valueA) && !Double.isNaN(valueB);
    }

    /** Returns the effect seen, on the adding scale; {@code NaN} where it is not finite. */
    double seen() {
        double effect = metric.scaled(valueB) - metric.scaled(valueA);
        return Double.isFinite(effect) ? effect : Double.NaN;
    }
}
