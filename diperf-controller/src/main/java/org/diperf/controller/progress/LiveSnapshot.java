package org.diperf.controller.progress;

import java.util.List;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.core.run.RunRecord.Event;
import org.jspecify.annotations.Nullable;

/**
 * One close look at a run under way.
 *
 * @param phase what is being done before and after the load, in words; empty: nothing was said yet
 * @param status of the load; {@code null}: it has not begun
 * @param series its numbers; {@code null}: it has not begun
 * @param testers all that were wanted, and those that replaced lost ones
 * @param thresholds as they stand, over all calls so far
 * @param doubts why the numbers are suspect by now; none: nothing speaks against them
 * @param notes what else the report is to say
 * @param events all so far, in order
 */
public record LiveSnapshot(
        String phase,
        @Nullable LiveStatus status,
        RunSeries.@Nullable Look series,
        List<TesterNow> testers,
        List<ThresholdNow> thresholds,
        List<String> doubts,
        List<String> notes,
        List<Event> events) {

    /**
     * How a tester is.
     *
     * @param host its machine; empty: it has not joined
     * @param state one word
     * @param reason why it is of no use; empty: it is
     * @param clockErrorMs by how much its clock may be off; {@code NaN}: not known
     */
    public record TesterNow(
            int tester,
            String host,
            String state,
            String reason,
            int activeClients,
            int inFlight,
            double clockErrorMs) {}

    /** How a threshold stands. */
    public enum Standing {
        HOLDS,
        FAILS,
        /** The range of what was measured leaves it open. */
        OPEN,
        /** It is about something that is known at the end. */
        LATER
    }

    /**
     * A threshold.
     *
     * @param that its expression
     * @param observed in words; empty: nothing yet
     */
    public record ThresholdNow(String that, Standing standing, String observed) {}
}
