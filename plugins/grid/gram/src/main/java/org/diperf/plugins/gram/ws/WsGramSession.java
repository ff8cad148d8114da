package org.diperf.plugins.gram.ws;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.soap.NotificationListener;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share. Thread-safe. */
final class WsGramSession extends LoopSession {

    private final List<HttpTarget> servers;
    private final List<InetAddress> locals = new ArrayList<>();
    private final @Nullable ClientTls tls;
    private final WsGramMessages messages;
    private final boolean keeps;
    private final boolean follows;
    private final NanoClock clock;
    private final Memory memory;
    private final Map<Place, NotificationListener> listeners = new ConcurrentHashMap<>();
    private final Map<EventLoop, XMLInputFactory> readers = new ConcurrentHashMap<>();
    private final String prefix = "uuid:" + UUID.randomUUID() + "-";
    private final AtomicLong ids = new AtomicLong();

    /** Where a listener is: on a loop, at the address that one target sees. */
    private record Place(EventLoop loop, InetAddress address) {}

    WsGramSession(SessionContext context, NanoClock clock) throws IOException {
        super(
                new SessionLoops(context.timeout(), clock, context.recorder()),
                context.targets(),
                uri -> HttpTarget.of(uri).server());
        Parameters with = context.with();
        this.clock = clock;
        memory = context.memory();
        keeps = with.string("connection").equals("keep");
        follows = !with.string("until").equals("created");
        messages = new WsGramMessages(with.text("executable"), with.texts("arguments"), keeps);
        servers = context.targets().stream().map(HttpTarget::of).toList();
        tls = servers.stream().anyMatch(HttpTarget::tls) ? new ClientTls(with) : null;
        for (int i = 0; i < servers.size(); i++) {
            locals.add(NotificationListener.addressTowards(addresses(i).first()));
        }
    }

    @Override
    public Client newClient() {
        return new WsGramClient(this);
    }

    @Override
    public void close() {
        listeners.values().forEach(NotificationListener::close);
        super.close();
    }

    HttpTarget server(int target) {
        return servers.get(target);
    }

    /**
     * Returns what secures a client's connections to a call's target; {@code null}: nothing.
     *
     * @param call one of the client's
     * @throws IOException when the client's certificate cannot be read
     */
    @Nullable
    Security tlsOf(Call call) throws IOException {
        HttpTarget server = servers.get(call.targetIndex());
        return tls == null || !server.tls() ? null : tls.of(call, server.server());
    }

    /** Makes a client's way to a target. */
    HttpClientConnection line(int target, int client, EventLoop loop, @Nullable Security secured) {
        return new HttpClientConnection(
                loops().dialer(loop, addresses(target), client), secured, keeps, null, clock, memory);
    }

    XMLInputFactory readersOf(EventLoop loop) {
        return readers.computeIfAbsent(loop, any -> Xml.readers());
    }

    NanoClock clock() {
        return clock;
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

    NotificationListener listenerOf(EventLoop loop, int target) {
        return listeners.computeIfAbsent(
                new Place(loop, locals.get(target)), place -> new NotificationListener(loop, place.address()));
    }
}
