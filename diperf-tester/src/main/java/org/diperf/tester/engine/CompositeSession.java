package org.diperf.tester.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.CallState;
import org.jspecify.annotations.Nullable;

/**
 * Lets a simulated client make several requests although the clients of one session make only some of them: it is one client of
 * each session.
 */
final class CompositeSession implements Session {

    private final List<Opened> sessions;
    private final int[] sessionOf;
    private final boolean onLoop;

    /**
     * A session of a plugin.
     *
     * @param with parameters of its first request
     * @param target that all of its requests go to; {@code null}: the client's
     */
    record Opened(
            Session session, Parameters with, @Nullable Url target) {}

    /**
     * @param sessions in the order of their numbers
     * @param sessionOf for each request the number of the session that makes it
     * @param onLoop whether its clients belong to a loop though all of the sessions' may block
     */
    CompositeSession(List<Opened> sessions, int[] sessionOf, boolean onLoop) {
        this.onLoop = onLoop;
        this.sessions = List.copyOf(sessions);
        this.sessionOf = sessionOf.clone();
    }

    @Override
    public Client newClient() throws Exception {
        List<Client> clients = new ArrayList<>();
        boolean async = AsyncClient.class.isAssignableFrom(kind());
        for (Opened each : sessions) {
            Client client = each.session().newClient();
            clients.add(async && client instanceof BlockingClient blocking ? new ThreadBackedClient(blocking) : client);
        }
        Parts parts = new Parts(clients, sessions, sessionOf);
        return async ? new Async(parts) : new Blocking(parts);
    }

    @Override
    public Class<? extends Client> kind() {
        boolean anyOnLoop = onLoop
                || sessions.stream()
                        .anyMatch(each -> AsyncClient.class.isAssignableFrom(
                                each.session().kind()));
        return anyOnLoop ? AsyncClient.class : BlockingClient.class;
    }

    @Override
    public void close() throws Exception {
        Exception failure = null;
        for (Opened each : sessions) {
            try {
                each.session().close();
            } catch (Exception e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private record Parts(List<Client> clients, List<Opened> sessions, int[] sessionOf) {

        void open(Context context) throws Exception {
            for (int i = 0; i < clients.size(); i++) {
                Url target = sessions.get(i).target();
                clients.get(i)
                        .open(new OfSession(
                                context, sessions.get(i).with(), target == null ? context.target() : target));
            }
        }

        Client of(Call call) {
            return clients.get(sessionOf[((CallState) call).requestNumber()]);
        }

        void close() throws Exception {
            Exception failure = null;
            for (Client client : clients) {
                try {
                    client.close();
                } catch (Exception e) {
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    private record Blocking(Parts parts) implements BlockingClient {

        @Override
        public void open(Context context) throws Exception {
            parts.open(context);
        }

        @Override
        public void call(Call call) throws Exception {
            ((BlockingClient) parts.of(call)).call(call);
        }

        @Override
        public boolean selfTimed() {
            return parts.clients().stream().anyMatch(client -> ((BlockingClient) client).selfTimed());
        }

        @Override
        public void close() throws Exception {
            parts.close();
        }
    }

    private record Async(Parts parts) implements AsyncClient {

        @Override
        public void open(Context context) throws Exception {
            parts.open(context);
        }

        @Override
        public void call(Call call) throws Exception {
            ((AsyncClient) parts.of(call)).call(call);
        }

        @Override
        public void connect(Call call) throws Exception {
            ((AsyncClient) parts.of(call)).connect(call);
        }

        @Override
        public void cancel(Call call) {
            ((AsyncClient) parts.of(call)).cancel(call);
        }

        @Override
        public int callsAtOnce() {
            return parts.clients().stream()
                    .mapToInt(client -> ((AsyncClient) client).callsAtOnce())
                    .min()
                    .orElse(1);
        }

        @Override
        public boolean sharesConnection() {
            return parts.clients().stream().anyMatch(client -> ((AsyncClient) client).sharesConnection());
        }

        @Override
        public void close() throws Exception {
            parts.close();
        }
    }

    private record OfSession(Context context, Parameters with, Url target) implements Context {

        @Override
        public int client() {
            return context.client();
        }

        @Override
        public Duration timeout() {
            return context.timeout();
        }

        @Override
        public Recorder recorder() {
            return context.recorder();
        }

        @Override
        public Loop loop() {
            return context.loop();
        }
    }
}
