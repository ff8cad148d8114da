package org.diperf.tester.engine;

/** What makes the calls of a slot's iterations where these are journeys. For the slot's owner. */
interface SlotJourney {

    /** Begins the journey of an iteration that is due. */
    void begin(long dueNanos);

    /** Makes the call that is due now, or ends the iteration where there is none. */
    void resume();

    /** Goes on after a call. */
    void ended(long endNanos, String outcome);

    /** Ends the journey of a call that has timed out, though the client still holds it. */
    void timedOut(long nowNanos);

    /** Gives up the iteration of a call that its client holds for ever. */
    void stuck(long nowNanos);

    /**
     * Gives up an iteration that has not ended by the end of the load.
     *
     * @param inCall whether a call was open
     */
    void cutOff(long nowNanos, boolean inCall);

    /** Makes the planned call one that fails before it is sent, and with it the whole journey. */
    void failFirst(long nowNanos, String outcome);

    /** Lets go of code of the user's that may be in the middle of something. */
    void abandon();
}
