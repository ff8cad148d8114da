package org.diperf.tester.engine;

import java.time.Duration;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.ClientFactory;
import org.jspecify.annotations.Nullable;

/** Makes the clients of one session and what they are told. */
final class ClientContexts implements ClientFactory {

    private final Session session;
    private final RunSetup setup;
    private final Parameters with;
    private final Records records;

    ClientContexts(Session session, RunSetup setup, Parameters with, Records records) {
        this.session = session;
        this.setup = setup;
        this.with = with;
        this.records = records;
    }

    @Override
    public Client newClient() throws Exception {
        return session.newClient();
    }

    @Override
    public Context context(int client, @Nullable Loop loop) {
        Url target = setup.targets().each().get(setup.targetOf(client, 0));
        return new ClientContext(client, target, setup.longestTimeout(), with, records.recorder(client), loop);
    }

    private record ClientContext(
            int client,
            Url target,
            Duration timeout,
            Parameters with,
            Recorder recorder,
            @Nullable Loop owner) implements Context {

        @Override
        public Loop loop() {
            if (owner == null) {
                throw new IllegalStateException("Context.loop is for asynchronous clients; this one is a"
                        + " BlockingClient and has a thread instead");
            }
            return owner;
        }
    }
}
