package org.diperf.core.plan;

/** What a failed call does to the load. */
public enum OnFailure {
    /** Nothing but being counted. */
    CONTINUE,
    /** Its client makes no more calls; closed load only. */
    RETIRE_CLIENT,
    /** The run ends: the tester that saw it stops at once, the others as soon as they are told. */
    ABORT
}
