package org.diperf.plugins.http;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.CallInFlight;
import org.diperf.plugins.lib.netty.Connecting;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One simulated user of a web service. Confined to its owner's loop; where that is no Netty loop, its connections live
 * on one of the session's and the two exchange messages.
 */
final class HttpClient implements AsyncClient {

    private final HttpSession session;
    private final @Nullable HttpConnection[] connections;
    private final CallInFlight inFlight = new CallInFlight();
    private int client;
    private @Nullable KeptAnswer answer;

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
        OwnedLoop loop = inFlight.loop();
        int lane = session.laneOf(call);
        HttpConnection connection = connections[lane];
        if (connection == null) {
            SslContext tls = session.tlsOf(call, call.targetIndex());
            connection = new HttpConnection(session, lane, client, tls, loop.eventLoop(), this::ended);
            connections[lane] = connection;
        }
        Exchange exchange = session.exchangeOf(call);
        Requests.Encoded request = exchange.requests().of(call);
        KeptAnswer kept = call.wantsAnswer() ? new KeptAnswer() : null;
        inFlight.begin(call);
        answer = kept;
        // No task is made where none is needed.
        if (loop.isOne()) {
            connection.exchange(exchange, request, kept, call.dialogue());
        } else {
            HttpConnection other = connection;
            Dialogue dialogue = call.dialogue();
            loop.toSockets(() -> other.exchange(exchange, request, kept, dialogue));
        }
    }

    @Override
    public void cancel(Call call) {
        HttpConnection connection = connections[session.laneOf(call)];
        if (connection != null) {
            inFlight.loop().toSockets(connection::cancel);
        }
    }

    @Override
    public void close() {
        for (HttpConnection connection : connections) {
            if (connection != null) {
                inFlight.close(connection::close);
            }
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
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(connection.bytes());
        Connecting.tell(ending, connection.connectNanos(), connection.tlsNanos());
        Connecting.tell(ending, HttpPlugin.FIRST_BYTE, connection.firstByteNanos());
        switch (connection.cache()) {
            case NONE -> {}
            case HIT -> ending.metric(HttpPlugin.CACHE_HIT, connection.answerBytes());
            case REVALIDATED -> ending.metric(HttpPlugin.CACHE_REVALIDATED, connection.answerBytes());
            case MISS -> ending.metric(HttpPlugin.CACHE_MISS, connection.answerBytes());
        }
        Failure failure = connection.failure();
        KeptAnswer kept = answer;
        if (kept != null && (failure == null || ending.wantsFailedAnswer())) {
            ending.answer(kept);
        }
        inFlight.end(ending, failure);
    }
}
