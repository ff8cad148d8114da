package org.diperf.core.spi;

import java.net.URI;
import java.time.Duration;

/** What one client is told when it is opened. Immutable; the recorder and the loop have rules of their own. */
public interface Context {

    /**
     * Names the simulated client.
     *
     * @return its number in the whole run, from 0
     */
    int client();

    /** Names the service; where the target changes from call to call, the first one. See {@link Call#target}. */
    URI target();

    /** Bounds one call; the framework enforces it, a client may use it for its own sockets. */
    Duration timeout();

    /** Gives the plugin's parameters from {@code client.with}, checked and with their defaults. */
    Parameters with();

    /**
     * Records calls that the client itself timed, for programs that make many of them in one invocation.
     *
     * <p>May be used by the client's owner and by threads that the client started, until {@code close} returns.
     */
    Recorder recorder();

    /**
     * Gives the event loop that owns an asynchronous client.
     *
     * @throws IllegalStateException in a blocking client, which has a thread and no loop
     */
    Loop loop();
}
