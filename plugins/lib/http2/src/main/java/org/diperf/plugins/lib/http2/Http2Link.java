package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.HandshakeDiagnosis;
import org.diperf.plugins.lib.netty.PlainSocket;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a few clients share: made when a request needs it, and again when the server wants no more requests on it. What
 * was begun on the one before ends there. A request waits here for a connection, and for a stream where the server allows fewer than there are
 * clients. Confined to its event loop.
 */
public final class Http2Link {

    private static final int MAX_RESENDS = 3;
    private static final int OUT_BYTES = 512;

    private static final Failure CANCELLED = Failure.ofService("cancelled");
    private static final Failure CLOSED_BEFORE = Failure.ofService("closed before the response");
    private static final Failure CLOSED_WITHIN = Failure.ofService("closed within the response");
    private static final Failure REFUSED = Failure.ofService("refused by the server");

    private final Http2Loop shared;
    private final Http2Peer peer;
    private final NanoClock clock;
    private final EventLoop loop;
    private final Dialer dialer;
    private final ArrayDeque<Http2Stream> waiting = new ArrayDeque<>();
    /** Where streams are opened, or will be once it is connected. */
    private @Nullable Carrier current;

    /** Counts the connections that were begun; the last of them is the current one, if there is any. */
    private long attempts;

    private int seatsTaken;
    private boolean serving;

    /** @param number chooses the address to begin with */
    Http2Link(Http2Loop shared, Http2Peer peer, int number) {
        this.shared = shared;
        this.peer = peer;
        this.clock = shared.clock();
        this.loop = shared.loop().eventLoop();
        this.dialer =
                new Dialer(loop, peer.addresses(), number, peer.timeoutNanos(), clock, shared.sampler(), peer.source());
    }

    boolean takeSeat() {
        if (seatsTaken == peer.seats()) {
            return false;
        }
        seatsTaken++;
        return true;
    }

    /** Gives up a seat; the last one closes the connection. No exchange of its client may be under way. */
    public void leave() {
        if (--seatsTaken == 0) {
            shared.left(peer, this);
            Carrier closing = current;
            current = null;
            if (closing != null) {
                closing.close();
            }
        }
    }

    /**
     * Begins an exchange; the stream's one before has to have ended.
     *
     * @param head of the request
     * @param body of the request, or its first part
     * @param ends whether that is all
     * @param headOnly whether the response has no body, whatever it says of its length
     */
    public void begin(Http2Stream stream, RequestHead head, byte[] body, boolean ends, boolean headOnly) {
        stream.begin(head, body, ends, headOnly);
        Carrier open = current;
        if (open != null && waiting.isEmpty() && open.canOpen()) {
            open.open(stream);
        } else {
            await(stream);
        }
    }

    private void await(Http2Stream stream) {
        stream.waitsSince = clock.nanoTime();
        stream.firstAttempt = current == null ? attempts + 1 : attempts;
        waiting.add(stream);
        serve();
    }

    /** Connects where there is no connection. It ends as an exchange does, and can be given up as one. */
    void connect(Http2Stream stream) {
        stream.begin(null, Http2Stream.NOTHING, true, false);
        await(stream);
    }

    /** Sends more of a request, once {@link Http2Stream#sent} has been heard; does nothing for one that is not under way. */
    public void send(Http2Stream stream, byte[] bytes, boolean ends) {
        Carrier carrier = stream.carrier;
        if (carrier != null) {
            carrier.connection().send(stream, bytes, ends);
        }
    }

    /** Gives up an exchange, which ends at once; does nothing for one that is not under way. */
    public void cancel(Http2Stream stream) {
        abandon(stream, CANCELLED);
    }

    /** Gives up an exchange with a reason of the client's own. */
    public void abandon(Http2Stream stream, Failure why) {
        Carrier carrier = stream.carrier;
        if (carrier != null) {
            stream.carrier = null;
            carrier.connection().reset(stream);
            if (!stream.keepsConnection()) {
                carrier.connection().drain();
            }
            stream.ended(why);
        } else if (waiting.remove(stream)) {
            Carrier connecting = current;
            if (connecting != null && connecting.connection == null) {
                waitsNoMore(stream, connecting);
            }
            stream.ended(why);
        }
    }

    /** Notes that an exchange was given up that waited for a connection under way. */
    private void waitsNoMore(Http2Stream stream, Carrier connecting) {
        // Somebody may always be waiting: whoever has given the attempt all of its time ends it, also for the others.
        if (waiting.isEmpty() || stream.firstAttempt == attempts) {
            current = null;
            dialer.leaveAddress();
            connecting.close();
            serve();
        } else {
            connecting.left(stream);
        }
    }

