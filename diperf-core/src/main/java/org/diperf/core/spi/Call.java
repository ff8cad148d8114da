package org.diperf.core.spi;

import org.jspecify.annotations.Nullable;

/**
 * One call to the service, from the framework's side. The object is reused for the next call of the same client, so a
 * client must not keep it after the call has ended.
 *
 * <p>Threads: the {@code ok} and {@code fail} methods may be called from any thread, all others only by the client's owner
 * while the call is in flight. A client that can end a call twice, or late (a reply that races with its cancellation),
 * takes the {@link #ticket} in {@code call} and ends with it; an end with an old ticket is counted and ignored.
 */
public interface Call {

    /**
     * Returns the number of this call among those of its client.
     *
     * @return from 0
     */
    long number();

    /**
     * Returns the number of the iteration that this call is of, among those of its client: all calls of one walk through a journey
     * have the same.
     *
     * @return from 0; by default the {@link #number}
     */
    default long iteration() {
        return number();
    }

    /**
     * Returns the simulated client.
     *
     * @return its number in the whole run, from 0
     */
    int client();

    /**
     * Returns the service that this call goes to. It changes from call to call if there are several targets with
     * {@code assign: all-to-all}.
     */
    Url target();

    /**
     * Returns the target's index in the experiment's list.
     *
     * @return from 0
     */
    int targetIndex();

    /**
     * Identifies this call among all that use this object.
     *
     * @return a number that no other call of this object has
     */
    long ticket();

    /**
     * Returns which of the experiment's requests this call makes.
     *
     * @return its index in {@link SessionContext#requests}; meaningless if that has only one element
     */
    default int request() {
        return 0;
    }

    /**
     * Returns a named value of the experiment: from the data-file row of this call, or captured from an earlier answer
     * to this client.
     *
     * @param name such as {@code users.name} or {@code token}, one of those known when the parameters were read
     * @return empty if it has not been captured yet
     */
    default String value(String name) {
        return "";
    }

    /**
     * Returns whether a named value is there: one from a data file always is, a captured one once it has been captured.
     *
     * @param name one of those known when the parameters were read
     */
    default boolean hasValue(String name) {
        return !value(name).isEmpty();
    }

    /** Returns whether values of the answer are wanted; the client then passes it to {@link #answer} before ending the call. */
    default boolean wantsAnswer() {
        return false;
    }

    /**
     * Returns whether the answer is wanted even if the call fails, because somebody looks at it; the client then passes it
     * to {@link #answer} in that case too.
     */
    default boolean wantsFailedAnswer() {
        return false;
    }

    /**
     * Passes on the service's answer, if it is wanted; read at once, on the calling thread.
     *
     * @param answer the answer to this call
     */
    default void answer(Answer answer) {}

    /**
     * Returns where to put what is said in this call, for people who look at it. Whoever may show the call asks again for each.
     *
     * @return {@code null}: nobody will look
     */
    default @Nullable Dialogue dialogue() {
        return null;
    }

    /**
     * Returns what a request carries so that a tracing system knows this call: the field {@code traceparent} of W3C's Trace Context.
     *
     * @return 55 characters; empty where the experiment wants none
     */
    default String traceparent() {
        return "";
    }

    /**
     * Reports transferred payload bytes, in both directions together; adds up within a call.
     *
     * @param count at least 0
     */
    void bytes(long count);

    /** Marks the call as the first on its connection, so that first calls can be distinguished from later ones. */
    void firstOnConnection();

    /**
     * Reports a declared metric of this call, such as the time of one of its phases. The last value counts.
     *
     * @param metric one that the plugin declared
     * @param value in the metric's unit
     */
    void metric(Metric metric, double value);

    /**
     * Reports a part of the answer that counts by itself and has come just now: a token of a language model, a message. Each is kept, with
     * its instant and a bound on that. It costs no allocation and no lock. Parts of a call that has timed out or ended are not kept.
     *
     * @param kind its place in the plugin's {@link EventKinds#kinds}
     * @param count how many units it carries, at least 0
     * @return when it came, on {@link System#nanoTime}: what the framework knows better than who reads it
     */
    long event(int kind, int count);

    /**
     * Reports a declared metric in ms that is the time from one instant to another on {@link System#nanoTime}, both before the call
     * ends. The framework may know that the answer was there before this client read it, and let the call end then; a time that
     * reaches beyond the call's end ends with it. The last value counts.
     *
     * @param metric one that the plugin declared
     * @param fromNanos when what it measures began
     * @param toNanos when it ended, such as when the first byte of the answer was read
     */
    default void metric(Metric metric, long fromNanos, long toNanos) {
        metric(metric, (toNanos - fromNanos) / 1e6);
    }

    /**
     * Says what the call surely took, however late this process was: for a client that waits for something other than a
     * connection, such as a program, and so knows better than the framework how far the recorded times can be off. Both
     * instants are on {@link System#nanoTime}, before the call ends; the last ones said count.
     *
     * @param fromNanos when at the latest the request had left this process; not before {@code call} was entered
     * @param toNanos when at the earliest the answer was there, had nothing on this machine kept it waiting, which may be
     *     before {@code fromNanos}; {@link Long#MIN_VALUE} if that is not known
     */
    default void tookAtLeast(long fromNanos, long toNanos) {}

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
     * @param kind the cause in a few words, the same for equal causes
     */
    default void fail(long ticket, String kind) {
        fail(ticket, Failure.ofService(kind));
    }

    /**
     * Ends the call that has this ticket as failed. In a blocking client the call ends when {@code call} returns; this
     * only decides how.
     *
     * @param ticket from {@link #ticket}, taken in {@code call}
     * @param failure whose fault and why; {@code ok timeout cancelled unfinished dropped} are reserved for the framework
     */
    void fail(long ticket, Failure failure);
}
