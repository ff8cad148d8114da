package org.diperf.core.plan;

/** A load model of one stage. All numbers are for the whole run, never per tester. */
public sealed interface Load permits ClosedLoad, OpenLoad {

    /** Bounds one call. */
    long timeoutNanos();

    /** Says what a failed call does. */
    OnFailure onFailure();

    /**
     * Counts the simulated clients of the whole run: concurrent callers in closed load, calls in flight at most in open
     * load.
     */
    int clients();

    /** Returns the time from the start of the stage until it begins no more calls. */
    long lengthNanos();

    /** Returns whether a quota may end it before its length. */
    default boolean isLimited() {
        return false;
    }

    /** Names the model: {@code closed} or {@code open}. */
    String model();
}