    /** Opens streams for those that wait, as many as can be, or connects for them. */
    private void serve() {
        if (serving) {
            return;
        }
        serving = true;
        while (!waiting.isEmpty()) {
            Carrier open = current;
            if (open == null) {
                attempts++;
                current = new Carrier(waiting.peek());
                dialer.dial(current);
            } else if (open.canOpen()) {
                Http2Stream stream = waiting.remove();
                if (stream.connectNanos < 0) {
                    stream.waitNanos = Math.max(0, stream.waitNanos) + clock.nanoTime() - stream.waitsSince;
                }
                if (stream.head == null) {
                    stream.ended(null);
                } else {
                    open.open(stream);
                }
            } else {
                break;
            }
        }
        serving = false;
    }

    private void failAll(Failure why, String note) {
        List<Http2Stream> failed = List.copyOf(waiting);
        waiting.clear();
        failed.forEach(stream -> {
            stream.remark(note);
            stream.ended(why);
        });
    }

    /** Returns the server's host and port. */
    private String server() {
        InetSocketAddress first = peer.addresses().first();
        return first.getHostString() + ":" + first.getPort();
    }

    /** One connection. */
    final class Carrier implements Http2Connection.Owner, PlainSocket.Owner, Dialer.Owner {

        /** Whose request it is made for; {@code null} once that one waits no more. */
        private @Nullable Http2Stream maker;

        private final Runnable flush = this::flushNow;
        private @Nullable Http2Connection connection;
        private @Nullable Channel channel;
        /** Carries the frames instead of the channel where that is possible. */
        private @Nullable PlainSocket socket;

        private @Nullable ByteBuf out;
        private boolean flushing;
        /** Whose requests leave with the next flush. */
        private final List<Http2Stream> leaving = new ArrayList<>(1);

        private boolean cameKnown;
        private long cameNanos;
        private boolean closed;
        private long phaseNanos;
        private long connectNanos;
        private long tlsNanos = -1;

        /** @param maker whose request it is made for */
        Carrier(Http2Stream maker) {
            this.maker = maker;
        }

        private Http2Connection connection() {
            if (connection == null) {
                throw new IllegalStateException("Not connected");
            }
            return connection;
        }

        private boolean canOpen() {
            return connection != null && connection.canOpen();
        }

        private void open(Http2Stream stream) {
            RequestHead head = stream.head;
            if (head == null) {
                throw new IllegalStateException("No request");
            }
            stream.carrier = this;
            stream.tellRequest(head);
            connection().open(stream, head);
        }

        // ---- connecting ----

        @Override
        public void dialled(Channel made) {
            channel = made;
            connectNanos = dialer.connectNanos();
            phaseNanos = clock.nanoTime();
            Security tls = peer.tls();
            if (tls != null) {
                made.pipeline().addLast(new Receiver());
                secure(made, tls);
            } else if (made instanceof EpollSocketChannel epoll && PlainSocket.isPossible(loop, shared.memory())) {
                PlainSocket.take(epoll, shared.memory(), this);
            } else {
                made.pipeline().addLast(new Receiver());
                ready();
            }
        }

        @Override
        public void unreachable(Throwable cause) {
            notMade(Failures.of(cause));
        }

        private void secure(Channel open, Security security) {
            SslHandler tls;
            try {
                tls = security.handler(open.alloc());
            } catch (IOException e) {
                notMade(security.handshakeFailure(e));
                return;
            }
            tls.handshakeFuture().addListener(done -> {
                if (closed) {
                    return;
                }
                if (done.cause() != null) {
                    notMade(
                            security.handshakeFailure(done.cause()),
                            HandshakeDiagnosis.of(done.cause(), tls, server()));
                } else if ("h2".equals(tls.applicationProtocol())) {
                    tlsNanos = clock.nanoTime() - phaseNanos;
                    ready();
                } else {
                    notMade(Failure.ofService("tls: the server does not offer HTTP/2"));
                }
            });
            open.pipeline().addFirst(tls);
        }

        /** Notes that a request waits for it no more: its client's next one has not made it. */
        @SuppressWarnings("ReferenceEquality") // the same object is meant
        private void left(Http2Stream stream) {
            if (maker == stream) {
                maker = null;
            }
        }

        private void ready() {
            Http2Connection made = new Http2Connection(this);
            connection = made;
            Http2Stream first = maker;
            if (first != null) {
                first.connectNanos = connectNanos;
                first.tlsNanos = tlsNanos;
            }
            made.greet();
            serve();
        }

        private void notMade(Failure why) {
            notMade(why, why.kind() + " (" + server() + ")");
        }

        /** @param note what people are told of it */
        private void notMade(Failure why, String note) {
            close();
            if (current == this) {
                current = null;
                failAll(why, note);
                serve();
            }
        }

        // ---- what the connection wants ----

        @Override
        public ByteBuf out() {
            if (closed) {
                return Unpooled.buffer(); // nobody sends it
            }
            ByteBuf buffer = out;
            if (buffer == null) {
                buffer = allocate();
                out = buffer;
            }
            return buffer;
        }

