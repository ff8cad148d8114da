package org.diperf.core.spi;

/** What a client plugin says of its clients, because it changes what the numbers of a run mean. Kept in {@code run.json}. */
public enum ClientTrait {
    /**
     * A call, or a client, starts a program on the tester: what that start takes is part of the service time, unless it
     * was measured it cannot be taken off.
     */
    STARTS_PROGRAMS,
    /** Clients time their calls themselves, so that nothing is known of what they do between them. */
    TIMES_ITSELF
}
