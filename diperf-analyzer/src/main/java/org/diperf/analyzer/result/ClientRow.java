package org.diperf.analyzer.result;

/**
 * One client. Times in ms, {@code NaN} where there is none.
 *
 * @param client from 0
 * @param tester from 1
 * @param host of its tester
 * @param fromSeconds its start, after the start of the run
 * @param toSeconds its end
 * @param calls ended, ok or failed
 * @param ok of these
 * @param failed of these
 * @param bytes moved by ok calls
 * @param mean response time of ok calls
 * @param p50 its median
 * @param p99 its 99th percentile
 * @param utilisation its ok calls / all ok calls while it was active
 * @param peakUtilisation the same over the peak; {@code NaN} without a peak
 */
public record ClientRow(
        int client,
        int tester,
        String host,
        double fromSeconds,
        double toSeconds,
        long calls,
        long ok,
        long failed,
        long bytes,
        double mean,
        double p50,
        double p99,
        double utilisation,
        double peakUtilisation) {}
