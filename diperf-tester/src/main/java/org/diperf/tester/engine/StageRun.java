package org.diperf.tester.engine;

import org.diperf.core.plan.Stage;
import org.jspecify.annotations.Nullable;

/** One stage on one loop. Confined to that loop. */
interface StageRun {

    /** Takes over the loop's clients; at the stage's start, or shortly before the first one's. */
    void begin(long nowNanos);

    /** Learns from when on no more calls begin in it: before it begins, and again when a later stage cuts it off. */
    void endAt(long nanos);

    /**
     * Lets go of timers and slots.
     *
     * @param next that takes over, {@code null} when the load ends; a client that calls in both goes on
     */
    void leave(@Nullable StageRun next);

    /** Takes back a slot whose call has ended. */
    void freed(CallSlot slot, long endNanos);

    /**
     * Takes back a slot whose client has done one of the steps before its first call.
     *
     * @param stage of the call for which it was done
     * @param span of that call's deadlines
     */
    void prepared(CallSlot slot, Stage stage, Deadlines.Span span, long endNanos);

    /** Starts the call that is due in this slot. */
    void startNext(CallSlot slot, long nowNanos);

    /** Takes in the slots of a client that was opened in place of a stuck one. */
    void replaced(ClientCell old, ClientCell fresh, long nowNanos);

    /** Takes notice that a client makes no more calls in the whole run. */
    void retired(ClientCell cell);
}
