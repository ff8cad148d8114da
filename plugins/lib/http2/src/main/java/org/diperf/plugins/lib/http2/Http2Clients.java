package org.diperf.plugins.lib.http2;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the clients of a session have in common that speak HTTP/2, whatever they say by it. Thread-safe. */
public final class Http2Clients {

    private static final int MAX_STREAMS = 1_000;
    /** Servers beyond the targets of which it is remembered who may share connections to them. */
    private static final int MAX_OTHERS = 1_000;

    /** How many clients share a connection. */
    public static final Parameter STREAMS = Parameter.withDefault(
            "streams",
            Type.INTEGER,
            "1",
            "number of a tester's clients that share an HTTP/2 connection, up " + "to " + MAX_STREAMS);

    /** How long a call waited for its stream. */
    static final Metric STREAM_WAIT = new Metric(
            "stream-wait",
            "ms",
            "time that an HTTP/2 call waited for a stream, or for a connection that another call was opening, if "
                    + "it had to wait");

    /** How often a call was sent again. */
    static final Metric RESENT = new Metric(
            "resent",
            "times",
            "number of times an HTTP/2 call was resent because the server reported that it had not processed it");

    /** What each call of HTTP/2 may have. */
    public static final List<Metric> METRICS = List.of(STREAM_WAIT, RESENT);

    private final SessionLoops loops;
    private final Recorder recorder;
    private final NanoClock clock;
    private final int streams;
    private final long timeoutNanos;
    /** Of the first connection that clients of the next loop share. */
    private final AtomicInteger firstNumber;

    private final Map<EventLoop, Http2Loop> byLoop = new ConcurrentHashMap<>();
    private final Map<List<Object>, Http2Peer> peers = new ConcurrentHashMap<>();
    private final Map<List<Object>, Http2Peer> others = new ConcurrentHashMap<>();

    /**
     * @param context has {@link #STREAMS} among its declared parameters
     * @param loops of the session, which closes them
     */
    public Http2Clients(SessionContext context, SessionLoops loops, NanoClock clock) {
        this.loops = loops;
        this.recorder = context.recorder();
        this.clock = clock;
        this.streams = (int) context.with().integer(STREAMS.name());
        this.timeoutNanos = context.timeout().toNanos();
        this.firstNumber = new AtomicInteger(context.slot());
    }

    /**
     * Reads how many clients are to share a connection.
     *
     * @return from 1 to 1,000
     * @throws IllegalArgumentException when it is out of that range
     */
    public static int streams(Parameters with) {
        long streams = with.integer(STREAMS.name());
        if (streams < 1 || streams > MAX_STREAMS) {
            throw new IllegalArgumentException(
                    "streams: expected 1 to " + MAX_STREAMS + " clients per connection, got " + streams);
        }
        return (int) streams;
    }

    /**
     * Returns a server as clients connect to it: the same object for all that may share a connection.
     *
     * @param place of the target, from 0
     * @param tls what secures connections; {@code null}: without TLS
     * @param source local address; {@code null}: the kernel's choice
     */
    public Http2Peer peer(int place, Addresses addresses, @Nullable Security tls, @Nullable InetSocketAddress source) {
        return peers.computeIfAbsent(sharing(place, tls, source), any -> newPeer(addresses, tls, source));
    }

    /**
     * Returns a server that is no target as clients connect to it: the same object for all that may share a connection, as long as there are
     * not very many such servers.
     *
     * @param server what tells it from others
     * @param tls what secures connections; {@code null}: without TLS
     * @param source local address; {@code null}: the kernel's choice
     */
    public Http2Peer other(
            String server, Addresses addresses, @Nullable Security tls, @Nullable InetSocketAddress source) {
        List<Object> sharing = sharing(server, tls, source);
        if (others.size() < MAX_OTHERS) {
            return others.computeIfAbsent(sharing, any -> newPeer(addresses, tls, source));
        }
        // A service may lead to ever new servers.
        Http2Peer known = others.get(sharing);
        return known == null ? newPeer(addresses, tls, source) : known;
    }

    private static List<Object> sharing(Object server, @Nullable Security tls, @Nullable InetSocketAddress source) {
        return List.of(server, tls == null ? "" : tls, source == null ? "" : source);
    }

    private Http2Peer newPeer(Addresses addresses, @Nullable Security tls, @Nullable InetSocketAddress source) {
        return new Http2Peer(addresses, tls, source, streams, timeoutNanos);
    }

    SessionLoops loops() {
        return loops;
    }

    Http2Loop of(OwnedLoop loop) {
        return byLoop.computeIfAbsent(
                loop.eventLoop(), any -> new Http2Loop(loop, recorder, clock, firstNumber.getAndIncrement()));
    }

    /** Returns whether clients share connections. */
    public boolean share() {
        return streams > 1;
    }
}
