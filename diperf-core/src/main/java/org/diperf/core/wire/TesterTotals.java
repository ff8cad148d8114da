package org.diperf.core.wire;

import java.util.Map;

/**
 * What a tester counted over the whole run.
 *
 * @param sent calls started
 * @param dropped arrivals beyond the most calls in flight
 * @param lateEnds ends of calls that had already ended
 * @param stuckClients clients that did not let go of a call
 * @param rejected reasons of values that could not be recorded, and how often each came
 * @param firstCallNanos when the first call was sent, on the tester's clock; 0: none
 * @param aborted why the tester ended its load before the plan was over (a failed call under
 *     {@code on-failure: abort}, samples that could not be kept); empty when it did not. The controller then stops the
 *     other testers and ends the run
 * @param stopped whether the controller, or an expired lease, ended the load before the plan was over
 */
public record TesterTotals(
        long sent,
        long dropped,
        long lateEnds,
        int stuckClients,
        Map<String, Long> rejected,
        long firstCallNanos,
        String aborted,
        boolean stopped) {

    public TesterTotals {
        rejected = Map.copyOf(rejected);
    }

    /** Makes the totals of a tester that carried out its plan. */
    public TesterTotals(
            long sent, long dropped, long lateEnds, int stuckClients, Map<String, Long> rejected, long firstCallNanos) {
        this(sent, dropped, lateEnds, stuckClients, rejected, firstCallNanos, "", false);
    }

    /** Returns these totals as those of a load that was stopped. */
    public TesterTotals ofStoppedLoad() {
        return new TesterTotals(sent, dropped, lateEnds, stuckClients, rejected, firstCallNanos, aborted, true);
    }
}
