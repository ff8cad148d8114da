package org.diperf.core.clock;

/**
 * Something that happened to a clock, or to the network path to it.
 *
 * @param kind what
 * @param fromNanos not before this instant of the client's clock
 * @param toNanos not after this instant of the client's clock
 * @param amount nanoseconds by which a clock jumped ahead (below 0: back), stood still, or by which the round trip grew;
 *     parts per million by which a slewed clock ran faster than over the rest of the run
 */
public record ClockEvent(Kind kind, long fromNanos, long toNanos, double amount) {

    /** What happened. */
    public enum Kind {
        /** The clock jumped. */
        STEP,
        /** The clock stood still while global time and its machine's wall clock went on. */
        SUSPEND,
        /** The clock's rate was changed for a while. */
        SLEW,
        /** The least round trip changed its level: the error may have changed by half of that. */
        ROUTE_CHANGE,
        /** The time server's machine was restarted: it has a new clock. */
        SERVER_RESTART
    }
}
