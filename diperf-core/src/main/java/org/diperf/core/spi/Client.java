package org.diperf.core.spi;

import java.util.Locale;

/**
 * One simulated user of the service (a virtual user). It is either a {@link BlockingClient} or an {@link AsyncClient}.
 *
 * <p>The framework makes one instance per simulated client, so its fields need no locks: every method below is called
 * by the client's owner alone. The owner of a blocking client is a thread of its own, that of an asynchronous client is
 * an event loop of the tester.
 *
 * <p>A class with a public no-argument constructor that is named in
 * {@code META-INF/services/org.diperf.core.spi.Client} is a whole plugin: its parameters are its fields marked
 * {@link Param}. A plugin that shares something between clients, such as a pool, implements {@link ClientPlugin}.
 */
public sealed interface Client permits BlockingClient, AsyncClient {

    /**
     * Names the plugin, in lower case, for one-class plugins only; stable, because experiment files use it.
     *
     * @return by default the class's simple name without a trailing {@code Client}, in lower case with hyphens:
     *     {@code QuoteClient} is {@code quote}
     */
    default String id() {
        String name = getClass().getSimpleName().replaceFirst("(?<=.)Client$", "");
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /**
     * Prepares this client; not timed. Called once by the owner, before the first call: for the clients of closed load
     * before the start instant of the run, for those of open load at the latest when they are first needed. A client whose
     * life in the load has ended is closed; when its number is due again, a new one is made and opened shortly before.
     *
     * <p>An asynchronous client must not block here.
     *
     * @param context what this client is and what it was given
     * @throws Exception when the client cannot work; its calls are then recorded as failed with this reason
     */
    default void open(Context context) throws Exception {}

    /**
     * Releases what {@link #open} took; called once by the owner, after the last call has ended, also when {@code open}
     * failed. That is when the client's life in the load is over, or when the run is: other clients may still call. An
     * asynchronous client must not block here; a blocking one is interrupted when it takes longer than the timeout.
     *
     * @throws Exception is logged once per kind and otherwise ignored
     */
    default void close() throws Exception {}
}
