package org.diperf.core.plan;

/**
 * Calls that arrive whether or not the earlier ones have ended.
 *
 * @param fromPerSecond rate at the start of the ramp, at least 0
 * @param perSecond rate after the ramp, at least 0; if both are 0 nothing arrives: a pause between other stages
 * @param arrivals how the arrivals are spaced
 * @param rampNanos time in which the rate moves linearly from the first to the second, at least 0; precedes
 *     {@code forNanos}
 * @param forNanos time at the second rate, at least 0
 * @param maxInFlight most calls in flight, at least 1; an arrival beyond it is dropped and counted
 * @param onFailure what a failed call does: continue or abort
 * @param timeoutNanos time limit of one call, more than 0
 */
public record OpenLoad(
        double fromPerSecond,
        double perSecond,
        Arrivals arrivals,
        long rampNanos,
        long forNanos,
        int maxInFlight,
        OnFailure onFailure,
        long timeoutNanos)
        implements Load {

    /** How arrivals are spaced. */
    public enum Arrivals {
        /** Evenly; arrival n of the run goes to tester n mod T. */
        CONSTANT,
        /** As a Poisson process; each tester has an independent stream of its share of the rate. */
        POISSON
    }

    public OpenLoad {
        boolean rates = fromPerSecond >= 0 && perSecond >= 0 && fromPerSecond + perSecond < Double.POSITIVE_INFINITY;
        boolean times = rampNanos >= 0 && forNanos >= 0 && rampNanos + forNanos > 0;
        if (!rates || !times || maxInFlight < 1 || timeoutNanos <= 0 || onFailure == OnFailure.RETIRE_CLIENT) {
            throw new IllegalArgumentException(
                    "Open load: expected finite rates >= 0, ramp >= 0, for >= 0, max-in-flight >= 1,"
                            + " timeout > 0 and no on-failure=RETIRE_CLIENT, got rate=" + fromPerSecond + "/s to "
                            + perSecond
                            + "/s, ramp=" + rampNanos + " ns, for=" + forNanos + " ns, max-in-flight=" + maxInFlight
                            + ", timeout=" + timeoutNanos + " ns, on-failure=" + onFailure);
        }
    }

    /** Makes a load whose rate grows from 0. */
    public OpenLoad(
            double perSecond, Arrivals arrivals, long rampNanos, long forNanos, int maxInFlight, long timeoutNanos) {
        this(0, perSecond, arrivals, rampNanos, forNanos, maxInFlight, OnFailure.CONTINUE, timeoutNanos);
        if (perSecond <= 0) {
            throw new IllegalArgumentException("Open load: expected a rate > 0, got " + perSecond + "/s");
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
     * Returns the instant by which so many arrivals are due: the inverse of the integral of the rate. With rates f and r
     * and ramp R, the integral is f t + (r - f) t^2 / 2R within the ramp and (f - r) R/2 + r t after it.
     *
     * @param arrivals at least 0, fractions allowed
     * @return infinity for what never comes
     */
    public double instantNanos(double arrivals) {
        double from = fromPerSecond / 1e9;
        double to = perSecond / 1e9;
        double inRamp = (from + to) / 2 * rampNanos;
        if (rampNanos == 0 || arrivals > inRamp || arrivals == inRamp && to > 0) {
            return to == 0 ? Double.POSITIVE_INFINITY : rampNanos + (arrivals - inRamp) / to;
        }
        // The form of the quadratic's root that loses no digits when the two rates are nearly the same.
        double root = Math.sqrt(Math.max(0, from * from + 2 * (to - from) / rampNanos * arrivals));
        return arrivals == 0 ? 0 : 2 * arrivals / (from + root);
    }

    /** Returns the integral of the rate over the whole stage: how many arrivals are expected. */
    public double expectedArrivals() {
        return (fromPerSecond + perSecond) / 2e9 * rampNanos + perSecond / 1e9 * forNanos;
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
