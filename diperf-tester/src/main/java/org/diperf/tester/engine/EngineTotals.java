package org.diperf.tester.engine;

import java.util.Map;

/**
 * What an engine did in the whole run. {@code sent + dropped} is the number of calls in the sample blocks.
 *
 * @param sent calls begun; those of a client that could not be opened included
 * @param dropped arrivals for which no call was free
 * @param lateEnds ends of calls that had ended before: ends with an old ticket, and successes after the timeout
 * @param stuckClients clients that did not let go of a call after its timeout
 * @param rejected what clients could not use, by kind
 * @param firstCallNanos actual send of the first call on the tester's clock, 0 when there was none
 */
public record EngineTotals(
        long sent, long dropped, long lateEnds, int stuckClients, Map<String, Long> rejected, long firstCallNanos) {

    public EngineTotals {
        rejected = Map.copyOf(rejected);
    }
}
