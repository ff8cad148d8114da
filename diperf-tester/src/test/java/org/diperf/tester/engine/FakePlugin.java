package org.diperf.tester.engine;

import java.util.function.Supplier;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;

/** A plugin whose clients the test makes. */
record FakePlugin(Class<? extends Client> kind, Supplier<Client> clients) implements ClientPlugin, Session {
    @Override
    public String id() {
        return "fake";
    }

    @Override
    public String summary() {
        return "answers by itself";
    }

    @Override
    public Session open(SessionContext context) {
        return this;
    }

    @Override
    public Client newClient() {
        return clients.get();
    }

    @Override
    public void close() {}
}
