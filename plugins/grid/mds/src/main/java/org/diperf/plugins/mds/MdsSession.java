package org.diperf.plugins.mds;

import com.unboundid.ldap.sdk.LDAPException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share. Thread-safe. */
final class MdsSession implements Session {

    private final List<Server> servers;
    private final List<InetSocketAddress[]> addresses = new ArrayList<>();
    private final @Nullable Searches searches;
    private final @Nullable Soap soap;
    private final boolean keeps;
    private final boolean shares;
    private final boolean startsTls;
    private final byte @Nullable [] bind;
    private final @Nullable ClientTls tls;
    private final Recorder recorder;
    private final NanoClock clock;
    private final Map<EventLoop, LoopResources> loopShares = new ConcurrentHashMap<>();
    private final SessionLoops loops = new SessionLoops();

    MdsSession(SessionContext context, NanoClock clock) throws IOException {
        Parameters with = context.with();
        this.recorder = context.recorder();
        this.clock = clock;
        servers = context.targets().stream().map(Server::of).toList();
        for (Server server : servers) {
            addresses.add(server.resolve());
        }
        boolean ldap = servers.stream().anyMatch(Server::isLdap);
        try {
            searches = ldap ? new Searches(with, servers) : null;
        } catch (LDAPException e) {
            throw new IOException("filter: " + e.getMessage(), e);
        }
        soap = servers.stream().allMatch(Server::isLdap) || !with.has("dialect") ? null : new Soap(with, servers);
        keeps = !with.string("connection").equals("new");
        shares = with.string("connection").equals("shared");
        startsTls = ldap && with.bool("start-tls");
        bind = ldap && with.has("bind-dn")
                ? LdapMessage.bind(with.string("bind-dn"), with.has("password") ? with.string("password") : "")
                : null;
        tls = startsTls || servers.stream().anyMatch(Server::isSecure) ? new ClientTls(with) : null;
    }

    @Override
    public Client newClient() {
        return new MdsClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() {
        loops.close();
    }

    /** Returns whether clients share connections. */
    boolean shares() {
        return shares;
    }

    /**
     * Makes a client's way to a target.
     *
     * @param secured what {@link #tlsOf} says
     */
    Connection connectionTo(int target, EventLoop loop, @Nullable SslContext secured) {
        if (!servers.get(target).isLdap()) {
            return new WsrfConnection(this, target, loop, secured);
        }
        LdapConnection made = shares
                ? shareOf(loop).shared(this, target, loop, secured)
                : new LdapConnection(this, target, loop, secured, false);
        made.join();
        return made;
    }

    /** Fills in the query of a call. */
    void prepare(Call call, Query query) throws LDAPException {
        if (searches != null && servers.get(call.targetIndex()).isLdap()) {
            byte[] search = searches.of(call);
            query.begin(search, search.length);
        } else {
            soap().prepare(call, query);
        }
    }

    private Soap soap() {
        if (soap == null) {
            throw new IllegalStateException("No target speaks SOAP");
        }
        return soap;
    }

    SessionLoops loops() {
        return loops;
    }

    LoopResources shareOf(EventLoop loop) {
        return loopShares.computeIfAbsent(loop, any -> new LoopResources(recorder));
    }

    List<Server> servers() {
        return servers;
    }

    InetSocketAddress[] addresses(int target) {
        return addresses.get(target);
    }

    boolean keepsConnections() {
        return keeps;
    }

    boolean startsTls() {
        return startsTls;
    }

    /** Returns the bind request, or {@code null} where there is none. */
    byte @Nullable [] bind() {
        return bind;
    }

    /**
     * Returns what secures a client's connections to a call's target; {@code null}: nothing.
     *
     * @param call one of the client's
     * @throws IOException when the client's certificate cannot be read
     */
    @Nullable
    SslContext tlsOf(Call call) throws IOException {
        Server server = servers.get(call.targetIndex());
        boolean secures = server.isSecure() || (startsTls && server.isLdap());
        return tls == null || !secures ? null : tls.of(call);
    }

    /** Begins to secure a connection; to be called on its event loop. */
    SslHandler handler(@Nullable SslContext secured, ByteBufAllocator alloc, Server server) {
        if (tls == null || secured == null) {
            throw new IllegalStateException("No TLS was prepared for " + server);
        }
        return tls.handler(secured, alloc, server.host(), server.port());
    }

    NanoClock clock() {
        return clock;
    }
}
