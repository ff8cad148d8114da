package org.diperf.core.spi;

/** A property of a plugin's clients that changes what the numbers of a run mean. Recorded in {@code run.json}. */
public enum ClientTrait {
    /**
     * A call, or a client, starts a program on the tester: its start-up time is part of the service time, and can only be
     * subtracted if it was measured.
     */
    STARTS_PROGRAMS,
    /** Clients time their calls themselves, so nothing is known about what they do between calls. */
    TIMES_ITSELF,
    /**
     * A client may make several calls at once ({@link AsyncClient#callsAtOnce}), so that the number of clients does not tell how many calls
     * are under way.
     */
    MAKES_CALLS_AT_ONCE,
    /** A call moves data, so that how much a second says more than how many calls. */
    MOVES_DATA,
    /** A call is a measurement: what it found, the first of the plugin's metrics that has values, says more than how many calls there were. */
    MEASURES
}
