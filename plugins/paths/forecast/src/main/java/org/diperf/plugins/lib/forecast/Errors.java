package org.diperf.plugins.lib.forecast;

/** The errors of one predictor's standing forecasts: sums of all, and what they were before the latest ones. */
final class Errors {

    private final double[] squares;
    private final double[] absolutes;
    private double square;
    private double absolute;
    private long count;

    /** @param kept how many of the latest sums are kept, this one included */
    Errors(int kept) {
        squares = new double[kept];
        absolutes = new double[kept];
    }

    void add(double error) {
        square += error * error;
        absolute += Math.abs(error);
        int at = (int) (count % squares.length);
        squares[at] = square;
        absolutes[at] = absolute;
        count++;
    }

    long count() {
        return count;
    }

    /** Counts the sums that are kept. */
    int kept() {
        return (int) Math.min(count, squares.length);
    }

    /** Returns the sum of all errors: squared, or absolute. */
    double sum(boolean squared) {
        return squared ? square : absolute;
    }

    double mean(boolean squared) {
        return count == 0 ? 0 : sum(squared) / count;
    }

    /** Returns the sum of the latest {@code window} errors, fewer than are kept. */
    double latest(boolean squared, int window) {
        double[] sums = squared ? squares : absolutes;
        return sum(squared) - sums[(int) ((count - 1 - window) % sums.length)];
    }
}
