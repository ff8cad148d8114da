package org.diperf.core.wire;

/**
 * How far a tester is.
 *
 * @param activeClients clients that are at work now
 * @param inFlight calls under way now
 * @param sent calls begun so far
 * @param ok calls that ended well
 * @param failed calls that ended otherwise
 * @param dropped arrivals that found no place in flight
 */
public record TesterStatus(int activeClients, int inFlight, long sent, long ok, long failed, long dropped) {

    /** Before the first call. */
    public static final TesterStatus NONE = new TesterStatus(0, 0, 0, 0, 0, 0);
}
