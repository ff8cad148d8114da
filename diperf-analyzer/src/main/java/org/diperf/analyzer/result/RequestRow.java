package org.diperf.analyzer.result;

/**
 * One kind of request, over the whole run. Times in ms, {@code NaN} where there is none.
 *
 * @param name of the kind
 * @param calls ended, ok or failed
 * @param ok of these
 * @param failed of these
 * @param perSecond ok calls a second of the run
 * @param mean response time of ok calls
 * @param p50 its median
 * @param p95 its 95th percentile
 * @param p99 its 99th percentile
 * @param p999 its 99.9th percentile
 * @param max its maximum
 */
public record RequestRow(
        String name,
        long calls,
        long ok,
        long failed,
        double perSecond,
        double mean,
        double p50,
        double p95,
        double p99,
        double p999,
        double max) {}
