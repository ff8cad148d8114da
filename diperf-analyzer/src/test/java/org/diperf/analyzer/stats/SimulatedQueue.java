package org.diperf.analyzer.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A queue with one server, arrivals by Poisson and exponential demand of mean 1 ms (M/M/1), steady from the start. */
final class SimulatedQueue {

    static final double DEMAND_NANOS = 1e6;

    private final double load;
    private final long[] responses;
    private final BatchSeries batches;

    /**
     * Simulates some calls.
     *
     * @param load demand over capacity, below 1
     */
    SimulatedQueue(double load, int calls, long seed) {
        this.load = load;
        SplittableRandom random = new SplittableRandom(seed);
        long[] at = new long[calls];
        this.responses = new long[calls];
        double backlog = random.nextDouble() < load ? exponential(random, meanNanos()) : 0;
        double now = 0;
        for (int i = 0; i < calls; i++) {
            double gap = exponential(random, DEMAND_NANOS / load);
            now += gap;
            backlog = Math.max(0, backlog - gap) + exponential(random, DEMAND_NANOS);
            at[i] = (long) now;
            responses[i] = Math.round(backlog);
        }
        this.batches = new BatchSeries(0, (long) now + 1);
        for (int i = 0; i < calls; i++) {
            batches.add(at[i], responses[i]);
        }
        Arrays.sort(responses);
    }

    private static double exponential(SplittableRandom random, double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    /** Returns the true mean response time: D / (1 - load). */
    double meanNanos() {
        return DEMAND_NANOS / (1 - load);
    }

    /** Returns a true quantile: response times of this queue are exponential. */
    double quantileNanos(double fraction) {
        return -Math.log(1 - fraction) * meanNanos();
    }

    /** Returns the true rate, per second. */
    double perSecond() {
        return load / DEMAND_NANOS * 1e9;
    }

    BatchSeries batches() {
        return batches;
    }

    /** Returns a quantile of the calls that were simulated. */
    double observed(double fraction) {
        int rank = (int) Math.ceil(fraction * responses.length);
        return responses[Math.max(1, Math.min(responses.length, rank)) - 1];
    }
}
