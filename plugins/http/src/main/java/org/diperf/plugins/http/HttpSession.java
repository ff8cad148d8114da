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
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.plugins.netty.SessionLoops;
import org.diperf.plugins.netty.Trust;
import org.jspecify.annotations.Nullable;

/** What the HTTP clients of a tester share. Thread-safe. */
final class HttpSession implements Session {

    private final List<HttpTarget> targets = new ArrayList<>();
    private final List<InetSocketAddress[]> addresses = new ArrayList<>();
    private final List<InetAddress> sources = new ArrayList<>();
    private final Requests requests;
    private final Statuses expected;
    private final boolean keep;
    private final boolean head;
    private final boolean proxied;
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
        proxied = with.has("proxy");
        InetSocketAddress[] proxy =
                proxied ? HttpTarget.proxy(with.string("proxy")).resolve() : null;
        for (HttpTarget target : targets) {
            addresses.add(proxy != null ? proxy : target.resolve());
        }
        for (Text source : with.texts("source-addresses")) {
            sources.add(InetAddress.getByName(source.toString().strip()));
        }
        byte[] file = with.has("body-file") ? Files.readAllBytes(Path.of(with.string("body-file"))) : null;
        requests = new Requests(with, targets, file);
        expected = new Statuses(with.texts("expect"));
        keep = with.string("connection").equals("keep");
        head = with.string("method").equals("HEAD");
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

    /** Gives the local address of a client; {@code null} where the kernel may choose. */
    @Nullable
    InetSocketAddress sourceOf(int client) {
        return sources.isEmpty() ? null : new InetSocketAddress(sources.get(client % sources.size()), 0);
    }

    List<HttpTarget> targets() {
        return targets;
    }

    InetSocketAddress[] addresses(int target) {
        return addresses.get(target);
    }

    Requests requests() {
        return requests;
    }

    Statuses expected() {
        return expected;
    }

    boolean keepsConnections() {
        return keep;
    }

    boolean asksForHeadersOnly() {
        return head;
    }

    boolean isProxied() {
        return proxied;
    }

    @Nullable
    SslContext tls() {
        return tls;
    }

    NanoClock clock() {
        return clock;
    }
}
