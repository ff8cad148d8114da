package org.diperf.core.wire;

/**
 * How far a tester is.
 *
 * @param activeClients clients that are active now
 * @param inFlight calls in flight now
 * @param sent calls started so far
 * @param ok calls that succeeded
 * @param failed calls that failed
 * @param dropped arrivals beyond the most calls in flight
 */
public record TesterStatus(int activeClients, int inFlight, long sent, long ok, long failed, long dropped) {

    /** Before the first call. */
    public static final TesterStatus NONE = new TesterStatus(0, 0, 0, 0, 0, 0);
}
