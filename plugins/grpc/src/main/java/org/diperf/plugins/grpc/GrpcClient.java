package org.diperf.plugins.grpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.http2.Fields;
import org.diperf.plugins.lib.http2.Http2Link;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.http2.Http2Stream;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.CallInFlight;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One simulated user of a service of gRPC. Confined to its owner's loop; where that is no Netty loop, its connections live on one of the
 * session's and the two exchange messages.
 */
final class GrpcClient implements AsyncClient {

    private static final double NANOS_PER_MILLI = 1e6;

    private final GrpcSession session;
    private final CallInFlight inFlight = new CallInFlight();
    private final Exchange exchange = new Exchange();
    /** By target. */
    private final @Nullable Http2Peer[] peers;

    /** By target. Confined to the event loop. */
    private final @Nullable Http2Link[] links;

    GrpcClient(GrpcSession session, int targets) {
        this.session = session;
        this.peers = new Http2Peer[targets];
        this.links = new Http2Link[targets];
    }

    @Override
    public boolean sharesConnection() {
        return session.streams() > 1;
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) throws IOException {
        GrpcRequest request = session.requestOf(call);
        byte[] body = request.body(call);
        RequestHead head = request.head(call);
        int target = call.targetIndex();
        Http2Peer known = peers[target];
        Http2Peer peer = known == null ? session.peer(call) : known;
        peers[target] = peer;
        boolean keeps = call.wantsAnswer();
        inFlight.begin(call);
        OwnedLoop loop = inFlight.loop();
        // No task is made where none is needed.
        if (loop.isOne()) {
            exchange.begin(target, peer, request, head, body, keeps);
        } else {
            loop.toSockets(() -> exchange.begin(target, peer, request, head, body, keeps));
        }
    }

    @Override
    public void cancel(Call call) {
        int target = call.targetIndex();
        inFlight.loop().toSockets(() -> {
            Http2Link link = links[target];
            if (link != null) {
                link.cancel(exchange);
            }
        });
    }

    @Override
    public void close() {
        inFlight.close(() -> {
            for (int i = 0; i < links.length; i++) {
                Http2Link link = links[i];
                if (link != null) {
                    link.leave();
                    links[i] = null;
                }
            }
        });
    }

    private void report() {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(exchange.requestBytes + exchange.bodyBytes());
        if (exchange.connectNanos() >= 0) {
            ending.firstOnConnection();
            ending.metric(GrpcPlugin.CONNECT, exchange.connectNanos() / NANOS_PER_MILLI);
        }
        if (exchange.tlsNanos() >= 0) {
            ending.metric(GrpcPlugin.TLS, exchange.tlsNanos() / NANOS_PER_MILLI);
        }
        if (exchange.waitNanos() >= 0) {
            ending.metric(GrpcPlugin.STREAM_WAIT, exchange.waitNanos() / NANOS_PER_MILLI);
        }
        if (exchange.resent() > 0) {
            ending.metric(GrpcPlugin.RESENT, exchange.resent());
        }
        if (exchange.firstNanos >= 0) {
            ending.metric(GrpcPlugin.FIRST_MESSAGE, exchange.firstNanos / NANOS_PER_MILLI);
        }
        if (exchange.isStream()) {
            ending.metric(GrpcPlugin.MESSAGES, exchange.messages.messages());
        }
        if (exchange.gapNanos >= 0) {
            ending.metric(GrpcPlugin.GAP, exchange.gapNanos / NANOS_PER_MILLI);
        }
        Failure failure = exchange.failure;
        if (exchange.keeps && (failure == null || ending.wantsFailedAnswer())) {
            ending.answer(exchange.answer());
        }
        inFlight.end(ending, failure);
    }

    /** The client's exchange. Confined to the event loop. */
    private final class Exchange extends Http2Stream {

        private final MessageCounter messages = new MessageCounter();
        private @Nullable GrpcRequest request;
        private @Nullable Failure failure;
        private @Nullable Fields metadata;
        private @Nullable Fields trailers;
        private boolean keeps;
        private int requestBytes;
        private long firstNanos;
        private long gapNanos;
        private long lastNanos;

        private void begin(
                int target, Http2Peer peer, GrpcRequest of, RequestHead head, byte[] body, boolean keepsMessages) {
            request = of;
            keeps = keepsMessages;
            requestBytes = body.length;
            forget();
            Http2Link link = links[target];
            if (link == null) {
                link = session.shareOf(inFlight.loop()).join(peer);
                links[target] = link;
            }
            link.begin(this, head, body, true, false);
        }

        private void forget() {
            failure = null;
            metadata = null;
            trailers = null;
            firstNanos = -1;
            gapNanos = -1;
            messages.reset(keeps);
        }

        private boolean isStream() {
            return request != null && request.isStream();
        }

        private GrpcAnswer answer() {
            StringBuilder body = new StringBuilder();
            for (byte[] message : messages.kept()) {
                body.append(body.isEmpty() ? "" : "\n").append(json(message));
            }
            return new GrpcAnswer(metadata, trailers, body.toString());
        }

        private String json(byte[] message) {
            try {
                return request == null ? "{}" : request.json(message);
            } catch (IllegalArgumentException e) {
                return "(" + e.getMessage() + ")";
            }
        }

        @Override
        protected void restarts() {
            forget();
        }

        @Override
        protected void head(Fields fields) {
            metadata = fields;
        }

        @Override
        protected void data(ByteBuf in, int from, int count) {
            boolean first = messages.messages() == 0;
            int ended = messages.take(in, from, count);
            if (ended == 0) {
                return;
            }
            long now = session.clock().nanoTime();
            if (first) {
                firstNanos = now - sentNanos();
            } else {
                gapNanos = Math.max(gapNanos, now - lastNanos);
            }
            if (ended > 1) {
                gapNanos = Math.max(gapNanos, 0);
            }
            lastNanos = now;
        }

        @Override
        protected void trailers(Fields fields) {
            trailers = fields;
        }

        @Override
        protected void ended(@Nullable Failure why) {
            failure = why == null ? judged() : why;
            OwnedLoop loop = inFlight.loop();
            if (loop.isOne()) {
                report();
            } else {
                loop.toOwner(GrpcClient.this::report);
            }
        }

        private @Nullable Failure judged() {
            Fields before = metadata;
            Fields last = trailers == null ? before : trailers;
            if (before == null || last == null || request == null) {
                return Failure.ofService("bad response: nothing");
            }
            if (before.status() != 200) {
                return Failure.ofService("status " + before.status());
            }
            String status = Statuses.name(last.first("grpc-status"));
            if (status == null) {
                return Failure.ofService("bad response: no grpc-status");
            }
            if (!request.expected().contains(status)) {
                return Failure.ofService(status);
            }
            if (messages.isCompressed() || messages.isWithin()) {
                return Failure.ofService(
                        "bad response: " + (messages.isWithin() ? "a cut message" : "a compressed message"));
            }
            if (status.equals("OK") && !request.isStream() && messages.messages() != 1) {
                return Failure.ofService("bad response: not one message");
            }
            return null;
        }
    }
}
