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
}
