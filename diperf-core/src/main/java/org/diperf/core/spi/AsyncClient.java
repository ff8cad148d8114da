package org.diperf.core.spi;

/**
 * A client whose call starts on an event loop and is ended later by {@link Call#ok()} or {@link Call#fail(String)}.
 * Thousands of them share one thread, so nothing here may block.
 */
public non-sealed interface AsyncClient extends Client {

    /**
     * Starts one call on the loop and returns at once. Timed from before this method is entered until the call is ended.
     *
     * <p>The client must end the call exactly once, from any thread, even after {@link #cancel}; it may do so before
     * this method returns. A second or late end is counted and ignored. Throwing ends the call as failed.
     *
     * @param call the call to make; valid until it has been ended
     * @throws Exception if the call failed
     */
    void call(Call call) throws Exception;

    /**
     * Opens the connection that this call would need and finishes its handshakes, but sends the service no request: so no measured call
     * pays for it. Called on the loop, in open load, before the client's first call; not every client is asked. The call is ended as in
     * {@link #call}, and cancelled at its timeout; nothing is recorded of it. After a failure the next call tries for itself.
     *
     * @param call only shows which call would come next
     * @throws Exception if the connection could not be opened
     */
    default void connect(Call call) throws Exception {
        call.ok();
    }

    /**
     * Cancels a call that has timed out (and is already recorded so) or whose run was stopped. The client must end
     * the call soon, as it would any other; that end signals that it has let go of the call and is free for the next
     * one. Called on the loop, at most once per call.
     *
     * @param call the call that {@link #call} was given
     */
    void cancel(Call call);

    /**
     * Returns how many calls this client takes at once (pipelining); asked once, after {@link #open}.
     *
     * @return from 1 to 1,000; each call in flight has its own {@link Call}
     */
    default int callsAtOnce() {
        return 1;
    }

    /**
     * Returns whether answers to other calls may come over its connections while one of its calls is under way, so that the
     * instant at which the system received something does not say which answer it was.
     */
    default boolean sharesConnection() {
        return callsAtOnce() > 1;
    }
}
