package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.http2.Fields;
import org.diperf.plugins.lib.http2.Http2Call;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.netty.Connecting;
import org.jspecify.annotations.Nullable;

/** One simulated user of a web service that speaks HTTP/2. Confined to its owner's loop, its exchange to that of its connection. */
final class Http2Client implements AsyncClient {

    private final HttpSession session;
    private final Http2Requests requests;
    private final Exchange exchange;

    Http2Client(HttpSession session, Http2Requests requests) {
        this.session = session;
        this.requests = requests;
        this.exchange = new Exchange();
    }

    @Override
    public boolean sharesConnection() {
        return session.http2().share();
    }

    @Override
    public void open(Context context) {
        exchange.open(context);
    }

    @Override
    public void call(Call call) throws IOException {
        Http2Requests.Of request = requests.of(call);
        byte[] body = request.body(call);
        boolean reads = call.wantsAnswer() || request.isCompressed();
        exchange.is(request, reads ? new Http2Answer(call.wantsAnswer()) : null);
        exchange.make(call, request.head(call, body), body, request.isHeadOnly());
    }

    @Override
    public void cancel(Call call) {
        exchange.cancel(call);
    }

    @Override
    public void close() {
        exchange.close();
    }

    /** The client's exchange. */
    private final class Exchange extends Http2Call {

        private Http2Requests.@Nullable Of request;
        private @Nullable Http2Answer answer;
        private int status;
        private long firstByteNanos;

        Exchange() {
            super(session.http2(), session.lanes());
        }

        private void is(Http2Requests.Of of, @Nullable Http2Answer kept) {
            request = of;
            answer = kept;
            status = 0;
            firstByteNanos = -1;
        }

        @Override
        protected Http2Peer peer(Call call) throws IOException {
            return session.peer(call);
        }

        @Override
        protected void head(Fields fields) {
            firstByteNanos = sinceWrittenNanos();
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
        protected @Nullable Failure judged() {
            Http2Answer kept = answer;
            if (kept != null) {
                kept.keptBody().end();
            }
            if (request != null && !request.expected().contains(status)) {
                return Failure.ofService("status " + status);
            }
            String fault = kept == null ? null : kept.keptBody().fault();
            return fault == null ? null : Failure.ofService(fault);
        }

        @Override
        protected void report(Call ending, @Nullable Failure failure) {
            Connecting.tell(ending, HttpPlugin.FIRST_BYTE, firstByteNanos);
            Http2Answer kept = answer;
            if (kept == null) {
                return;
            }
            kept.keptBody().close();
            if (status > 0 && request != null && request.isCompressed()) {
                ending.metric(HttpPlugin.WIRE_SIZE, kept.keptBody().wireBytes());
                ending.metric(HttpPlugin.BODY_SIZE, kept.keptBody().bytes());
            }
            if (ending.wantsAnswer() && (failure == null || ending.wantsFailedAnswer())) {
                ending.answer(kept);
            }
        }
    }
}
