package org.diperf.plugins.http;

import java.io.IOException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.lib.netty.Security;
import org.jspecify.annotations.Nullable;

/**
 * One simulated user of a web service. Confined to its owner's loop; where that is no Netty loop, its connections live
 * on one of the session's and the two exchange messages.
 */
final class HttpClient implements AsyncClient, BrowserRules.Requester {

    private final HttpSession session;
    private final @Nullable HttpConnection[] connections;
    private final InFlightCall inFlight = new InFlightCall();
    private int client;

    /** Made for the first call that needs it. */
    private @Nullable BrowserRules browsing;

    /** Likewise. */
    private @Nullable RedirectConnections<HttpConnection> elsewhere;

    /** Of the call under way. */
    private @Nullable RequestWriter requests;

    private @Nullable BufferedResponse answer;
    private @Nullable HttpConnection current;

    HttpClient(HttpSession session) {
        this.session = session;
        this.connections = new HttpConnection[session.lanes()];
    }

    @Override
    public void open(Context context) {
        client = context.client();
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) throws IOException {
        int lane = session.laneOf(call);
        HttpConnection connection = connection(call, lane);
        RequestWriter making = session.requestsOf(call);
        RequestWriter.Encoded request;
        try {
            request = first(call, making, lane);
        } catch (IllegalArgumentException e) {
            throw RequestHeaders.unusable(e);
        }
        requests = making;
        exchange(connection, making.exchange(), request, call);
    }

    @Override
    public void connect(Call call) throws IOException {
        if (!session.requestsOf(call).exchange().keep()) {
            call.ok();
            return;
        }
        HttpConnection connection = connection(call, session.laneOf(call));
        inFlight.begin(call);
        current = connection;
        inFlight.loop().toSockets(connection::open);
    }

    private RequestWriter.Encoded first(Call call, RequestWriter making, int lane) {
        RequestWriter.Encoded request = making.of(call);
        if (!making.exchange().browses()) {
            return request;
        }
        String cookies = browsing().begin(call, making.exchange(), session.target(lane), request.path());
        return making.withCookies(request, call, cookies, false);
    }

    /** Makes a request of a call. */
    private void exchange(HttpConnection connection, Exchange making, RequestWriter.Encoded request, Call call) {
        BufferedResponse kept = call.wantsAnswer() || making.readsAnswer()
                ? new BufferedResponse(call.wantsAnswer(), session.memory())
                : null;
        answer = kept;
        inFlight.begin(call);
        OwnedLoop loop = inFlight.loop();
        Dialogue dialogue = call.dialogue();
        current = connection;
        // No task is made where none is needed.
        if (loop.isOne()) {
            connection.exchange(making, request, kept, dialogue);
        } else {
            loop.toSockets(() -> connection.exchange(making, request, kept, dialogue));
        }
    }

    private HttpConnection connection(Call call, int lane) throws IOException {
        HttpConnection connection = connections[lane];
        if (connection == null) {
            connection = connect(call, session.target(lane), session.addressesOf(lane));
            connections[lane] = connection;
        }
        return connection;
    }

    private HttpConnection connect(Call call, HttpTarget target, Addresses addresses) throws IOException {
        Security tls = session.tlsOf(call, target);
        return new HttpConnection(
                session, target, addresses, client, tls, inFlight.loop().eventLoop(), this::ended);
    }

    private BrowserRules browsing() {
        BrowserRules made = browsing;
        if (made == null) {
            made = new BrowserRules(session, inFlight.loop(), this);
            browsing = made;
        }
        return made;
    }

    @Override
    public void cancel(Call call) {
        if (browsing != null && browsing.cancel()) {
            return;
        }
        HttpConnection connection = current;
        if (connection != null) {
            inFlight.loop().toSockets(connection::cancel);
        }
    }

    @Override
    public void close() {
        if (browsing != null) {
            browsing.close();
        }
        if (answer != null) {
            answer.keptBody().forget();
        }
        for (HttpConnection connection : connections) {
            if (connection != null) {
                inFlight.close(connection::close);
            }
        }
        if (elsewhere != null) {
            elsewhere.close();
        }
    }

    /** Takes the end of an exchange, on the event loop. */
    private void ended(HttpConnection connection) {
        OwnedLoop loop = inFlight.loop();
        if (loop.isOne()) {
            report(connection);
        } else {
            loop.toOwner(() -> report(connection));
        }
    }

    private void report(HttpConnection connection) {
        BufferedResponse kept = answer;
        answer = null;
        report(connection, kept);
        if (kept != null) {
            kept.keptBody().forget();
        }
    }

    private void report(HttpConnection connection, @Nullable BufferedResponse kept) {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        RequestWriter made = requests;
        ending.bytes(connection.bytes());
        ConnectionReporter.tell(ending, connection.connectNanos(), connection.tlsNanos());
        ConnectionReporter.tell(ending, HttpPlugin.FIRST_BYTE, connection.sentNanos(), connection.firstByteNanos());
        switch (connection.cache()) {
            case NONE -> {}
            case HIT -> ending.metric(HttpPlugin.CACHE_HIT, connection.answerBytes());
            case REVALIDATED -> ending.metric(HttpPlugin.CACHE_REVALIDATED, connection.answerBytes());
            case MISS -> ending.metric(HttpPlugin.CACHE_MISS, connection.answerBytes());
        }
        Failure failure = connection.failure();
        if (kept != null && made != null && connection.status() > 0) {
            Exchange of = made.exchange();
            if (of.browses()) {
                BrowserRules browser = browsing();
                if (browser.goesOn(
                        ending, of, connection.status(), kept, connection.connectNanos(), connection.tlsNanos())) {
                    return;
                }
                failure = browser.stopped() == null ? failure : browser.stopped();
            }
            if (of.compressed()) {
                ending.metric(HttpPlugin.WIRE_SIZE, kept.keptBody().wireBytes());
                ending.metric(HttpPlugin.BODY_SIZE, kept.keptBody().bytes());
            }
        }
        if (kept != null && ending.wantsAnswer() && (failure == null || ending.wantsFailedAnswer())) {
            ending.answer(kept);
        }
        inFlight.end(ending, failure);
    }

    // ---- redirects ----

    @Override
    public void ask(Call call, RedirectHop hop, int lane) throws IOException {
        ask(call, hop, connection(call, lane));
    }

    @Override
    public void askElsewhere(Call call, RedirectHop hop, Addresses addresses) throws IOException {
        RedirectConnections<HttpConnection> kept = elsewhere;
        if (kept == null) {
            kept = new RedirectConnections<>(connection -> inFlight.close(connection::close));
            elsewhere = kept;
        }
        ask(call, hop, kept.of(hop.to(), () -> connect(call, hop.to(), addresses)));
    }

    private void ask(Call call, RedirectHop hop, HttpConnection connection) throws IOException {
        RequestWriter made = requests;
        if (made == null) {
            throw new IllegalStateException("No call is in flight");
        }
        RequestWriter.Encoded request;
        try {
            request = made.redirected(call, hop);
        } catch (IllegalArgumentException e) {
            throw RequestHeaders.unusable(e);
        }
        exchange(connection, made.exchange(), request, call);
    }
}
