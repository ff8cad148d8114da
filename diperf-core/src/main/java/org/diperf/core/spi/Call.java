package org.diperf.core.spi;

import java.net.URI;

/**
 * One call to the service, from the framework's side. The object is reused for the next call of the same client, so a
 * client must not keep it after the call has ended.
 *
 * <p>Threads: the {@code ok} and {@code fail} methods may be called from any thread; all others by the client's owner
 * while the call is in flight. A client that can end a call twice, or late (a reply that races with its cancellation),
 * takes the {@link #ticket} in {@code call} and ends with it; an end with an old ticket is counted and ignored.
 */
public interface Call {

    /**
     * Counts the calls of this client.
     *
     * @return from 0
     */
    long number();

    /**
     * Names the simulated client.
     *
     * @return its number in the whole run, from 0
     */
    int client();

    /**
     * Names the service that this call goes to; it changes from call to call where several targets are given with
     * {@code assign: all-to-all}.
     */
    URI target();

    /**
     * Names the target by its place in the experiment's list.
     *
     * @return from 0
     */
    int targetIndex();

    /**
     * Identifies this call among all that used this object.
     *
     * @return a number that no other call of this object has
     */
    long ticket();

    /**
     * Says which of the experiment's requests this call is.
     *
     * @return its place in {@link SessionContext#requests}; where that has one element, to be ignored
     */
    default int request() {
        return 0;
    }

    /**
     * Gives a value that the experiment names: of a data file's row that this call was given, or captured from an answer
     * to this client before.
     *
     * @param name such as {@code users.name} or {@code token}, one of those known when the parameters were read
     * @return empty where it has not been captured yet
     */
    default String value(String name) {
        return "";
    }

    /** Says that values of the answer are wanted: the client then gives it by {@link #answer} before it ends the call. */
    default boolean wantsAnswer() {
        return false;
    }

    /**
     * Gives what the service answered, where it is wanted; read at once, on the thread that calls.
     *
     * @param answer to this call
     */
    default void answer(Answer answer) {}

    /**
     * Reports what was moved, in payload bytes, both directions together; sums up within a call.
     *
     * @param count at least 0
     */
    void bytes(long count);

    /** Marks the call as the first on its connection, so that first calls can be told from later ones. */
    void firstOnConnection();

    /**
     * Reports a declared metric of this call, such as the time of one of its phases. The last value counts.
     *
     * @param metric one of those that the plugin declared
     * @param value in the metric's unit
     */
    void metric(Metric metric, double value);

    /** Ends this call as successful; see {@link #ok(long)}. */
    default void ok() {
        ok(ticket());
    }

    /** Ends this call as failed by the service's fault; see {@link #fail(long, Failure)}. */
    default void fail(String kind) {
        fail(ticket(), kind);
    }

    /** Ends this call as failed; see {@link #fail(long, Failure)}. */
    default void fail(Failure failure) {
        fail(ticket(), failure);
    }

    /**
     * Ends the call that has this ticket as successful.
     *
     * @param ticket from {@link #ticket}, taken in {@code call}
     */
    void ok(long ticket);

    /**
     * Ends the call that has this ticket as failed by the service's fault.
     *
     * @param ticket from {@link #ticket}, taken in {@code call}
     * @param kind the cause in few words, the same for equal causes
     */
    default void fail(long ticket, String kind) {
        fail(ticket, Failure.ofService(kind));
    }

    /**
     * Ends the call that has this ticket as failed. In a blocking client the call ends when {@code call} returns; this
     * only decides how.
     *
     * @param ticket from {@link #ticket}, taken in {@code call}
     * @param failure whose fault and why; {@code ok timeout cancelled unfinished dropped} are the framework's own kinds
     */
    void fail(long ticket, Failure failure);
}
