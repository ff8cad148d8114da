package org.diperf.plugins.mds;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;

/** What the clients of a tester share. Thread-safe. */
final class WsGramSession implements Session {

    private final MdsSession targets;
    private final WsGramMessages messages;
    private final boolean follows;
    private final List<InetAddress> addresses = new ArrayList<>();
    private final Map<Place, WsGramListener> listeners = new ConcurrentHashMap<>();
    private final String prefix = "uuid:" + UUID.randomUUID() + "-";
    private final AtomicLong ids = new AtomicLong();

    /** Where a listener is: on a loop, at the address that one target sees. */
    private record Place(EventLoop loop, InetAddress address) {}

    WsGramSession(SessionContext context, NanoClock clock) throws IOException {
        Parameters with = context.with();
        targets = new MdsSession(context, clock);
        follows = !with.string("until").equals("created");
        messages = new WsGramMessages(
                with.text("executable"),
                with.texts("arguments"),
                with.string("connection").equals("keep"));
        for (int i = 0; i < targets.servers().size(); i++) {
            // The system chooses the address from which that host is reached; nothing is sent.
            try (DatagramSocket way = new DatagramSocket()) {
                way.connect(targets.addresses(i)[0]);
                addresses.add(way.getLocalAddress());
            }
        }
    }

    @Override
    public Client newClient() {
        return new WsGramClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() {
        listeners.values().forEach(WsGramListener::close);
        targets.close();
    }

    /** Returns the services and the ways there. */
    MdsSession targets() {
        return targets;
    }

    WsGramMessages messages() {
        return messages;
    }

    /** Returns whether jobs are followed to their ends. */
    boolean follows() {
        return follows;
    }

    /** Returns a name that no other job has. */
    String nextId() {
        return prefix + ids.incrementAndGet();
    }

    WsGramListener listenerOf(EventLoop loop, int target) {
        return listeners.computeIfAbsent(
                new Place(loop, addresses.get(target)), place -> new WsGramListener(loop, place.address()));
    }
}
