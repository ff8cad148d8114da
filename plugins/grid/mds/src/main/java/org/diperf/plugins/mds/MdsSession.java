package org.diperf.plugins.mds;

import com.unboundid.ldap.sdk.LDAPException;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.soap.NotificationListener;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share. Thread-safe. */
final class MdsSession extends LoopSession {

    private final List<Server> servers;
    private final @Nullable SearchRequests searches;
    private final @Nullable Soap soap;
    private final boolean keeps;
    private final boolean shares;
    private final boolean startsTls;
    private final byte @Nullable [] bind;
    private final @Nullable ClientTls tls;
    private final NanoClock clock;
    private final Memory memory;
    private final Map<EventLoop, LoopResources> loopShares = new ConcurrentHashMap<>();
    private final Operation operation;
    private final @Nullable NotificationMessages notifications;
    /** By target, where this side listens. */
    private final List<InetAddress> locals = new ArrayList<>();

    private final Map<Place, NotificationListener> listeners = new ConcurrentHashMap<>();
    private final String prefix = UUID.randomUUID() + "-";
    private final AtomicLong ids = new AtomicLong();

    /** Where a listener is: on a loop, at the address that one target sees. */
    private record Place(EventLoop loop, InetAddress address) {}

    MdsSession(SessionContext context, NanoClock clock) throws IOException {
        super(
                new SessionLoops(context.timeout(), clock, context.recorder()),
                context.targets(),
                uri -> Server.of(uri).at());
        Parameters with = context.with();
        this.clock = clock;
        memory = context.memory();
        servers = context.targets().stream().map(Server::of).toList();
        boolean ldap = servers.stream().anyMatch(Server::isLdap);
        try {
            searches = ldap ? new SearchRequests(with, servers) : null;
        } catch (LDAPException e) {
            throw new IOException("filter: " + e.getMessage(), e);
        }
        operation = Operation.of(with);
        boolean queries = operation == Operation.QUERY;
        soap = servers.stream().allMatch(Server::isLdap) || !with.has("dialect") || !queries
                ? null
                : new Soap(with, servers);
        notifications = queries ? null : new NotificationMessages(with);
        for (int i = 0; operation.subscribes() && i < servers.size(); i++) {
            locals.add(NotificationListener.addressTowards(addresses(i).first()));
        }
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
        return operation == Operation.QUERY ? new MdsClient(this) : new NotificationClient(this);
    }

    @Override
    public void close() {
        listeners.values().forEach(NotificationListener::close);
        super.close();
    }

    Operation operation() {
        return operation;
    }

    /** Returns what subscribes and publishes; for operations that do. */
    NotificationMessages notifications() {
        if (notifications == null) {
            throw new IllegalStateException("Queries are no notifications");
        }
        return notifications;
    }

    /** Returns a name that no other subscription has. */
    String nextId() {
        return prefix + ids.incrementAndGet();
    }

    /** Returns where notifications of a target come to. */
    NotificationListener listenerOf(EventLoop loop, int target) {
        return listeners.computeIfAbsent(
                new Place(loop, locals.get(target)), place -> new NotificationListener(loop, place.address()));
    }

    HttpTarget http(int target) {
        return servers.get(target).http();
    }

    /** Makes a client's way to a target by HTTP. */
    HttpClientConnection line(int target, int client, EventLoop loop, @Nullable Security secured) {
        return new HttpClientConnection(
                loops().dialer(loop, addresses(target), client), secured, keeps, null, clock, memory);
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
    Connection connectionTo(int target, int client, EventLoop loop, @Nullable Security secured) {
        LoopResources share = shareOf(loop);
        Server server = servers.get(target);
        if (!server.isLdap()) {
            return new WsrfConnection(line(target, client, loop, secured));
        }
        Dialer dialer = loops().dialer(loop, addresses(target), client);
        LdapConnection made = shares
                ? share.shared(target, any -> new LdapConnection(this, server, loop, dialer, secured, true))
                : new LdapConnection(this, server, loop, dialer, secured, false);
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
            throw new IllegalStateException("No target uses SOAP");
        }
        return soap;
    }

    LoopResources shareOf(EventLoop loop) {
        return loopShares.computeIfAbsent(loop, any -> new LoopResources());
    }

    List<Server> servers() {
        return servers;
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
    Security tlsOf(Call call) throws IOException {
        Server server = servers.get(call.targetIndex());
        boolean secures = server.isSecure() || (startsTls && server.isLdap());
        return tls == null || !secures ? null : tls.of(call, server.at());
    }

    NanoClock clock() {
        return clock;
    }
}
