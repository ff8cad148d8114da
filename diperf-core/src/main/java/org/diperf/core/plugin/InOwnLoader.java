package org.diperf.core.plugin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;

/**
 * A plugin of a jar, entered with the jar's loader as the thread's context class loader, because libraries look up
 * their parts through it. The calls themselves are passed on as they are: that much per call would be measured.
 */
record InOwnLoader(ClientPlugin plugin, ClassLoader loader) implements ClientPlugin {

    @Override
    public String id() {
        return plugin.id();
    }

    @Override
    public String summary() {
        return plugin.summary();
    }

    @Override
    public Set<String> schemes() {
        return plugin.schemes();
    }

    @Override
    public String exampleTarget() {
        return plugin.exampleTarget();
    }

    @Override
    public List<Parameter> parameters() {
        return plugin.parameters();
    }

    @Override
    public List<Metric> metrics() {
        return plugin.metrics();
    }

    @Override
    public Set<ClientTrait> traits() {
        return plugin.traits();
    }

    @Override
    public void check(URI target, Parameters with) {
        try (Entered entered = Entered.into(loader)) {
            plugin.check(target, with);
        }
    }

    @Override
    public String shown(boolean sent, byte[] bytes) {
        try (Entered entered = Entered.into(loader)) {
            return plugin.shown(sent, bytes);
        }
    }

    @Override
    public boolean sendsTraces() {
        return plugin.sendsTraces();
    }

    @Override
    public boolean mixes(List<Parameters> requests) {
        try (Entered entered = Entered.into(loader)) {
            return plugin.mixes(requests);
        }
    }

    @Override
    public void probe(URI target, Parameters with, Duration timeout) throws IOException {
        try (Entered entered = Entered.into(loader)) {
            plugin.probe(target, with, timeout);
        }
    }

    @Override
    public List<Annex> annexes(List<URI> targets, Parameters with) throws Exception {
        try (Entered entered = Entered.into(loader)) {
            return plugin.annexes(targets, with);
        }
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws Exception {
        try (Entered entered = Entered.into(loader)) {
            return plugin.standIn(with);
        }
    }

    @Override
    public Optional<StandIn> server(InetSocketAddress listen) throws IOException {
        try (Entered entered = Entered.into(loader)) {
            return plugin.server(listen);
        }
    }

    @Override
    public int serverPort() {
        return plugin.serverPort();
    }

    @Override
    public Session open(SessionContext context) throws Exception {
        try (Entered entered = Entered.into(loader)) {
            return new OwnSession(plugin.open(context), loader);
        }
    }

    private record OwnSession(Session session, ClassLoader loader) implements Session {

        @Override
        public Client newClient() throws Exception {
            try (Entered entered = Entered.into(loader)) {
                Client client = session.newClient();
                if (client instanceof AsyncClient async) {
                    return new OwnAsync(async, loader);
                }
                return new OwnBlocking((BlockingClient) client, loader);
            }
        }

        @Override
        public Class<? extends Client> kind() {
            return session.kind();
        }

        @Override
        public void close() throws Exception {
            try (Entered entered = Entered.into(loader)) {
                session.close();
            }
        }
    }

    private record OwnBlocking(BlockingClient client, ClassLoader loader) implements BlockingClient {

        @Override
        public void open(Context context) throws Exception {
            // The thread is this client's own, so its context stays as it is until close.
            Thread.currentThread().setContextClassLoader(loader);
            client.open(context);
        }

        @Override
        public void call(Call call) throws Exception {
            client.call(call);
        }

        @Override
        public boolean selfTimed() {
            return client.selfTimed();
        }

        @Override
        public void close() throws Exception {
            try (Entered entered = Entered.into(loader)) {
                client.close();
            }
        }
    }

    private record OwnAsync(AsyncClient client, ClassLoader loader) implements AsyncClient {

        @Override
        public void open(Context context) throws Exception {
            try (Entered entered = Entered.into(loader)) {
                client.open(context);
            }
        }

        @Override
        public void call(Call call) throws Exception {
            client.call(call);
        }

        @Override
        public void cancel(Call call) {
            client.cancel(call);
        }

        @Override
        public int callsAtOnce() {
            return client.callsAtOnce();
        }

        @Override
        public boolean sharesConnection() {
            return client.sharesConnection();
        }

        @Override
        public void close() throws Exception {
            try (Entered entered = Entered.into(loader)) {
                client.close();
            }
        }
    }
}
