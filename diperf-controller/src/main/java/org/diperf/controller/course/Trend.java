package org.diperf.controller.course;

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
        int n = 0;
        double sumX = 0;
        double sumY = 0;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                n++;
                sumX += i;
                sumY += values[i];
            }
        }
        double meanX = sumX / n;
        double meanY = sumY / n;
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                xx += (i - meanX) * (i - meanX);
                xy += (i - meanX) * (values[i] - meanY);
            }
        }
        double slope = xx == 0 ? 0 : xy / xx;
        double residuals = 0;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                double off = values[i] - meanY - slope * (i - meanX);
                residuals += off * off;
            }
        }
        double error = n < 3 ? Double.POSITIVE_INFINITY : Math.sqrt(residuals / (n - 2) / xx);
        return new Trend(n, meanY, slope, error);
    }

    /** Gives how far the line moves from the first to the last value. */
    double change() {
        return slope * (values - 1);
    }

    /** Says whether it moves by no more than a share of the mean, or no more than chance would move it. */
    boolean isLevel(double share, double errors) {
        return Math.abs(change()) <= Math.max(share * Math.abs(mean), errors * slopeError * (values - 1));
    }
}
