package org.diperf.controller.progress;

/**
 * One look at a run under way.
 *
 * @param elapsedSeconds since the start
 * @param totalSeconds planned; {@code NaN} where nobody can know
 * @param phase where the run is, such as {@code measuring} or {@code level 3/5, 400/s, settling}
 * @param perSecond ok calls that ended in the last seconds, per second
 * @param closed whether there are clients that come and go; in open load alone there are none
 * @param active clients between their first call and their end
 * @param inFlight calls under way
 * @param p50Ms median response time of these ok calls; {@code NaN} without any
 * @param p99Ms their 99th percentile; {@code NaN} without any
 * @param failed calls that failed since the start
 * @param failure why most of them failed, in words; empty: not known
 * @param dropped arrivals that were dropped since the start
 * @param seenShare share of the calls that this look is made from, from 0 to 1: the live view passes over blocks when
 *     it cannot keep up
 * @param testersAlive testers that are heard of
 * @param testers wanted
 */
public record LiveStatus(
        double elapsedSeconds,
        double totalSeconds,
        String phase,
        double perSecond,
        boolean closed,
        int active,
        int inFlight,
        double p50Ms,
        double p99Ms,
        long failed,
        String failure,
        long dropped,
        double seenShare,
        int testersAlive,
        int testers) {}
