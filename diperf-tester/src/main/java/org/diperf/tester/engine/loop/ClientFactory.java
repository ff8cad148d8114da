package org.diperf.tester.engine.loop;

import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.jspecify.annotations.Nullable;

/** Makes a plugin's clients and tells them who they are. Thread-safe. */
public interface ClientFactory {

    /** Makes a client that is not opened yet. */
    Client newClient() throws Exception;

    /**
     * Makes what the client is told.
     *
     * @param client number in the whole run
     * @param loop its owner, {@code null} for a blocking client
     */
    Context context(int client, @Nullable Loop loop);
}
