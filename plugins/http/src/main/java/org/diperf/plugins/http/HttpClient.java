package org.diperf.plugins.http;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
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

    /** Connections that one client keeps to servers that are no targets. */
    private static final int MOST_ELSEWHERE = 8;

    private final HttpSession session;
    private final @Nullable HttpConnection[] connections;
    private final CallInFlight inFlight = new CallInFlight();
    private int client;

    /** Made for the first call that needs it. */
    private @Nullable Browsing browsing;

    /** Connections to servers to which redirects led, the one used last at the end. */
    private @Nullable Map<String, HttpConnection> elsewhere;

    /** Of the call under way. */
    private @Nullable Exchange exchange;

    private @Nullable KeptAnswer answer;
    private @Nullable HttpConnection current;
    private boolean cancelled;
    /** Why a redirect was not followed. */
    private @Nullable Failure stopped;

    /** Counts the searches for hosts, so that one that is no longer waited for is known. */
    private int searches;

    private boolean searching;

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
        Exchange making = session.exchangeOf(call);
        Requests.Encoded request = making.requests().of(call);
        if (making.browses()) {
            request = browsing().begin(call, making, session.target(lane), request);
        }
        exchange = making;
        cancelled = false;
        answer = call.wantsAnswer() || making.readsAnswer() ? new KeptAnswer(call.wantsAnswer()) : null;
        inFlight.begin(call);
        exchange(connection, making, request, call);
    }

    /** Makes a request of the call under way. */
    private void exchange(HttpConnection connection, Exchange making, Requests.Encoded request, Call call) {
        OwnedLoop loop = inFlight.loop();
        KeptAnswer kept = answer;
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
            connection = connect(call, session.target(lane), session.addresses(lane));
            connections[lane] = connection;
        }
        return connection;
    }

    private HttpConnection connect(Call call, HttpTarget target, InetSocketAddress[] addresses) throws IOException {
        SslContext tls = session.tlsOf(call, target);
        return new HttpConnection(
                session, target, addresses, client, tls, inFlight.loop().eventLoop(), this::ended);
    }

    private Browsing browsing() {
        Browsing made = browsing;
        if (made == null) {
            made = new Browsing(session.clock());
            browsing = made;
        }
        return made;
    }

    @Override
    public void cancel(Call call) {
        cancelled = true;
        if (searching) {
            searching = false;
            end(Failure.ofService("cancelled"));
            return;
        }
        HttpConnection connection = current;
        if (connection != null) {
            inFlight.loop().toSockets(connection::cancel);
        }
    }

    @Override
    public void close() {
        searching = false;
        for (HttpConnection connection : connections) {
            if (connection != null) {
                inFlight.close(connection::close);
            }
        }
        if (elsewhere != null) {
            elsewhere.values().forEach(connection -> inFlight.close(connection::close));
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
        Exchange made = exchange;
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
        if (kept != null && made != null && connection.status() > 0) {
            if (made.browses()) {
                stopped = null;
                if (browsed(ending, connection, made, kept)) {
                    return;
                }
                failure = stopped == null ? failure : stopped;
            }
            if (made.compressed()) {
                ending.metric(HttpPlugin.WIRE_SIZE, kept.keptBody().wireBytes());
                ending.metric(HttpPlugin.BODY_SIZE, kept.keptBody().bytes());
            }
        }
        if (kept != null && ending.wantsAnswer() && (failure == null || ending.wantsFailedAnswer())) {
            ending.answer(kept);
        }
        inFlight.end(ending, failure);
    }

    // ---- cookies and redirects ----

    /**
     * Takes the cookies of an answer, and goes on to where it leads.
     *
     * @return whether the call goes on; it may have ended since
     */
    private boolean browsed(Call call, HttpConnection connection, Exchange made, KeptAnswer came) {
        Browsing browser = browsing();
        browser.answered(made, came, connection.connectNanos(), connection.tlsNanos());
        boolean leads = made.follow() > 0 && Browsing.isRedirect(connection.status(), came);
        if (leads && goOn(call, browser, connection.status(), made, came)) {
            return true;
        }
        if (browser.hops() > 0) {
            call.metric(HttpPlugin.REDIRECTS, browser.hops());
            Connecting.tell(call, HttpPlugin.REDIRECT_TIME, browser.redirectNanos());
            Connecting.tell(call, Connecting.CONNECT, browser.connectNanos());
            Connecting.tell(call, Connecting.TLS, browser.tlsNanos());
        }
        return false;
    }

    /**
     * Follows a redirect.
     *
     * @return whether it is followed; {@link #stopped} says why it is not
     */
    private boolean goOn(Call call, Browsing browser, int status, Exchange made, KeptAnswer redirect) {
        HttpTarget to = browser.next(redirect);
        if (cancelled) {
            stopped = Failure.ofService("cancelled");
            return false;
        }
        if (browser.hops() >= made.follow()) {
            stopped =
                    Failure.ofService("more than " + made.follow() + (made.follow() == 1 ? " redirect" : " redirects"));
            return false;
        }
        if (to == null) {
            stopped = Failure.ofService("redirect to no usable location");
            return false;
        }
        try {
            Requests.Encoded request = browser.follow(call, made, status, to);
            int lane = session.laneTo(call, to);
            InetSocketAddress[] addresses = lane < 0 ? session.addressesOf(call, to) : session.addresses(lane);
            if (addresses == null) {
                answer = new KeptAnswer(call.wantsAnswer());
                inFlight.begin(call);
                search(call, to, made, request);
            } else {
                HttpConnection next = lane < 0 ? elsewhere(call, to, addresses) : connection(call, lane);
                answer = new KeptAnswer(call.wantsAnswer());
                inFlight.begin(call);
                exchange(next, made, request, call);
            }
            return true;
        } catch (IOException | IllegalArgumentException e) {
            stopped = Failure.of(e);
            return false;
        }
    }

    /** Finds the addresses of a host before its request can be made. */
    private void search(Call call, HttpTarget to, Exchange made, Requests.Encoded request) {
        OwnedLoop loop = inFlight.loop();
        searching = true;
        int mine = ++searches;
        session.redirectHosts()
                .find(
                        to,
                        (addresses, failure) -> loop.eventLoop()
                                .execute(() -> loop.toOwner(() -> {
                                    if (searching && mine == searches) {
                                        searching = false;
                                        found(call, to, made, request, addresses, failure);
                                    }
                                })));
    }

    private void found(
            Call call,
            HttpTarget to,
            Exchange made,
            Requests.Encoded request,
            InetSocketAddress @Nullable [] addresses,
            @Nullable Failure failure) {
        if (addresses == null) {
            end(failure);
            return;
        }
        try {
            exchange(elsewhere(call, to, addresses), made, request, call);
        } catch (IOException e) {
            end(Failure.of(e));
        }
    }

    /** Ends the call between two of its requests. */
    private void end(@Nullable Failure failure) {
        Call ending = inFlight.take();
        if (ending != null) {
            inFlight.end(ending, failure);
        }
    }

    /** Returns the connection to a server that is no target. */
    private HttpConnection elsewhere(Call call, HttpTarget to, InetSocketAddress[] addresses) throws IOException {
        Map<String, HttpConnection> kept = elsewhere;
        if (kept == null) {
            kept = new LinkedHashMap<>(16, 0.75f, true);
            elsewhere = kept;
        }
        String server = (to.tls() ? "https " : "http ") + to.hostAndPort();
        HttpConnection connection = kept.get(server);
        if (connection == null) {
            connection = connect(call, to, addresses);
            if (kept.size() >= MOST_ELSEWHERE) {
                HttpConnection oldest = kept.remove(kept.keySet().iterator().next());
                if (oldest != null) {
                    inFlight.close(oldest::close);
                }
            }
            kept.put(server, connection);
        }
        return connection;
    }
}
