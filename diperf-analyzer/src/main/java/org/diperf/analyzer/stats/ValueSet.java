package org.diperf.analyzer.stats;

/** Numbers of which statistics are taken, all in one unit; times are in ms. {@code NaN} stands for a statistic of no values. */
public interface ValueSet {

    /** Counts the values. */
    long count();

    /** Returns the smallest value. */
    double min();

    /** Returns the arithmetic mean. */
    double mean();

    /** Returns the population standard deviation. */
    double stddev();

    /** Returns the largest value. */
    double max();

    /**
     * Returns a quantile: the value of rank ceil(fraction x count).
     *
     * @param fraction from 0 to 1
     */
    double quantile(double fraction);
}
