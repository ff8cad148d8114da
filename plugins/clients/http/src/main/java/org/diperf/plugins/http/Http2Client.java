package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.http2.Fields;
import org.diperf.plugins.lib.http2.Http2Call;
import org.diperf.plugins.lib.http2.Http2ClientSlot;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.jspecify.annotations.Nullable;

/** One simulated user of a web service that speaks HTTP/2. Confined to its owner's loop, its stream to that of its connection. */
final class Http2Client implements AsyncClient, BrowserRules.Requester {

    private final HttpSession session;
    private final Http2Requests requests;
    private final Stream stream;

    /** Made for the first call that needs it. */
    private @Nullable BrowserRules browsing;

    /** Likewise. */
    private @Nullable RedirectConnections<Http2ClientSlot> elsewhere;

    Http2Client(HttpSession session, Http2Requests requests) {
        this.session = session;
        this.requests = requests;
        this.stream = new Stream();
    }

    @Override
    public boolean sharesConnection() {
        return session.http2().share();
    }

    @Override
    public void open(Context context) {
        stream.open(context);
    }

    @Override
    public void call(Call call) throws IOException {
        Http2Requests.Of request = requests.of(call);
        Exchange making = request.exchange();
        String cookies = making.browses()
                ? browsing().begin(call, making, session.target(call.targetIndex()), request.path(call))
                : null;
        byte[] body = request.body(call);
        RequestHead head;
        try {
            head = request.head(call, body, cookies);
        } catch (IllegalArgumentException e) {
            throw RequestHeaders.unusable(e);
        }
        stream.is(call, request);
        stream.make(call, head, body, making.head());
    }

    @Override
    public void connect(Call call) throws IOException {
        if (requests.of(call).exchange().keep()) {
            stream.connect(call);
        } else {
            call.ok();
        }
    }

    private BrowserRules browsing() {
        BrowserRules made = browsing;
        if (made == null) {
            made = new BrowserRules(session, stream.loop(), this);
            browsing = made;
        }
        return made;
    }

    @Override
    public void ask(Call call, RedirectHop hop, int lane) throws IOException {
        ask(call, hop, stream.seat(call, lane));
    }

    @Override
    public void askElsewhere(Call call, RedirectHop hop, Addresses addresses) throws IOException {
        RedirectConnections<Http2ClientSlot> kept = elsewhere;
        if (kept == null) {
            kept = new RedirectConnections<>(stream::leave);
            elsewhere = kept;
        }
        ask(
                call,
                hop,
                kept.of(hop.to(), () -> new Http2ClientSlot(session.peer(call, hop.to(), addresses), call.client())));
    }

    private void ask(Call call, RedirectHop hop, Http2ClientSlot at) throws IOException {
        Http2Requests.Of request = requests.of(call);
        byte[] body = request.body(call, hop);
        RequestHead head;
        try {
            head = request.head(call, body, hop);
        } catch (IllegalArgumentException e) {
            throw RequestHeaders.unusable(e);
        }
        stream.is(call, request);
        stream.makeNext(call, at, head, body, request.exchange().head());
    }

    @Override
    public void cancel(Call call) {
        if (browsing == null || !browsing.cancel()) {
            stream.cancel();
        }
    }

    @Override
    public void close() {
        if (browsing != null) {
            browsing.close();
        }
        if (elsewhere != null) {
            elsewhere.close();
        }
        stream.close();
    }

    /** The client's exchange. */
    private final class Stream extends Http2Call {

        private @Nullable Exchange exchange;
        private @Nullable Http2Response answer;
        private int status;
        private long firstByteNanos;
        private boolean whole;

        Stream() {
            super(session.http2(), session.lanes());
        }

        private void is(Call call, Http2Requests.Of of) {
            Exchange making = of.exchange();
            exchange = making;
            answer = call.wantsAnswer() || making.readsAnswer()
                    ? new Http2Response(call.wantsAnswer(), session.memory())
                    : null;
            status = 0;
            firstByteNanos = -1;
            whole = false;
        }

        @Override
        protected Http2Peer peer(Call call, int target) throws IOException {
            return session.peer(call, target);
        }

        @Override
        protected boolean keepsConnection() {
            return exchange == null || exchange.keep();
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
            whole = true;
            Http2Response kept = answer;
            if (kept != null) {
                kept.keptBody().end();
            }
            if (exchange != null && !exchange.expected().contains(status)) {
                return Statuses.failure(status);
            }
            return kept == null ? null : kept.keptBody().failure();
        }

        @Override
        protected void report(Call ending, @Nullable Failure failure) {
            Http2Response kept = answer;
            answer = null;
            report(ending, failure, kept);
            if (kept != null) {
                kept.keptBody().forget();
            }
        }

        private void report(Call ending, @Nullable Failure failure, @Nullable Http2Response kept) {
            ConnectionReporter.tell(ending, HttpPlugin.FIRST_BYTE, writtenNanos(), firstByteNanos);
            Exchange made = exchange;
            if (kept == null || made == null) {
                end(ending, failure);
                return;
            }
            kept.keptBody().close();
            Failure why = failure;
            if (whole && made.browses()) {
                BrowserRules browser = browsing();
                if (browser.goesOn(ending, made, status, kept, connectNanos(), tlsNanos())) {
                    return;
                }
                why = browser.stopped() == null ? failure : browser.stopped();
            }
            if (status > 0 && made.compressed()) {
                ending.metric(HttpPlugin.WIRE_SIZE, kept.keptBody().wireBytes());
                ending.metric(HttpPlugin.BODY_SIZE, kept.keptBody().bytes());
            }
            if (ending.wantsAnswer() && (why == null || ending.wantsFailedAnswer())) {
                ending.answer(kept);
            }
            end(ending, why);
        }
    }
}
