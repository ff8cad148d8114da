package org.diperf.core.spi;

/**
 * A call as it is exported. Times are nanoseconds; instants are global. Unknown values are {@link #UNKNOWN}.
 */
public interface ExportedCall {

    /** The outcome of a call that succeeded. */
    String OK = "ok";

    /** The outcome of a call that was due in open load and never sent. */
    String DROPPED = "dropped";

    /** The outcome of a call that had not ended when the run was cut short. */
    String UNFINISHED = "unfinished";

    /** The value of an unknown number, such as the lag of calls that another program measured. */
    long UNKNOWN = -1;

    /** Returns its intended start, after the start of the run; may be slightly negative. */
    long intendedNanos();

    /** Returns the time from the intended start until it was sent, or {@link #UNKNOWN}. */
    long lagNanos();

    /** Returns the time from the intended start until it ended. */
    long responseNanos();

    /** Returns how it ended: {@link #OK}, {@link #UNFINISHED}, {@link #DROPPED}, or the cause of its failure. */
    String outcome();

    /** Returns the number of its tester, from 1. */
    int tester();

    /** Returns the number of its client in the whole run, from 0. */
    int client();

    /** Returns its index among the calls of its client, from 0, in the order of their samples. */
    long call();

    /** Returns the id of its trace, 32 hexadecimal digits; empty where calls have none. */
    default String trace() {
        return "";
    }

    /** Returns the number of the stage of the plan, from 0. */
    int stage();

    /** Returns the number of its kind of request, an index into {@link ExportedRun#requests}. */
    int request();

    /** Returns the number of its target, an index into {@link ExportedRun#targets}. */
    int target();

    /** Returns the bytes that it transferred, or {@link #UNKNOWN}. */
    long bytes();

    /** Returns whether it was the first on its connection. */
    boolean first();

    /** Returns a metric by its index in {@link ExportedRun#metrics}; {@code NaN} if the call does not have it. */
    double metric(int index);
}
