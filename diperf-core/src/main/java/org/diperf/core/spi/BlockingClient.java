package org.diperf.core.spi;

/**
 * A client whose call returns when the service has answered. It runs on a virtual thread where the JVM has them, on a
 * platform thread where it has not.
 */
public non-sealed interface BlockingClient extends Client {

    /**
     * Makes one call; timed from before it is entered until it returns.
     *
     * <p>Returning means ok, unless {@link Call#fail(String)} was called; throwing means failed, with the exception as
     * the reason. At the timeout the call is recorded as timed out and the thread is interrupted: the method must then
     * return soon. Until it does, this client makes no other call; one that never does is replaced by a new client.
     *
     * @param call the call at hand; valid until this method returns
     * @throws Exception when the call failed
     */
    void call(Call call) throws Exception;

    /**
     * Says that this client times its calls itself and reports them through {@link Context#recorder}, as one that reads
     * the output of a running program does; asked once, after {@link #open}.
     *
     * <p>The framework then runs {@link #call} once for the whole of the client's life: it applies no timeout, and
     * interrupts the thread at the client's end, upon which the method must return soon. The invocation itself is not
     * recorded, unless it fails before that end.
     *
     * @return by default {@code false}
     */
    default boolean selfTimed() {
        return false;
    }
}
