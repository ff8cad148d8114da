package org.diperf.tester.engine;

import java.net.URI;
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

/**
 * Lets a simulated client make several requests although its plugin's clients make only one: it is one client of the plugin
 * for each of them, each of a session of its own.
 */
final class MixedSession implements Session {

    private final List<Session> sessions;
    private final List<Parameters> requests;

    /**
     * @param sessions one for each request, all of one kind
     * @param requests their parameters
     */
    MixedSession(List<Session> sessions, List<Parameters> requests) {
        this.sessions = List.copyOf(sessions);
        this.requests = List.copyOf(requests);
    }

    @Override
    public Client newClient() throws Exception {
        List<Client> clients = new ArrayList<>();
        for (Session session : sessions) {
            clients.add(session.newClient());
        }
        return AsyncClient.class.isAssignableFrom(kind())
                ? new Async(new Parts(clients, requests))
                : new Blocking(new Parts(clients, requests));
    }

    @Override
    public Class<? extends Client> kind() {
        return sessions.get(0).kind();
    }

    @Override
    public void close() throws Exception {
        Exception failure = null;
        for (Session session : sessions) {
            try {
                session.close();
            } catch (Exception e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private record Parts(List<Client> clients, List<Parameters> requests) {

        void open(Context context) throws Exception {
            for (int i = 0; i < clients.size(); i++) {
                clients.get(i).open(new OfRequest(context, requests.get(i)));
            }
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
            ((BlockingClient) parts.clients().get(call.request())).call(call);
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
            ((AsyncClient) parts.clients().get(call.request())).call(call);
        }

        @Override
        public void cancel(Call call) {
            ((AsyncClient) parts.clients().get(call.request())).cancel(call);
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

    private record OfRequest(Context context, Parameters with) implements Context {

        @Override
        public int client() {
            return context.client();
        }

        @Override
        public URI target() {
            return context.target();
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
