package org.diperf.core.spi;

import java.net.URI;

/** Answers the calls of a rehearsal in the place of the service, within the tester. Made by {@link ClientPlugin#standIn}. */
public interface StandIn extends AutoCloseable {

    /** Gives its address, which is on this machine's loopback. */
    URI target();

    /** Ends it; called once, when the rehearsal's session is closed. Returns soon. */
    @Override
    void close();
}
