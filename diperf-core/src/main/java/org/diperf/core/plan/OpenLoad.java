package org.diperf.core.plan;

/**
 * Calls that arrive whether or not the earlier ones have ended.
 *
 * @param perSecond rate after the ramp, more than 0
 * @param arrivals how the arrivals are spaced
 * @param rampNanos time in which the rate grows linearly from 0, at least 0; precedes {@code forNanos}
 * @param forNanos time at the full rate, more than 0
 * @param maxInFlight calls under way at most, at least 1; an arrival beyond it is dropped and counted
 * @param timeoutNanos upper bound for one call, more than 0
 */
public record OpenLoad(
        double perSecond, Arrivals arrivals, long rampNanos, long forNanos, int maxInFlight, long timeoutNanos)
        implements Load {

    /** How arrivals are spaced. */
    public enum Arrivals {
        /** Evenly; arrival n of the run goes to tester n mod T. */
        CONSTANT,
        /** As a Poisson process; each tester has an independent stream of its share of the rate. */
        POISSON
    }

    public OpenLoad {
        if (!(perSecond > 0) || rampNanos < 0 || forNanos <= 0 || maxInFlight < 1 || timeoutNanos <= 0) {
            throw new IllegalArgumentException("Open load wants rate > 0, ramp >= 0, for > 0, max-in-flight >= 1 and"
                    + " timeout > 0; found rate=" + perSecond + "/s, ramp=" + rampNanos + " ns, for=" + forNanos
                    + " ns, max-in-flight=" + maxInFlight + ", timeout=" + timeoutNanos + " ns");
        }
    }

    @Override
    public int clients() {
        return maxInFlight;
    }

    @Override
    public long lengthNanos() {
        return rampNanos + forNanos;
    }

    @Override
    public String model() {
        return "open";
    }

    /**
     * Gives the instant by which so many arrivals are due: the inverse of the integral of the rate. With rate r and ramp
     * R, the integral is r t^2 / 2R within the ramp and r (t - R/2) after it.
     *
     * @param arrivals at least 0, fractions allowed
     */
    public double instantNanos(double arrivals) {
        double perNano = perSecond / 1e9;
        double inRamp = perNano * rampNanos / 2;
        return arrivals < inRamp ? Math.sqrt(2 * arrivals * rampNanos / perNano) : rampNanos / 2.0 + arrivals / perNano;
    }

    /** Gives the integral of the rate over the whole stage: how many arrivals are expected. */
    public double expectedArrivals() {
        return perSecond / 1e9 * (rampNanos / 2.0 + forNanos);
    }

    /**
     * Begins the arrivals of one tester.
     *
     * @param seed of the experiment
     * @param stage of the plan, from 0
     * @param tester from 1 to {@code testers}
     * @param testers at least 1
     */
    public ArrivalStream arrivals(long seed, int stage, int tester, int testers) {
        return new ArrivalStream(this, seed, stage, tester, testers);
    }
}
