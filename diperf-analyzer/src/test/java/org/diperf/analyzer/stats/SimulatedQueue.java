package org.diperf.analyzer.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A queue with one server, arrivals by Poisson and exponential demand of mean 1 ms (M/M/1), steady from the start. */
public final class SimulatedQueue {

    static final double DEMAND_NANOS = 1e6;

    private final double load;
    private final long[] responses;
    private final BatchSeries batches;

    /** Takes a call: when it came, and how long it took, ns. */
    @FunctionalInterface
    public interface ValueConsumer {
        void take(long atNanos, long responseNanos);
    }

    /**
     * Simulates some calls.
     *
     * @param load demand over capacity, below 1
     */
    SimulatedQueue(double load, int calls, long seed) {
        this.load = load;
        this.responses = new long[calls];
        long[] at = new long[calls];
        int[] next = {0};
        simulate(load, calls, seed, (atNanos, responseNanos) -> {
            at[next[0]] = atNanos;
            responses[next[0]++] = responseNanos;
        });
        this.batches = new BatchSeries(0, at[calls - 1] + 1);
        for (int i = 0; i < calls; i++) {
            batches.add(at[i], responses[i]);
        }
        Arrays.sort(responses);
    }

    /** Simulates some calls, in the order in which they came. */
    public static void simulate(double load, int calls, long seed, ValueConsumer to) {
        SplittableRandom random = new SplittableRandom(seed);
        double backlog = random.nextDouble() < load ? exponential(random, meanNanos(load)) : 0;
        double now = 0;
        for (int i = 0; i < calls; i++) {
            double gap = exponential(random, DEMAND_NANOS / load);
            now += gap;
            backlog = Math.max(0, backlog - gap) + exponential(random, DEMAND_NANOS);
            to.take((long) now, Math.round(backlog));
        }
    }

    /** Returns the true mean response time: D / (1 - load). */
    public static double meanNanos(double load) {
        return DEMAND_NANOS / (1 - load);
    }

    /** Returns a true quantile: response times of this queue are exponential. */
    public static double quantileNanos(double load, double fraction) {
        return -Math.log(1 - fraction) * meanNanos(load);
    }

    private static double exponential(SplittableRandom random, double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    double meanNanos() {
        return meanNanos(load);
    }

    double quantileNanos(double fraction) {
        return quantileNanos(load, fraction);
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
