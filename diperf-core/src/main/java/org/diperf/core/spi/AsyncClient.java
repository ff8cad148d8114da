package org.diperf.core.spi;

/**
 * A client whose call is begun on an event loop and ended later by {@link Call#ok()} or {@link Call#fail(String)}.
 * Thousands of them share one thread, so nothing here may block.
 */
public non-sealed interface AsyncClient extends Client {

    /**
     * Begins one call on the loop and returns at once. Timed from before it is entered until the call is ended.
     *
     * <p>The client must end the call exactly once, from any thread, also after {@link #cancel}; it may do so before
     * this method returns. A second or late end is counted and ignored. Throwing ends the call as failed.
     *
     * @param call the call at hand; valid until it has been ended
     * @throws Exception when the call failed
     */
    void call(Call call) throws Exception;

    /**
     * Gives up a call whose time is over (already recorded as timed out) or whose run was stopped. The client must end
     * the call soon, as it would any other; that end is the sign that it has let go, and makes it free for its next
     * call. Called on the loop, at most once per call.
     *
     * @param call the call that {@link #call} was given
     */
    void cancel(Call call);

    /**
     * Says how many calls this client takes at once (pipelining); asked once, after {@link #open}.
     *
     * @return from 1 to 1,000; each call in flight has a {@link Call} of its own
     */
    default int callsAtOnce() {
        return 1;
    }
}
