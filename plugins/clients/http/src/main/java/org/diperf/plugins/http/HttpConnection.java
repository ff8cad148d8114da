package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.HandshakeDiagnosis;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.PlainSocket;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to one target: opened when a call needs it, kept while both sides want to. It takes one
 * exchange at a time and says once when that has ended. Confined to its event loop.
 */
final class HttpConnection implements Dialer.Owner {

    // Larger requests are copied for each call, so that many clients do not each hold one.
    private static final int MAX_KEPT_REQUEST_BYTES = 64 << 10;

    /** A record's type, and the first byte of its version. */
    private static final int TLS_ALERT = 0x1503;

    private static final int BAD_REQUEST = 400;
    private static final ByteBuf HTTPS =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("HTTPS", StandardCharsets.US_ASCII));
    private static final Failure KEPT_AND_CLOSED = Failure.ofService("kept connection closed by the server")
            .remedied(
                    "it closed an idle connection, and HTTP/1.1 requests are not resent: raise its keep-alive timeout,"
                            + " or set client.with.connection=new");
    private static final String DID_YOU_MEAN_HTTPS = "this port speaks TLS: did you mean https://?";

    private enum Phase {
        IDLE,
        CONNECTING,
        TUNNEL,
        HANDSHAKE,
        RESPONSE
    }

    private final HttpSession session;
    private final HttpTarget target;
    private final Consumer<HttpConnection> whenEnded;
    private final NanoClock clock;
    private final @Nullable Security tls;
    private final EventLoop loop;
    private final Dialer dialer;
    private final LoopResources share;
    private final ResponseParser parser;
    private Phase phase = Phase.IDLE;
    private @Nullable Channel channel;
    /** Carries the requests instead of the channel where that is possible. */
    private @Nullable PlainSocket socket;

    private @Nullable Exchange exchange;
    private RequestWriter.@Nullable Encoded request;
    private @Nullable BufferedResponse answer;
    private @Nullable Dialogue dialogue;
    private @Nullable ByteBuf kept;
    /** The request that {@link #kept} holds. */
    private RequestWriter.@Nullable Encoded keptRequest;

    private long phaseNanos;
    private long connectNanos;
    private long tlsNanos;
    private long firstByteNanos;
    private long bytes;
    private boolean whole;
    private boolean expectsTls;
    private @Nullable Failure failure;

    /**
     * @param target to which it leads
     * @param addresses of the target, or of the proxy on the way to it
     */
    HttpConnection(
            HttpSession session,
            HttpTarget target,
            Addresses addresses,
            int client,
            @Nullable Security tls,
            EventLoop loop,
            Consumer<HttpConnection> whenEnded) {
        this.tls = tls;
        this.session = session;
        this.target = target;
        this.whenEnded = whenEnded;
        this.clock = session.clock();
        this.loop = loop;
        this.share = session.shareOf(loop);
        this.parser = new ResponseParser(share.knownHead(), session.isProxied(), session.memory());
        this.dialer = session.loops().dialer(loop, addresses, client, session.sourceOf(client));
    }

    /** Opens the connection where it is not open; ended as an exchange is, none of which may be under way. */
    void open() {
        request = null;
        exchange = null;
        dialogue = null;
        begin();
    }

    /**
     * Begins an exchange; none may be under way.
     *
     * @param answer takes the response as it comes; {@code null}: nobody wants it
     * @param dialogue takes what is said; {@code null}: nobody will look
     */
    void exchange(
            Exchange exchange,
            RequestWriter.Encoded request,
            @Nullable BufferedResponse answer,
            @Nullable Dialogue dialogue) {
        this.exchange = exchange;
        this.request = request;
        this.answer = answer;
        this.dialogue = dialogue;
        begin();
    }

    private void begin() {
        failure = null;
        whole = false;
        expectsTls = false;
        connectNanos = -1;
        tlsNanos = -1;
        firstByteNanos = -1;
        bytes = 0;
        Channel open = channel;
        if (open != null && open.isActive()) {
            send(open);
        } else {
            closeChannel();
            phase = Phase.CONNECTING;
            dialer.dial(this);
        }
    }

    @Override
    public void unreachable(Throwable cause) {
        Failure why = Failures.of(cause);
        end(session.isProxied() ? why.in("proxy") : why);
    }

    @Override
    public void dialled(Channel made) {
        channel = made;
        connectNanos = dialer.connectNanos();
        phaseNanos = clock.nanoTime();
        if (!target.tls() && made instanceof EpollSocketChannel epoll && PlainSocket.isPossible(loop, share.memory())) {
            PlainSocket.take(epoll, share.memory(), new SocketOwner(made));
            return;
        }
        made.pipeline().addLast(new Receiver(made));
        if (!target.tls()) {
            send(made);
        } else if (session.isProxied()) {
            phase = Phase.TUNNEL;
            parser.reset(ResponseParser.Request.CONNECT);
            String who = session.proxyAuthorization();
            String ask = "CONNECT " + target.server() + " HTTP/1.1\r\nHost: " + target.server() + "\r\n"
                    + (who.isEmpty() ? "" : "Proxy-Authorization: " + who + "\r\n") + "\r\n";
            Dialogue telling = dialogue;
            if (telling != null) {
                telling.sent(ask.getBytes(StandardCharsets.US_ASCII));
            }
            write(made, Unpooled.copiedBuffer(ask, StandardCharsets.US_ASCII));
        } else {
            secure(made);
        }
    }

    private void tunnelled(Channel open) {
        String fault = parser.fault();
        if (fault == null && parser.status() / 100 == 2) {
            secure(open);
        } else {
            closeChannel();
            end(Failure.ofService("proxy: " + (fault != null ? fault : "status " + parser.status())));
        }
    }

    private void secure(Channel open) {
        Security security = tls;
        if (security == null) {
            throw new IllegalStateException("TLS has not been set up for " + target);
        }
        phase = Phase.HANDSHAKE;
        phaseNanos = clock.nanoTime();
        SslHandler handler;
        try {
            handler = security.handler(open.alloc());
        } catch (IOException e) {
            broken(security.handshakeFailure(e));
            return;
        }
        handler.handshakeFuture().addListener(done -> {
            if (channel != open || phase != Phase.HANDSHAKE) {
                return;
            }
            if (done.cause() == null) {
                tlsNanos = clock.nanoTime() - phaseNanos;
                send(open);
            } else {
                Dialogue telling = dialogue;
                if (telling != null) {
                    telling.note(HandshakeDiagnosis.of(
                            done.cause(), handler, target.server().toString()));
                }
                broken(security.handshakeFailure(done.cause()));
            }
        });
        open.pipeline().addFirst(handler);
    }

    private void send(Channel open) {
        RequestWriter.Encoded sending = request;
        Exchange of = exchange;
        if (sending == null || of == null) {
            end(null);
            return;
        }
        phase = Phase.RESPONSE;
        parser.reset(of.head() ? ResponseParser.Request.HEAD : ResponseParser.Request.ORDINARY, answer);
        bytes = sending.bodyBytes();
        Dialogue telling = dialogue;
        if (telling != null) {
            telling.sent(sending.bytes());
        }
        PlainSocket plain = socket;
        if (plain != null) {
            phaseNanos = clock.nanoTime();
            plain.write(sending.bytes(), sending.direct());
        } else {
            ByteBuf buffer = buffer(open, sending);
            phaseNanos = clock.nanoTime();
            write(open, buffer);
        }
    }

    /** Gives the request as a buffer: one and the same each time when it is constant and no longer in a socket. */
    @SuppressWarnings("ReferenceEquality") // the same object is meant
    private ByteBuf buffer(Channel open, RequestWriter.Encoded sending) {
        byte[] content = sending.bytes();
        if (sending.direct() == null || content.length > MAX_KEPT_REQUEST_BYTES) {
            return open.alloc().directBuffer(content.length).writeBytes(content);
        }
        ByteBuf reused = kept;
        if (reused == null || reused.refCnt() != 1 || sending != keptRequest) {
            if (reused != null) {
                reused.release();
            }
            reused = Unpooled.directBuffer(content.length).writeBytes(content);
            kept = reused;
            keptRequest = sending;
        }
        return reused.retain().setIndex(0, content.length);
    }

    private static void write(Channel open, ByteBuf buffer) {
        // A failure to write comes back through exceptionCaught.
        open.writeAndFlush(buffer, open.voidPromise());
    }

    private void received(Channel open, ByteBuf in) {
        if (phase != Phase.RESPONSE && phase != Phase.TUNNEL) {
            closeChannel(); // bytes that nobody asked for: nothing can be told from them
            return;
        }
        int begin = in.readerIndex();
        if (phase == Phase.RESPONSE && firstByteNanos < 0) {
            firstByteNanos = clock.nanoTime() - phaseNanos;
            if (!target.tls() && in.readableBytes() > 1 && in.getUnsignedShort(begin) == TLS_ALERT) {
                broken(Failure.ofService("bad response: a TLS alert").remedied(DID_YOU_MEAN_HTTPS));
                return;
            }
        }
        Dialogue telling = dialogue;
        if (telling != null && in.nioBufferCount() == 1) {
            telling.received(in.internalNioBuffer(in.readerIndex(), in.readableBytes()));
        }
        boolean ended = parser.read(in);
        boolean excess = in.isReadable();
        if (ended && phase == Phase.TUNNEL) {
            tunnelled(open);
        } else if (ended) {
            // Common servers say so in the body.
            expectsTls = !target.tls()
                    && parser.status() == BAD_REQUEST
                    && ByteBufUtil.indexOf(HTTPS, in.slice(begin, in.readerIndex() - begin)) >= 0;
            answered(open, excess);
        }
    }

    private void answered(Channel open, boolean excess) {
        bytes += parser.bodyBytes();
        Exchange of = exchange;
        if (of == null || !of.keep() || !parser.keepAlive() || excess || !allSent(open)) {
            closeChannel();
        }
        Failure why = parser.failure();
        whole = why == null;
        BufferedResponse keeping = answer;
        if (keeping != null && whole) {
            keeping.end();
            why = keeping.keptBody().failure();
        }
        if (whole && of != null && !of.expected().contains(parser.status())) {
            Failure status = Statuses.failure(parser.status());
            end(expectsTls ? status.remedied(DID_YOU_MEAN_HTTPS) : status);
        } else {
            end(why);
        }
    }

    private boolean allSent(Channel open) {
        if (socket != null) {
            return socket.allSent();
        }
        ChannelOutboundBuffer unsent = open.unsafe().outboundBuffer();
        return unsent == null || unsent.isEmpty();
    }

    private void inactive(Channel closed) {
        switch (phase) {
            case IDLE -> closeChannel();
            case TUNNEL -> broken("proxy: closed before the response");
            case HANDSHAKE -> broken("tls: closed in the handshake");
            // Before the socket was taken.
            case CONNECTING -> broken("closed before the response");
            case RESPONSE -> {
                if (parser.readEnd()) {
                    answered(closed, false);
                } else {
                    bytes += parser.bodyBytes();
                    if (parser.begun()) {
                        broken("closed within the response");
                    } else {
                        unanswered(Failure.ofService("closed before the response"));
                    }
                }
            }
        }
    }

    /** Takes the end of a connection from which no byte of the response came. */
    private void unanswered(Failure why) {
        broken(connectNanos < 0 ? KEPT_AND_CLOSED : why);
    }

    private void lost(Throwable cause) {
        Failure why = switch (phase) {
            case HANDSHAKE -> Failures.handshake(cause);
            case TUNNEL -> Failures.of(cause).in("proxy");
            default -> Failures.of(cause);
        };
        boolean isAsked = phase == Phase.RESPONSE && firstByteNanos < 0;
        if (isAsked && why.fault() == Fault.SERVICE && !why.kind().startsWith("tls: ")) {
            unanswered(why);
        } else {
            broken(why);
        }
    }

    private void broken(String kind) {
        broken(Failure.ofService(kind));
    }

    private void broken(Failure why) {
        closeChannel();
        if (phase != Phase.IDLE) {
            end(why);
        }
    }

    private void end(@Nullable Failure why) {
        Dialogue telling = dialogue;
        if (telling != null && why != null && (phase == Phase.CONNECTING || phase == Phase.TUNNEL)) {
            telling.note(why.kind() + " (" + target.server() + ")");
        }
        phase = Phase.IDLE;
        failure = why;
        request = null;
        if (answer != null) {
            answer.release();
            answer = null;
        }
        // The last thing done here: the next exchange may begin within it.
        whenEnded.accept(this);
    }

    /** Gives up the exchange under way, and the connection with it. */
    void cancel() {
        broken("cancelled");
    }

    /** Closes the connection; no exchange may be under way. */
    void close() {
        phase = Phase.IDLE;
        closeChannel();
        parser.forget();
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }

    private void closeChannel() {
        dialer.cancel();
        Channel closing = channel;
        channel = null;
        if (socket != null) {
            socket.close();
            socket = null;
        } else {
            Sockets.close(closing);
        }
    }

    /** Says why the last exchange failed; {@code null} when it did not. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Returns the status of the last response, be it a failure or not; 0 where none came whole. */
    int status() {
        return whole ? parser.status() : 0;
    }

    /** Returns the time to connect, or -1 where the exchange found a connection. */
    long connectNanos() {
        return connectNanos;
    }

    /** Returns the time of the TLS handshake, or -1 where there was none. */
    long tlsNanos() {
        return tlsNanos;
    }

    /** Returns when the request was sent; of use where the first byte of a response has come. */
    long sentNanos() {
        return phaseNanos;
    }

    /** Returns the time from the request sent to the first byte of the response, or -1 where none came. */
    long firstByteNanos() {
        return firstByteNanos;
    }

    /** Says what a cache on the way did for the last exchange. */
    CacheStatus cache() {
        return failure == null || failure.kind().startsWith("status ") ? parser.cache() : CacheStatus.NONE;
    }

    /** Counts the bytes of the response's body. */
    long answerBytes() {
        return parser.bodyBytes();
    }

    /** Counts the bytes of both bodies. */
    long bytes() {
        return bytes;
    }

    /** Passes on what happens to one socket, as long as its channel is the connection's. */
    private final class SocketOwner implements PlainSocket.Owner {

        private final Channel mine;

        SocketOwner(Channel mine) {
            this.mine = mine;
        }

        @Override
        public void taken(PlainSocket taken) {
            if (channel == mine && phase == Phase.CONNECTING) {
                socket = taken;
                send(mine);
            } else {
                taken.close();
            }
        }

        @Override
        public void received(ByteBuf in) {
            if (channel == mine) {
                HttpConnection.this.received(mine, in);
            }
        }

        @Override
        public void inactive() {
            if (channel == mine) {
                HttpConnection.this.inactive(mine);
            }
        }

        @Override
        public void broken(Throwable cause) {
            if (channel == mine) {
                lost(cause);
            }
        }
    }

    /** Passes on what happens to one channel, as long as that is the connection's. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

        private final Channel mine;

        Receiver(Channel mine) {
            this.mine = mine;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            try {
                if (channel == mine) {
                    received(mine, in);
                }
            } finally {
                in.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (channel == mine) {
                inactive(mine);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (channel == mine) {
                lost(cause);
            }
        }
    }
}
