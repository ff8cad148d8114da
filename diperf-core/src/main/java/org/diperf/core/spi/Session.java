package org.diperf.core.spi;

/** A plugin opened in one tester: holds what its clients share, such as pools, caches and parsed parameters. */
public interface Session extends AutoCloseable {

    /**
     * Makes one simulated client. Called on the thread that will own it: for an asynchronous client its event loop, for
     * a blocking client its thread. May be called concurrently for different clients.
     *
     * @return a new client of the kind that this session always makes; the framework then opens it
     * @throws Exception if it cannot be made; its calls are recorded as failed with this reason
     */
    Client newClient() throws Exception;

    /** Returns the kind of its clients: {@code AsyncClient} or {@code BlockingClient}; asked once. */
    Class<? extends Client> kind();

    /** Releases what the session holds; called once, after all clients are closed. */
    @Override
    default void close() throws Exception {}
}
