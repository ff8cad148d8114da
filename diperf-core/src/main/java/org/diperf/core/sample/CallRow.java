package org.diperf.core.sample;

/**
 * A finished call, or a finished group of calls, as {@link CallWriter} records it. The writer reads the row while it adds it and
 * keeps no reference, so one object can serve all rows of its owner.
 */
public interface CallRow {

    /** Stands for a call whose number is not recorded. */
    long NO_NUMBER = -1;

    /** Returns the number of the plan's stage, from 0. */
    int stageNumber();

    /** Returns the number of the client in the whole run, from 0. */
    int client();

    /** Returns the number of the request among those of the experiment, from 0; of a group its number among the groups. */
    int requestNumber();

    /** Returns the place of the target in the experiment's list, from 0. */
    int targetNumber();

    /** Returns when the plan wanted it sent, on the tester's clock. */
    long intendedNanos();

    /** Returns the time from the intended instant until it was sent, at least 0; of a group that of its first call. */
    long lagNanos();

    /** Returns the time from the intended instant until it ended, at least the lag. */
    long latencyNanos();

    /** Returns a word of {@link Outcome}, or a cause made by {@link Outcome#ofFailure}. */
    String outcome();

    /** Returns how many bytes it moved, at least 0. */
    long bytes();

    /** Returns whether it was the first call on its connection. */
    default boolean isFirst() {
        return false;
    }

    /**
     * Returns the number of the call among those of its client, from 0, or {@link #NO_NUMBER}; read back as 0 where other calls of the
     * block have one.
     */
    default long callNumber() {
        return NO_NUMBER;
    }

    /** Returns by how much at most the end is later than the answer came in, ns, or {@link CallWriter#UNKNOWN}. */
    default long errorInNanos() {
        return CallWriter.UNKNOWN;
    }

    /** Returns by how much at most the sending is earlier than the request went out, ns, or {@link CallWriter#UNKNOWN}. */
    default long errorOutNanos() {
        return CallWriter.UNKNOWN;
    }

    /** Returns the least that is to be stored of both errors together, ns: the error of the end is raised to reach it. */
    default long errorLeastNanos() {
        return 0;
    }

    /** Returns whether {@link #metric} may be anything but NaN. */
    default boolean hasMetrics() {
        return false;
    }

    /** Returns the value of the metric at this place in the plugin's list; NaN: it has none. */
    default double metric(int index) {
        return Double.NaN;
    }
}
