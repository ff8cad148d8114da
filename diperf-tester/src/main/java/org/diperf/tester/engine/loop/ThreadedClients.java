package org.diperf.tester.engine.loop;

import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.jspecify.annotations.Nullable;

/**
 * Gives blocking clients a thread each.
 *
 * @param lock of their loop
 * @param maker of the blocking clients
 */
public record ThreadedClients(LoopLock lock, ClientFactory maker) implements ClientFactory {

    @Override
    public Client newClient() {
        return new ThreadedClient(lock, maker);
    }

    @Override
    public Context context(int client, @Nullable Loop loop) {
        return maker.context(client, null);
    }
}
