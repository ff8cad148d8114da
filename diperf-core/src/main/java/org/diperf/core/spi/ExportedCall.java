package org.diperf.core.spi;

/**
 * A call as it is exported. Times are nanoseconds; instants are global ones. What is not known is {@link #UNKNOWN}.
 */
public interface ExportedCall {

    /** What a number is that is not known, as of calls that another program measured. */
    long UNKNOWN = -1;

    /** Gives the instant at which the plan wanted it sent, after the start of the run; it may lie before it. */
    long intendedNanos();

    /** Gives the time from the intended instant until it was sent, or {@link #UNKNOWN}. */
    long lagNanos();

    /** Gives the time from the intended instant until it ended. */
    long responseNanos();

    /** Gives the word for how it ended: {@code ok}, {@code unfinished}, {@code dropped}, or else why it failed. */
    String outcome();

    /** Gives the number of its tester, from 1. */
    int tester();

    /** Gives the number of its client in the whole run, from 0. */
    int client();

    /** Gives its place among the calls of its client, from 0, in the order of their samples. */
    long call();

    /** Gives the number of the stage of the plan, from 0. */
    int stage();

    /** Gives the number of its kind of request, a place in {@link ExportedRun#requests}. */
    int request();

    /** Gives the number of its target, a place in {@link ExportedRun#targets}. */
    int target();

    /** Gives the bytes that it moved, or {@link #UNKNOWN}. */
    long bytes();

    /** Says whether it was the first on its connection. */
    boolean first();

    /** Gives a metric, by its place in {@link ExportedRun#metrics}; {@code NaN} where the call has none. */
    double metric(int index);
}
