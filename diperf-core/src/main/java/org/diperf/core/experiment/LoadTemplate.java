package org.diperf.core.experiment;

import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.ThinkTime;

/** A load that lacks only one number: of clients, or of calls per second. */
public sealed interface LoadTemplate {

    /** Names the number: {@code clients} or {@code rate}. */
    String of();

    /** Names the model: {@code closed} or {@code open}. */
    String model();

    /** Bounds one call. */
    long timeoutNanos();

    /** Says what a failed call does. */
    OnFailure onFailure();

    /** Counts the simulated clients at a value: itself in closed load, calls in flight at most in open load. */
    int clients(double value);

    /** Makes the load that holds one value from start to end; 0 is a pause. */
    default Load hold(double value, long forNanos) {
        return move(value, value, forNanos);
    }

    /** Makes the load that moves evenly from one value to another. */
    Load move(double from, double to, long forNanos);

    /**
     * So many concurrent clients.
     *
     * @param think pause between a client's calls
     * @param onFailure what a failed call does
     * @param timeoutNanos time limit of one call
     */
    record Clients(ThinkTime think, OnFailure onFailure, long timeoutNanos) implements LoadTemplate {

        @Override
        public String of() {
            return "clients";
        }

        @Override
        public String model() {
            return "closed";
        }

        @Override
        public int clients(double value) {
            return Math.max(1, (int) value);
        }

        @Override
        public Load move(double from, double to, long forNanos) {
            return new ClosedLoad(
                    clients(Math.max(from, to)),
                    new ClientLifetimes.Ramp((int) from, (int) to, forNanos),
                    think,
                    Quota.NONE,
                    onFailure,
                    timeoutNanos);
        }
    }

    /**
     * So many calls a second, whether or not earlier ones have ended.
     *
     * @param arrivals how they are spaced
     * @param maxInFlight calls under way at most
     * @param onFailure what a failed call does
     * @param timeoutNanos time limit of one call
     */
    record Rate(OpenLoad.Arrivals arrivals, int maxInFlight, OnFailure onFailure, long timeoutNanos)
            implements LoadTemplate {

        @Override
        public String of() {
            return "rate";
        }

        @Override
        public String model() {
            return "open";
        }

        @Override
        public int clients(double value) {
            return maxInFlight;
        }

        @Override
        public Load move(double from, double to, long forNanos) {
            boolean holds = from == to;
            return new OpenLoad(
                    from,
                    to,
                    arrivals,
                    holds ? 0 : forNanos,
                    holds ? forNanos : 0,
                    maxInFlight,
                    onFailure,
                    timeoutNanos);
        }
    }
}
