package org.diperf.controller.course;

import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * A straight line through values at equal distances, by least squares.
 *
 * @param values how many there were
 * @param mean of them
 * @param slope from one value to the next
 * @param slopeError standard error of the slope; infinite for fewer than three values
 */
record Trend(int values, double mean, double slope, double slopeError) {

    /** Fits the line; a value that is {@code NaN} is left out. */
    static Trend of(double[] values) {
        SimpleRegression line = new SimpleRegression();
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                line.addData(i, values[i]);
                sum += values[i];
            }
        }
        int n = (int) line.getN();
        return new Trend(
                n, sum / n, n < 2 ? 0 : line.getSlope(), n < 3 ? Double.POSITIVE_INFINITY : line.getSlopeStdErr());
    }

    /** Returns how far the line moves from the first to the last value. */
    double change() {
        return slope * (values - 1);
    }

    /** Returns whether it moves by no more than a share of the mean, or no more than chance would move it. */
    boolean isLevel(double share, double errors) {
        return Math.abs(change()) <= Math.max(share * Math.abs(mean), errors * slopeError * (values - 1));
    }
}
