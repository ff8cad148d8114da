package org.diperf.core.spi;

import java.time.Duration;

/** What one client knows when it is opened. Immutable; the recorder and the loop have their own rules. */
public interface Context {

    /**
     * Returns the simulated client.
     *
     * @return its number in the whole run, from 0
     */
    int client();

    /** Returns the service; if the target changes from call to call, the first one. See {@link Call#target}. */
    Url target();

    /** Returns the time limit of one call; the framework enforces it, a client may use it for its own sockets. */
    Duration timeout();

    /** Returns the plugin's parameters from {@code client.with}, checked and with their defaults. */
    Parameters with();

    /**
     * Returns the recorder for calls that the client timed itself, for programs that make many calls in one invocation.
     *
     * <p>May be used by the client's owner and by threads that the client started, until {@code close} returns.
     */
    Recorder recorder();

    /**
     * Returns the event loop that owns an asynchronous client.
     *
     * @throws IllegalStateException in a blocking client, which has a thread instead of a loop
     */
    Loop loop();
}
