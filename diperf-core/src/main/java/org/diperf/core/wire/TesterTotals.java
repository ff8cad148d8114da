package org.diperf.core.wire;

import java.util.Map;

/**
 * What a tester counted over the whole run.
 *
 * @param sent calls begun
 * @param dropped arrivals that found no place in flight
 * @param lateEnds ends of calls that had ended before
 * @param stuckClients clients that did not let go of a call
 * @param rejected reasons of values that could not be recorded, and how often each came
 * @param firstCallNanos when the first call was sent, on the tester's clock; 0: none was
 */
public record TesterTotals(
        long sent, long dropped, long lateEnds, int stuckClients, Map<String, Long> rejected, long firstCallNanos) {

    public TesterTotals {
        rejected = Map.copyOf(rejected);
    }
}
