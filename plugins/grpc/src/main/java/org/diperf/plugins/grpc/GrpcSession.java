package org.diperf.plugins.grpc;

import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
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
import org.diperf.plugins.lib.http2.Http2Loop;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the gRPC clients of a tester share. Thread-safe. */
final class GrpcSession implements Session {

    private final List<GrpcTarget> targets = new ArrayList<>();
    private final List<InetSocketAddress[]> addresses = new ArrayList<>();
    private final List<GrpcRequest> requests = new ArrayList<>();
    private final @Nullable ClientTls tls;
    private final int streams;
    private final Recorder recorder;
    private final NanoClock clock;
    private final Map<List<Object>, Http2Peer> peers = new ConcurrentHashMap<>();
    private final Map<EventLoop, Http2Loop> loopShares = new ConcurrentHashMap<>();
    private final SessionLoops loops = new SessionLoops();

    /**
     * @throws IOException when targets, descriptors or certificates cannot be had
     */
    GrpcSession(SessionContext context, NanoClock clock) throws IOException {
        Parameters with = context.with();
        this.recorder = context.recorder();
        this.clock = clock;
        this.streams = (int) with.integer("streams");
        context.targets().forEach(uri -> targets.add(GrpcTarget.of(uri)));
        for (GrpcTarget target : targets) {
            addresses.add(Addresses.of(target.host(), target.port()));
        }
        tls = targets.stream().anyMatch(GrpcTarget::tls) ? new ClientTls(with, "h2") : null;
        Schema reflected = reflect(context.requests());
        RequestHead.Family family = new RequestHead.Family();
        for (Parameters request : context.requests()) {
            Schema schema = request.has("descriptors") ? descriptors(request.string("descriptors")) : reflected;
            requests.add(new GrpcRequest(request, schema, targets, family, context.timeout()));
        }
    }

    private static Schema descriptors(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            throw new IOException("descriptors: wanted a file on the tester, found none at " + path);
        }
        Schema schema = new Schema();
        try {
            schema.addSet(Files.readAllBytes(path));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "descriptors: wanted a set of descriptors, of protoc --include_imports"
                            + " --descriptor_set_out, found something else in " + path,
                    e);
        }
        return schema;
    }

    /** Asks the first target for what no file describes. */
    private @Nullable Schema reflect(List<Parameters> all) throws IOException {
        List<String> services = all.stream()
                .filter(with -> !with.has("descriptors"))
                .map(with -> with.string("method").replaceAll("/.*", ""))
                .distinct()
                .toList();
        GrpcTarget target = targets.get(0);
        if (services.isEmpty() || target.isStandIn()) {
            return null;
        }
        SslContext context = tls == null || !target.tls() ? null : tls.ofAll();
        try (Reflection reflection = new Reflection(target, peer(0, context), recorder)) {
            return reflection.describe(services);
        }
    }

    private Http2Peer peer(int place, @Nullable SslContext context) {
        GrpcTarget target = targets.get(place);
        ClientTls by = tls;
        return new Http2Peer(
                addresses.get(place),
                context == null || by == null
                        ? null
                        : alloc -> by.handler(context, alloc, target.host(), target.port()),
                null,
                streams,
                true);
    }

    /**
     * Returns a call's target as a client connects to it: the same object for all clients that may share a connection.
     *
     * @throws IOException when the client's certificate cannot be read
     */
    Http2Peer peer(Call call) throws IOException {
        int place = call.targetIndex();
        SslContext context = tls == null || !targets.get(place).tls() ? null : tls.of(call);
        return peers.computeIfAbsent(List.of(place, context == null ? "" : context), any -> peer(place, context));
    }

    @Override
    public Client newClient() {
        return new GrpcClient(this, targets.size());
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

    /** Returns what the connections of a loop have in common. */
    Http2Loop shareOf(OwnedLoop loop) {
        return loopShares.computeIfAbsent(loop.eventLoop(), any -> new Http2Loop(loop, recorder, clock));
    }

    int streams() {
        return streams;
    }

    GrpcRequest requestOf(Call call) {
        return requests.get(requests.size() == 1 ? 0 : call.request());
    }

    NanoClock clock() {
        return clock;
    }
}
