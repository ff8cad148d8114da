package org.diperf.core.spi;

/**
 * A client whose call returns when the service has answered. It runs on a virtual thread if the JVM has them, otherwise on
 * a platform thread.
 */
public non-sealed interface BlockingClient extends Client {

    /**
     * Makes one call; timed from before this method is entered until it returns.
     *
     * <p>Returning means ok, unless {@link Call#fail(String)} was called; throwing means failed, with the exception as
     * the reason. At the timeout the call is recorded as timed out and the thread is interrupted: the method must then
     * return soon. Until it does, this client makes no other call; one that never does is replaced by a new client.
     *
     * @param call the call to make; valid until this method returns
     * @throws Exception if the call failed
     */
    void call(Call call) throws Exception;

    /**
     * Returns whether this client times its calls itself and reports them through {@link Context#recorder}, like one that
     * reads the output of a running program; asked once, after {@link #open}.
     *
     * <p>The framework then runs {@link #call} once for the client's whole life: it applies no timeout, and
     * interrupts the thread at the client's end; the method must then return soon. The invocation itself is not
     * recorded, unless it fails before that end.
     *
     * @return by default {@code false}
     */
    default boolean selfTimed() {
        return false;
    }
}
