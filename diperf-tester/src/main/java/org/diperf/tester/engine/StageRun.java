package org.diperf.tester.engine;

/** One stage on one loop. Confined to that loop. */
interface StageRun {

    /** Takes over the loop's clients; at the stage's start, or shortly before the first one's. */
    void begin();

    /** Lets go of timers; called when the stage after it begins, and when the load stops. */
    void leave();

    /** Takes back a slot whose call has ended. */
    void freed(CallSlot slot, long endNanos);

    /** Starts the call that is due in this slot. */
    void startNext(CallSlot slot, long nowNanos);

    /** Takes in the slots of a client that was opened in place of a stuck one. */
    void replaced(ClientCell old, ClientCell fresh, long nowNanos);
}
