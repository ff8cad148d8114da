package org.diperf.plugins.http;

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
 * One simulated user of a web service that speaks HTTP/2. Confined to its owner's loop; where that is no Netty loop, its connections
 * live on one of the session's and the two exchange messages.
 */
final class Http2Client implements AsyncClient {

    private static final double NANOS_PER_MILLI = 1e6;

    private final HttpSession session;
    private final Http2Requests requests;
    private final CallInFlight inFlight = new CallInFlight();
    private final Exchange exchange = new Exchange();
    /** By target. */
    private final @Nullable Http2Peer[] peers;

    /** By target. Confined to the event loop. */
    private final @Nullable Http2Link[] links;

    Http2Client(HttpSession session, Http2Requests requests) {
        this.session = session;
        this.requests = requests;
        this.peers = new Http2Peer[session.lanes()];
        this.links = new Http2Link[session.lanes()];
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
        Http2Requests.Of request = requests.of(call);
        byte[] body = request.body(call);
        RequestHead head = request.head(call, body);
        int target = call.targetIndex();
        Http2Peer known = peers[target];
        Http2Peer peer = known == null ? session.peer(call) : known;
        peers[target] = peer;
        Http2Answer kept = call.wantsAnswer() ? new Http2Answer() : null;
        inFlight.begin(call);
        OwnedLoop loop = inFlight.loop();
        // No task is made where none is needed.
        if (loop.isOne()) {
            exchange.begin(target, peer, request, head, body, kept);
        } else {
            loop.toSockets(() -> exchange.begin(target, peer, request, head, body, kept));
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
            ending.metric(HttpPlugin.CONNECT, exchange.connectNanos() / NANOS_PER_MILLI);
        }
        if (exchange.tlsNanos() >= 0) {
            ending.metric(HttpPlugin.TLS, exchange.tlsNanos() / NANOS_PER_MILLI);
        }
        if (exchange.waitNanos() >= 0) {
            ending.metric(HttpPlugin.STREAM_WAIT, exchange.waitNanos() / NANOS_PER_MILLI);
        }
        if (exchange.resent() > 0) {
            ending.metric(HttpPlugin.RESENT, exchange.resent());
        }
        if (exchange.firstByteNanos >= 0) {
            ending.metric(HttpPlugin.FIRST_BYTE, exchange.firstByteNanos / NANOS_PER_MILLI);
        }
        Failure failure = exchange.failure;
        Http2Answer kept = exchange.answer;
        if (kept != null && (failure == null || ending.wantsFailedAnswer())) {
            ending.answer(kept);
        }
        inFlight.end(ending, failure);
    }

    /** The client's exchange. Confined to the event loop. */
    private final class Exchange extends Http2Stream {

        private Http2Requests.@Nullable Of request;
        private @Nullable Http2Answer answer;
        private @Nullable Failure failure;
        private int requestBytes;
        private int status;
        private long firstByteNanos;

        private void begin(
                int target,
                Http2Peer peer,
                Http2Requests.Of of,
                RequestHead head,
                byte[] body,
                @Nullable Http2Answer kept) {
            request = of;
            answer = kept;
            failure = null;
            requestBytes = body.length;
            status = 0;
            firstByteNanos = -1;
            Http2Link link = links[target];
            if (link == null) {
                link = session.http2Of(inFlight.loop()).join(peer);
                links[target] = link;
            }
            link.begin(this, head, body, true, of.isHeadOnly());
        }

        @Override
        protected void head(Fields fields) {
            firstByteNanos = session.clock().nanoTime() - sentNanos();
            status = fields.status();
            if (answer != null) {
                answer.take(fields);
            }
        }

        @Override
        protected void data(ByteBuf in, int from, int count) {
            if (answer != null) {
                answer.take(in, from, count);
            }
        }

        @Override
        protected void trailers(Fields fields) {}

        @Override
        protected void ended(@Nullable Failure why) {
            Failure found = why;
            if (found == null && request != null && !request.expected().contains(status)) {
                found = Failure.ofService("status " + status);
            }
            failure = found;
            OwnedLoop loop = inFlight.loop();
            if (loop.isOne()) {
                report();
            } else {
                loop.toOwner(Http2Client.this::report);
            }
        }
    }
}
