package org.diperf.core.spi;

/** A plugin at work in one tester: holds what its clients share, such as pools, caches and parsed parameters. */
public interface Session extends AutoCloseable {

    /**
     * Makes one simulated client. Called on the thread that will own it: for an asynchronous client its event loop, for
     * a blocking client its thread. Calls for different clients may come at the same time.
     *
     * @return a new client of the kind that this session always makes; the framework then opens it
     * @throws Exception when it cannot be made; its calls are recorded as failed with this reason
     */
    Client newClient() throws Exception;

    /** Says of which kind the clients are: {@code AsyncClient} or {@code BlockingClient}; asked once. */
    Class<? extends Client> kind();

    /** Releases what the session holds; called once, when all clients are closed. */
    @Override
    default void close() throws Exception {}
}
