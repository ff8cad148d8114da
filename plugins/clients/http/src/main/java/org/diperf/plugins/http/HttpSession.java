package org.diperf.plugins.http;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.http2.Http2Clients;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the HTTP clients of a tester share. Thread-safe. */
final class HttpSession extends LoopSession {

    private final List<HttpTarget> targets = new ArrayList<>();
    /** Of each target and each way to it, in this order. */
    private final List<Addresses> addresses = new ArrayList<>();

    private final List<InetAddress> sources = new ArrayList<>();
    /** Those of HTTP/1.1. */
    private final List<RequestWriter> requests = new ArrayList<>();

    private final Memory memory;
    private final Proxies proxies;
    private final int tester;
    private final int host;
    private final @Nullable ClientTls tls;
    private final NanoClock clock;
    private final @Nullable Http2Requests version2;
    private final Map<EventLoop, LoopResources> shares = new ConcurrentHashMap<>();
    private final Http2Clients http2;
    private final RedirectHosts redirectHosts = new RedirectHosts();

    HttpSession(SessionContext context, NanoClock clock) throws IOException {
        super(new SessionLoops(context.timeout(), clock, context.recorder()));
        Parameters with = context.with();
        this.clock = clock;
        memory = context.memory();
        context.targets().forEach(uri -> targets.add(HttpTarget.of(uri)));
        tester = context.slot() - 1;
        host = context.host();
        proxies = HttpPlugin.proxies(with);
        List<Addresses> ways = new ArrayList<>();
        for (HttpTarget proxy : proxies.each()) {
            ways.add(proxy.server().resolve());
        }
        for (HttpTarget target : targets) {
            addresses.addAll(proxies.any() ? ways : List.of(target.server().resolve()));
        }
        for (Text source : with.texts("source-addresses")) {
            sources.add(InetAddress.getByName(source.fixed().strip()));
        }
        boolean is2 = HttpPlugin.isVersion2(with);
        version2 = is2 ? new Http2Requests(context.requests(), targets) : null;
        if (!is2) {
            for (Parameters request : context.requests()) {
                requests.add(new RequestWriter(request, targets, RequestBody.of(request)));
            }
        }
        String[] protocols = is2 ? new String[] {"h2"} : new String[0];
        // A redirect may lead from http to https.
        boolean mayBeSecure = targets.stream().anyMatch(HttpTarget::tls)
                || context.requests().stream().anyMatch(request -> request.integer("follow") > 0);
        tls = mayBeSecure ? new ClientTls(with, protocols) : null;
        http2 = new Http2Clients(context, loops(), clock);
    }

    @Override
    public Client newClient() {
        return version2 == null ? new HttpClient(this) : new Http2Client(this, version2);
    }

    @Override
    public void close() {
        redirectHosts.close();
        super.close();
    }

    /** Returns what the clients have in common that speak HTTP/2. */
    Http2Clients http2() {
        return http2;
    }

    /**
     * Returns a target as a call's client connects to it by HTTP/2: the same object for all clients that may share a connection.
     *
     * @param place of the target, from 0
     * @throws IOException when the client's certificate cannot be read
     */
    Http2Peer peer(Call call, int place) throws IOException {
        return http2.peer(place, addresses.get(place), tlsOf(call, targets.get(place)), sourceOf(call.client()));
    }

    /**
     * Returns a server that is no target likewise.
     *
     * @throws IOException when the client's certificate cannot be read
     */
    Http2Peer peer(Call call, HttpTarget other, Addresses itsAddresses) throws IOException {
        return http2.other(other.origin(), itsAddresses, tlsOf(call, other), sourceOf(call.client()));
    }

    /**
     * Returns what secures a client's connections to a target; {@code null}: nothing.
     *
     * @param call one of the client's
     * @throws IOException when the client's certificate cannot be read
     */
    @Nullable
    Security tlsOf(Call call, HttpTarget target) throws IOException {
        return tls == null || !target.tls() ? null : tls.of(call, target.server());
    }

    LoopResources shareOf(EventLoop loop) {
        return shares.computeIfAbsent(loop, any -> new LoopResources());
    }

    /** Returns the local address of a client; {@code null} where the kernel may choose. */
    @Nullable
    InetSocketAddress sourceOf(int client) {
        return sources.isEmpty() ? null : new InetSocketAddress(sources.get(client % sources.size()), 0);
    }

    /** Counts the connections that a client may have: one for each target and each way to it. */
    int lanes() {
        return addresses.size();
    }

    /** Returns the place of a call's connection among its client's. */
    int laneOf(Call call) {
        int target = call.targetIndex();
        return proxies.any()
                ? target * proxies.ways() + proxies.wayOf(call.client(), tester, host, call.number())
                : target;
    }

    /**
     * Returns the place of the connection that leads to a server among those of a call's client.
     *
     * @return -1 where it is none of the experiment's targets
     */
    int laneTo(Call call, HttpTarget server) {
        int own = laneOf(call);
        if (target(own).isSameOrigin(server)) {
            return own;
        }
        for (int i = 0; i < targets.size(); i++) {
            if (targets.get(i).isSameOrigin(server)) {
                return i * proxies.ways() + own % proxies.ways();
            }
        }
        return -1;
    }

    /** Returns where connections to hosts that are no targets go; {@code null}: that has to be found first. */
    @Nullable
    Addresses addressesOf(Call call, HttpTarget other) {
        return isProxied() ? addressesOf(laneOf(call)) : redirectHosts.known(other);
    }

    /** Returns what finds hosts that are no targets. */
    RedirectHosts redirectHosts() {
        return redirectHosts;
    }

    HttpTarget target(int lane) {
        return targets.get(lane / proxies.ways());
    }

    Addresses addressesOf(int lane) {
        return addresses.get(lane);
    }

    /** Returns what writes a call's requests of HTTP/1.1. */
    RequestWriter requestsOf(Call call) {
        return requests.get(requests.size() == 1 ? 0 : call.request());
    }

    /** Returns what proxies are told of who asks; empty: nothing. */
    String proxyAuthorization() {
        return proxies.authorization();
    }

    boolean isProxied() {
        return proxies.any();
    }

    /** Returns what counts the memory that clients keep of answers. */
    Memory memory() {
        return memory;
    }

    NanoClock clock() {
        return clock;
    }
}
