package org.diperf.tester.engine.loop;

import org.jspecify.annotations.Nullable;

/** One stage on one loop. Confined to that loop. */
public interface StageRun {

    /** Takes over the loop's clients; at the stage's start, or shortly before the first one's. */
    void begin(long nowNanos);

    /** Learns from when on no more calls begin in it: before it begins, and again when a later stage cuts it off. */
    void endAt(long nanos);

    /**
     * Lets go of timers and slots, and releases the clients that the next stage does not keep.
     *
     * @param next that takes over, {@code null} when the load ends
     */
    void leave(@Nullable StageRun next);

    /** Returns whether a client that is open when this stage begins calls on in it, as if there was one stage. */
    boolean keeps(ClientState cell);

    /**
     * Says when a client of this place would start in this stage.
     *
     * @return nanoseconds from now, negative where it should have; {@link Stages#NEVER} when it has, or does not
     */
    long untilStart(ClientState cell, long nowNanos);

    /** Takes in a client that was opened while this stage is current. */
    void opened(ClientState cell, long nowNanos);

    /** Takes back a slot whose iteration has ended. */
    void freed(CallSlot slot, long endNanos);

    /** Takes in a slot whose client has connected, or tried to. */
    default void connected(CallSlot slot) {}

    /** Begins the iteration that is due in this slot, or what else was to be done at this instant. */
    void startNext(CallSlot slot, long nowNanos);

    /** Takes in the slots of a client that was opened in place of a stuck one. */
    void replaced(ClientState old, ClientState fresh, long nowNanos);

    /** Notes that a client makes no more calls in the whole run. */
    void retired(ClientState cell);
}
