package org.diperf.core.spi;

import java.util.Locale;

/**
 * One simulated user of the service (a virtual user). It is either a {@link BlockingClient} or an {@link AsyncClient}.
 *
 * <p>The framework makes one instance per simulated client, so its fields need no locks: every method below is called
 * only by the client's owner. A blocking client is owned by its own thread, an asynchronous client by an event loop of
 * the tester.
 *
 * <p>A class with a public no-argument constructor that is named in
 * {@code META-INF/services/org.diperf.core.spi.Client} is a complete plugin: its parameters are its fields annotated with
 * {@link Param}, its metrics its constants (static and final) of type {@link Metric}. A plugin whose clients share something,
 * such as a pool, implements {@link ClientPlugin}.
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
     * Prepares this client; not timed. Called once by the owner, before the first call: in closed load before the run
     * starts, in open load at the latest when the client is first needed. A client whose life in the load has ended is
     * closed; if its number is due again, a new one is made and opened shortly before.
     *
     * <p>An asynchronous client must not block here.
     *
     * @param context the client's identity and parameters
     * @throws Exception if the client cannot work; its calls are then recorded as failed with this reason
     */
    default void open(Context context) throws Exception {}

    /**
     * Releases what {@link #open} acquired. Called once by the owner, after the last call has ended, even if {@code open}
     * failed: when the client's life in the load is over, or at the end of the run. Other clients may still be calling.
     * An asynchronous client must not block here; a blocking one is interrupted if it takes longer than the timeout.
     *
     * @throws Exception logged once per kind and otherwise ignored
     */
    default void close() throws Exception {}
}
