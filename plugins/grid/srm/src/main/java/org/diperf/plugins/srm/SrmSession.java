package org.diperf.plugins.srm;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.gridftp.data.SessionResources;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.srm.SrmTarget.Transport;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share: managers, credentials, and the servers that transfer URLs name. Thread-safe. */
final class SrmSession implements Session {

    /** Of HTTPG, a record of its own, as the servers' GSI library reads it. */
    private static final byte[] NO_DELEGATION = {'0'};

    private final List<SrmTarget> targets;
    private final List<Addresses> addresses = new ArrayList<>();
    private final SrmSettings settings;
    private final SessionResources resources;
    private final @Nullable GsiCredentials gsi;
    private final NanoClock clock;
    private final Memory memory;
    private final Map<EventLoop, XMLInputFactory> readers = new ConcurrentHashMap<>();
    private final TransferServers servers =
            new TransferServers(named -> new InetSocketAddress(named.getHostString(), named.getPort()));

    SrmSession(SessionContext context, NanoClock clock) throws IOException {
        Parameters with = context.with();
        this.clock = clock;
        memory = context.memory();
        settings = SrmSettings.of(with);
        targets = context.targets().stream().map(SrmTarget::of).toList();
        for (SrmTarget target : targets) {
            addresses.add(target.server().resolve());
        }
        boolean secure = targets.stream().anyMatch(SrmTarget::isSecure);
        gsi = secure || with.has(GsiCredentials.PROXY_FILE.name())
                ? GsiCredentials.of(with, "a target is srm://")
                : null;
        resources = new SessionResources(context, settings.transfers(), gsi, clock);
    }

    @Override
    public Client newClient() {
        return new SrmClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() throws IOException {
        resources.close();
    }

    SrmSettings settings() {
        return settings;
    }

    SrmTarget target(int index) {
        return targets.get(index);
    }

    int targets() {
        return targets.size();
    }

    /** Makes a client's way to a manager. */
    HttpClientConnection line(int index, int client, EventLoop loop) {
        SrmTarget target = targets.get(index);
        return new HttpClientConnection(
                resources.loops().dialer(loop, addresses.get(index), client),
                target.isSecure() ? gsi().security(target.server()) : null,
                keepsConnections(),
                target.transport() == Transport.HTTPG ? NO_DELEGATION : null,
                clock,
                memory);
    }

    SessionResources resources() {
        return resources;
    }

    NanoClock clock() {
        return clock;
    }

    boolean keepsConnections() {
        return settings.transfers().keepsSession();
    }

    XMLInputFactory readersOf(EventLoop loop) {
        return readers.computeIfAbsent(loop, any -> Xml.readers());
    }

    boolean hasGsi() {
        return gsi != null;
    }

    GsiCredentials gsi() {
        if (gsi == null) {
            throw new IllegalStateException("No target needs GSI");
        }
        return gsi;
    }

    TransferServers servers() {
        return servers;
    }
}
