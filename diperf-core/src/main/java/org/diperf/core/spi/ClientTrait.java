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
     * A client may make several calls at once ({@link AsyncClient#callsAtOnce}), so that as many calls are under way as there are clients only
     * where its parameters say so.
     */
    MAKES_CALLS_AT_ONCE
}
