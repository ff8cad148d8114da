package org.diperf.core.spi;

/** A call that another program measured, as it is imported. Times are nanoseconds. */
public interface ImportedCall {

    /** Returns its intended start, since 1970. */
    long intendedNanos();

    /** Returns the start of the run, since 1970, as far as this call tells; by default its own. */
    default long runStartNanos() {
        return intendedNanos();
    }

    /** Returns the time from the intended start until it was sent, at least 0. */
    long lagNanos();

    /** Returns the time from the intended start until it ended, at least the lag. */
    long responseNanos();

    /** Returns how it ended, in a word as {@link ExportedCall#outcome} has it. */
    String outcome();

    /** Returns whether the outcome is the cause of a failure in words of the other program, which may be any. */
    boolean isCause();

    /** Returns how many bytes it moved, at least 0. */
    long bytes();

    /** Returns the number of its tester, from 1. */
    int tester();

    /** Returns the number of its client in the whole run, from 0. */
    int client();

    /** Returns the number of its kind of request, an index into {@link ImportedCalls#requests}. */
    int request();

    /** Returns the number of its target, an index into {@link ImportedCalls#targets}. */
    int target();

    /** Returns whether it was the first on its connection. */
    boolean isFirst();

    /** Returns its metrics, in the order of {@link ImportedCalls#metrics}; {@code NaN}: it does not have it. */
    double[] metrics();
}
