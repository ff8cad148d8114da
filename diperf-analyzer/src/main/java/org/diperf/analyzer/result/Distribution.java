package org.diperf.analyzer.result;

/**
 * A distribution of times.
 *
 * @param count values in it
 * @param min ms; {@code NaN} when empty, as the others
 * @param mean ms
 * @param stddev population standard deviation, ms
 * @param max ms
 * @param quantiles from which fractions, rising from 0 to 1 and dense towards 1, the values are given
 * @param values at these quantiles, ms
 * @param bucketsFrom lower edges of log-spaced buckets, ms
 * @param bucketsTo their upper edges, ms
 * @param bucketCounts values in each
 */
public record Distribution(
        long count,
        double min,
        double mean,
        double stddev,
        double max,
        double[] quantiles,
        double[] values,
        double[] bucketsFrom,
        double[] bucketsTo,
        long[] bucketCounts) {}
