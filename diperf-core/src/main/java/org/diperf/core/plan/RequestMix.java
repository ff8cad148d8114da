package org.diperf.core.plan;

import java.util.Arrays;
import java.util.List;

/**
 * Which of several requests a call makes: a pure function of seed, client and call, in which each request's share follows
 * its weight. Immutable.
 */
public final class RequestMix {

    /** Only ever one request. */
    public static final RequestMix ONE = new RequestMix(0, List.of(1.0));

    /** Keeps these numbers apart from others that are drawn for the same client and call. */
    private static final long OWN = 0x7265717565737473L;

    private final long seed;
    private final double[] upTo;

    /**
     * @param seed of the experiment
     * @param weights of the requests, above 0, at least one
     */
    public RequestMix(long seed, List<Double> weights) {
        this.seed = seed;
        this.upTo = new double[weights.size()];
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            if (!(weights.get(i) > 0)) {
                throw new IllegalArgumentException("Mix: expected weights above 0, got " + weights.get(i));
            }
            sum += weights.get(i);
            upTo[i] = sum;
        }
        if (upTo.length == 0 || Double.isInfinite(sum)) {
            throw new IllegalArgumentException("Mix: expected at least one request and finite weights, got " + weights);
        }
    }

    /** Counts the requests. */
    public int requests() {
        return upTo.length;
    }

    /**
     * Returns the request of a call.
     *
     * @param client in the whole run, from 0
     * @param call number of the client's call, from 0
     * @return from 0
     */
    public int requestOf(int client, long call) {
        if (upTo.length == 1) {
            return 0;
        }
        double at = SplitMix.unit(SplitMix.bits(seed, OWN, client, call)) * upTo[upTo.length - 1];
        int found = Arrays.binarySearch(upTo, at);
        return Math.min(found >= 0 ? found + 1 : -found - 1, upTo.length - 1);
    }
}
