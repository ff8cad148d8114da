package org.diperf.tester.engine.loop;

import org.jspecify.annotations.Nullable;

/** The stages of one loop, one after another. Confined to the loop. */
public interface Stages {

    /** Stands for an instant that never comes. */
    long NEVER = Long.MAX_VALUE;

    /** Begins the run. The current stage takes over at once, so that its first calls wait for nothing but their instants. */
    void start(long startNanos, long nowNanos);

    /** Returns the current stage, {@code null} before the start and after the end. */
    @Nullable
    StageRun current();

    /** Takes in a client that has been opened. */
    void opened(ClientState cell);

    /**
     * Returns when a client of this place next starts, as far as the plan is known.
     *
     * @return nanoseconds from now, negative where it should have; {@link #NEVER} where the plan has no such start
     */
    long untilNextStart(ClientState cell, long nowNanos);

    /** Tells the current stage when it ends, and arms what comes after it. */
    void grown();

    /** Ends permanently. */
    void leave();
}
