package org.diperf.core.spi;

import java.net.URI;

/** Answers the calls of a rehearsal in place of the service, inside the tester. Made by {@link ClientPlugin#standIn}. */
public interface StandIn extends AutoCloseable {

    /** Returns its address, which is on this machine's loopback. */
    URI target();

    /** Stops it; called once, when the rehearsal's session is closed. Must return soon. */
    @Override
    void close();
}