        private ByteBuf allocate() {
            Channel open = channel;
            if (open == null) {
                throw new IllegalStateException("Not connected");
            }
            // One that is kept costs less to write into where no pool owns it.
            return socket != null
                    ? Unpooled.directBuffer(OUT_BYTES)
                    : open.alloc().directBuffer(OUT_BYTES);
        }

        @Override
        public void flush() {
            if (!flushing) {
                flushing = true;
                shared.loop().afterCalls(flush);
            }
        }

        private void flushNow() {
            flushing = false;
            if (!closed) {
                leave();
                send();
                Http2Connection open = connection;
                if (open != null) {
                    open.socketFull(isFull());
                }
            }
        }

        private void leave() {
            if (leaving.isEmpty()) {
                return;
            }
            long now = clock.nanoTime();
            for (int i = 0; i < leaving.size(); i++) {
                Http2Stream stream = leaving.get(i);
                // One that was given up meanwhile, or is sent again elsewhere, has not left here.
                if (stream.carrier == this) {
                    stream.written = true;
                    stream.writtenNanos = now;
                }
            }
            leaving.clear();
        }

        private void send() {
            ByteBuf sending = out;
            Channel open = channel;
            if (sending == null || !sending.isReadable() || open == null) {
                return;
            }
            if (socket != null) {
                socket.write(sending);
            } else {
                out = null;
                // A failure to write comes back through exceptionCaught.
                open.writeAndFlush(sending, open.voidPromise());
            }
        }

        private boolean isFull() {
            return socket != null ? !socket.allSent() : channel != null && !channel.isWritable();
        }

        @Override
        public void written(Http2Stream stream) {
            leaving.add(stream);
        }

        /** Returns when what is being read was found. */
        long cameNanos() {
            if (!cameKnown) {
                cameNanos = clock.nanoTime();
                cameKnown = true;
            }
            return cameNanos;
        }

        @Override
        public void changed() {
            if (current == this && !connection().isUsable()) {
                current = null;
            }
            serve();
        }

        @Override
        public void refused(Http2Stream stream) {
            stream.carrier = null;
            if (stream.resent == MAX_RESENDS) {
                stream.ended(REFUSED);
                return;
            }
            stream.resent++;
            stream.remark("the server did not process it, so it is sent again");
            stream.restarts();
            stream.rewind();
            stream.waitsSince = clock.nanoTime();
            waiting.addFirst(stream);
            serve();
        }

        @Override
        public void ended(Http2Stream stream, @Nullable Failure failure) {
            stream.carrier = null;
            if (!stream.keepsConnection()) {
                connection().drain();
            }
            stream.ended(failure);
        }

        @Override
        public void over() {
            send();
            close();
        }

        private void close() {
            if (closed) {
                return;
            }
            closed = true;
            if (channel == null) {
                dialer.cancel();
            }
            if (connection != null) {
                connection.end(CLOSED_BEFORE, CLOSED_WITHIN);
            }
            if (socket != null) {
                socket.close();
            } else {
                Sockets.close(channel);
            }
            if (out != null) {
                out.release();
                out = null;
            }
        }

        private void lost(Failure before, Failure within) {
            if (closed) {
                return;
            }
            Http2Connection open = connection;
            if (open == null) {
                notMade(before);
            } else {
                open.end(before, within);
                close();
            }
        }

        // ---- what the socket tells ----

        @Override
        public void taken(PlainSocket taken) {
            if (closed) {
                taken.close();
            } else {
                socket = taken;
                ready();
            }
        }

        @Override
        public void received(ByteBuf in) {
            if (!closed && connection != null) {
                cameKnown = false;
                connection.received(in);
            }
        }

        @Override
        public void inactive() {
            lost(
                    peer.tls() != null && connection == null
                            ? Failure.ofService("tls: closed in the handshake")
                            : CLOSED_BEFORE,
                    CLOSED_WITHIN);
        }

        @Override
        public void broken(Throwable cause) {
            boolean handshakes = peer.tls() != null && connection == null;
            Failure why = handshakes ? Failures.handshake(cause) : Failures.of(cause);
            lost(why, why);
        }

        @Override
        public void sent() {
            if (!closed && connection != null) {
                connection.socketFull(false);
            }
        }

        /** Passes on what happens to the channel. */
        private final class Receiver extends ChannelInboundHandlerAdapter {

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                ByteBuf in = (ByteBuf) message;
                try {
                    received(in);
                } finally {
                    in.release();
                }
            }

            @Override
            public void channelWritabilityChanged(ChannelHandlerContext context) {
                if (context.channel().isWritable()) {
                    sent();
                }
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                inactive();
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                broken(cause);
            }
        }
    }
}
