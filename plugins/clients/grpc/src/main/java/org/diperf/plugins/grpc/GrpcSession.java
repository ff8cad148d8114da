package org.diperf.plugins.grpc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.http2.Http2Clients;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the gRPC clients of a tester share. Thread-safe. */
final class GrpcSession extends LoopSession {

    private final List<GrpcTarget> targets = new ArrayList<>();
    private final List<GrpcRequest> requests = new ArrayList<>();
    private final @Nullable ClientTls tls;
    private final Recorder recorder;
    private final Memory memory;
    private final Http2Clients http2;

    /**
     * @throws IOException when targets, descriptors or certificates cannot be had
     */
    GrpcSession(SessionContext context, NanoClock clock) throws IOException {
        super(new SessionLoops(), context.targets(), uri -> GrpcTarget.of(uri).server());
        Parameters with = context.with();
        this.recorder = context.recorder();
        this.memory = context.memory();
        this.http2 = new Http2Clients(context, loops(), clock);
        context.targets().forEach(uri -> targets.add(GrpcTarget.of(uri)));
        tls = targets.stream().anyMatch(GrpcTarget::tls) ? new ClientTls(with, "h2") : null;
        Schema reflected = reflect(context.requests());
        RequestHead.Family family = new RequestHead.Family();
        for (Parameters request : context.requests()) {
            Schema schema = request.has("descriptors") ? descriptors(request.string("descriptors")) : reflected;
            requests.add(new GrpcRequest(request, schema, targets, family, context.timeout()));
        }
    }

    /** Returns what counts the memory that clients keep of answers. */
    Memory memory() {
        return memory;
    }

    private static Schema descriptors(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            throw new IOException("descriptors: expected a file on the tester, got none at " + path);
        }
        Schema schema = new Schema();
        try {
            schema.addSet(Files.readAllBytes(path));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "descriptors: expected a descriptor set from protoc --include_imports --descriptor_set_out, got "
                            + "something else in " + path,
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
        Security security = tls == null || !target.tls() ? null : tls.ofAll(target.server());
        try (Reflection reflection = new Reflection(target, peer(0, security), recorder)) {
            return reflection.describe(services);
        }
    }

    private Http2Peer peer(int place, @Nullable Security security) {
        return http2.peer(place, addresses(place), security, null);
    }

    /**
     * Returns a target as a call's client connects to it: the same object for all clients that may share a connection.
     *
     * @param place of the target, from 0
     * @throws IOException when the client's certificate cannot be read
     */
    Http2Peer peer(Call call, int place) throws IOException {
        GrpcTarget target = targets.get(place);
        return peer(place, tls == null || !target.tls() ? null : tls.of(call, target.server()));
    }

    @Override
    public Client newClient() {
        return new GrpcClient(this, targets.size());
    }

    /** Returns what the clients have in common because they speak HTTP/2. */
    Http2Clients http2() {
        return http2;
    }

    GrpcRequest requestOf(Call call) {
        return requests.get(requests.size() == 1 ? 0 : call.request());
    }
}
