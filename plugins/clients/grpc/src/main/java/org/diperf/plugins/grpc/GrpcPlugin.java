package org.diperf.plugins.grpc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.EventKinds;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.Http2Clients;
import org.diperf.plugins.lib.http2.Http2StandIn;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.ConnectionReporter;

/** Calls methods of gRPC services: one message for one, or streams of them. */
public final class GrpcPlugin implements ClientPlugin {

    static final Metric FIRST_MESSAGE =
            new Metric("first-message", "ms", "time from sending the request to the end of the first response message");
    static final Metric STALL =
            new Metric("stall", "ms", "longest time between two response messages, for calls with at least two");
    static final Metric MESSAGES =
            new Metric("messages", "messages", "number of response messages, for methods that stream them");
    private static final int MAX_MESSAGES = 1_000_000;

    @Override
    public String id() {
        return "grpc";
    }

    @Override
    public String summary() {
        return "gRPC calls, unary and streaming, with methods from reflection or descriptors";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("grpc", "grpcs");
    }

    @Override
    public String exampleTarget() {
        return "grpc://127.0.0.1:50051";
    }

    @Override
    public EventKinds events() {
        return new EventKinds("message", List.of("message"));
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                Parameter.required("method", Type.STRING, "method to call, as package.Service/Method")
                        .suchAs("helloworld.Greeter/SayHello"),
                Parameter.optional("message", Type.TEXT_MAP, "fields of the request message; nested ones as JSON")
                        .suchAs("{ name: \"user ${client}\" }"),
                Parameter.withDefault(
                        "messages",
                        Type.INTEGER,
                        "1",
                        "number of messages that a call sends, for client-streaming methods"),
                Parameter.optional(
                                "metadata",
                                Type.TEXT_MAP,
                                "metadata to send; an entry is omitted until the value that it uses is captured")
                        .suchAs("{ x-user: \"${client}\" }"),
                Parameter.withDefault(
                        "reflection",
                        Type.BOOLEAN,
                        "true",
                        "get the method's description from the service, unless descriptors is set"),
                Parameter.optional(
                                "descriptors",
                                Type.STRING,
                                "file on the tester with a descriptor set from protoc --include_imports --descriptor_set_out")
                        .suchAs("/srv/greeter.protoset"),
                Parameter.withDefault("expect", Type.TEXTS, "OK", "status codes that count as success"),
                Http2Clients.STREAMS));
        all.addAll(ClientTls.PARAMETERS);
        return all;
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> all = new ArrayList<>(
                List.of(ConnectionReporter.CONNECT, ConnectionReporter.TLS, FIRST_MESSAGE, STALL, MESSAGES));
        all.addAll(Http2Clients.METRICS);
        return List.copyOf(all);
    }

    @Override
    public boolean sendsTraces() {
        return true;
    }

    @Override
    public String shown(boolean sent, byte[] bytes) {
        return PrintableStream.of(bytes);
    }

    @Override
    public void check(Url target, Parameters with) {
        GrpcTarget.of(target);
        if (!with.string("method").matches("[A-Za-z_][A-Za-z0-9_.]*/[A-Za-z_][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException(
                    "method: expected package.Service/Method, got '" + with.string("method") + "'");
        }
        long messages = with.integer("messages");
        if (messages < 1 || messages > MAX_MESSAGES) {
            throw new IllegalArgumentException("messages: expected 1 to " + MAX_MESSAGES + ", got " + messages);
        }
        var unused = Http2Clients.streams(with);
        new Statuses(with.texts("expect"));
        for (Map.Entry<String, Text> entry : with.textMap("metadata").entrySet()) {
            if (!entry.getKey().matches("[0-9a-zA-Z_.-]+")
                    || entry.getValue().toString().matches("(?s).*[\\r\\n\\x00].*")) {
                // The value stays untold: it may be a secret.
                throw new IllegalArgumentException(
                        "metadata: expected a name of letters, digits, hyphens and dots, and a single-line value; "
                                + "got something else for '" + entry.getKey() + "'");
            }
        }
        if (!with.bool("reflection") && !with.has("descriptors")) {
            throw new IllegalArgumentException(
                    "descriptors: expected a descriptor file, because reflection is off, got none; add one or drop "
                            + "reflection: false");
        }
        ClientTls.check(with);
    }

    @Override
    public boolean mixes(List<Parameters> requests) {
        return requests.stream()
                        .map(with -> List.of(with.integer("streams"), ClientTls.ofConnections(with)))
                        .distinct()
                        .count()
                == 1;
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return Optional.of(Http2StandIn.startGrpc("/?" + GrpcTarget.STAND_IN));
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new GrpcSession(context, NanoClock.SYSTEM);
    }
}
