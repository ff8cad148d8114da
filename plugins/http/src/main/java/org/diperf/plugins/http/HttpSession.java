package org.diperf.plugins.http;

import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Trust;
import org.jspecify.annotations.Nullable;

/** What the HTTP clients of a tester share. Thread-safe. */
final class HttpSession implements Session {

    private final List<HttpTarget> targets = new ArrayList<>();
    /** Of each target and each way to it, in this order. */
    private final List<InetSocketAddress[]> addresses = new ArrayList<>();

    private final List<InetAddress> sources = new ArrayList<>();
    private final List<Exchange> exchanges = new ArrayList<>();
    private final Proxies proxies;
    private final int tester;
    private final int host;
    private final @Nullable SslContext tls;
    private final Recorder recorder;
    private final NanoClock clock;
    private final Map<EventLoop, LoopShare> shares = new ConcurrentHashMap<>();
    private final SessionLoops loops = new SessionLoops();

    HttpSession(SessionContext context, NanoClock clock) throws IOException {
        Parameters with = context.with();
        this.recorder = context.recorder();
        this.clock = clock;
        context.targets().forEach(uri -> targets.add(HttpTarget.of(uri)));
        tester = context.slot() - 1;
        host = context.host();
        proxies = HttpPlugin.proxies(with);
        List<InetSocketAddress[]> ways = new ArrayList<>();
        for (HttpTarget proxy : proxies.each()) {
            ways.add(proxy.resolve());
        }
        for (HttpTarget target : targets) {
            addresses.addAll(proxies.any() ? ways : List.of(new InetSocketAddress[][] {target.resolve()}));
        }
        for (Text source : with.texts("source-addresses")) {
            sources.add(InetAddress.getByName(source.fixed().strip()));
        }
        for (Parameters request : context.requests()) {
            byte[] file = request.has("body-file") ? Files.readAllBytes(Path.of(request.string("body-file"))) : null;
            exchanges.add(Exchange.of(request, targets, file));
        }
        tls = targets.stream().anyMatch(HttpTarget::tls) ? Trust.of(with) : null;
    }

    @Override
    public Client newClient() {
        return new HttpClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() {
        loops.close();
    }

    SessionLoops loops() {
        return loops;
    }

    LoopShare shareOf(EventLoop loop) {
        return shares.computeIfAbsent(loop, any -> new LoopShare(recorder));
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

    HttpTarget target(int lane) {
        return targets.get(lane / proxies.ways());
    }

    InetSocketAddress[] addresses(int lane) {
        return addresses.get(lane);
    }

    /** Returns how a call is made and judged. */
    Exchange exchangeOf(Call call) {
        return exchanges.get(exchanges.size() == 1 ? 0 : call.request());
    }

    boolean isProxied() {
        return proxies.any();
    }

    @Nullable
    SslContext tls() {
        return tls;
    }

    NanoClock clock() {
        return clock;
    }
}
