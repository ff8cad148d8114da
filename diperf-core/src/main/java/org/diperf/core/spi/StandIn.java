package org.diperf.core.spi;

/**
 * Answers the calls of a rehearsal in place of the service, inside the tester, or is a server that was asked for. Made by {@link
 * ClientPlugin#standIn} and {@link ClientPlugin#server}.
 */
public interface StandIn extends AutoCloseable {

    /** Returns its address; that of a stand-in is on this machine's loopback. */
    Url target();

    /** Stops it; called once, for a stand-in when the rehearsal's session is closed. Must return soon. */
    @Override
    void close();
}
