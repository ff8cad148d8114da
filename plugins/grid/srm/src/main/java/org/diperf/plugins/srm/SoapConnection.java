package org.diperf.plugins.srm;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gsi.GsiFailures;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.diperf.plugins.srm.Messages.Message;
import org.diperf.plugins.srm.SrmTarget.Transport;
import org.diperf.plugins.srm.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/**
 * A way to a manager for one message after another: opened when one must go out, opened again when it was lost. Confined to its
 * event loop.
 */
final class SoapConnection {

    /** Listings may be long. */
    static final int MAX_BODY_BYTES = 16 << 20;

    private static final byte[] NO_DELEGATION = {'0'};

    private final SrmSession session;
    private final SrmTarget target;
    private final int index;
    private final EventLoop loop;
    private final XMLInputFactory readers;
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private @Nullable Exchange current;
    private @Nullable Receiver line;
    private boolean closing;

    /** One message and its answer. */
    abstract static class Exchange {

        private final Message message;
        /** What a new connection took, -1 where one was there. */
        long connectNanos = -1;
        /** When the message went out. */
        long sentNanos;
        /** Bytes of the answer's body. */
        long bytes;

        Exchange(Message message) {
            this.message = message;
        }

        /** Takes the answer. */
        abstract void answered(SrmAnswer answer);

        /** Takes why there is none, named by its operation. */
        abstract void failed(Failure why);

        String operation() {
            return message.operation();
        }
    }

    SoapConnection(SrmSession session, int index, EventLoop loop) {
        this.session = session;
        this.target = session.target(index);
        this.index = index;
        this.loop = loop;
        this.readers = session.readersOf(loop);
    }

    /** Sends a message when those before it have been answered. */
    void ask(Exchange exchange) {
        waiting.add(exchange);
        next();
    }

    /** Returns the exchange that is under way, {@code null} where there is none. */
    @Nullable
    Exchange current() {
        return current;
    }

    /** Takes nothing more; what waits may still go out for a while. */
    void closeWithin(long nanos) {
        closing = true;
        if (current == null && waiting.isEmpty()) {
            close();
        } else {
            loop.schedule(this::close, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Closes it; nobody is told. */
    void close() {
        closing = true;
        waiting.clear();
        current = null;
        drop();
    }

    private void drop() {
        Receiver dropped = line;
        line = null;
        if (dropped != null) {
            dropped.close();
        }
    }

    private void next() {
        if (current != null) {
            return;
        }
        current = waiting.poll();
        if (current == null) {
            if (closing) {
                close();
            }
            return;
        }
        Receiver there = line;
        if (there != null && there.isOpen()) {
            there.send(current);
        } else {
            line = new Receiver(session.clock().nanoTime());
            line.connect(0);
        }
    }

    private void lose(Failure why) {
        drop();
        Exchange ending = current;
        current = null;
        if (ending != null) {
            ending.failed(why.in(ending.operation()));
        }
        next();
    }

    /** One TCP connection. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

        private final long beginNanos;
        private @Nullable Channel channel;
        private @Nullable HttpResponse head;
        private @Nullable ByteBuf body;
        private boolean ready;
        private boolean handshaking;

        Receiver(long beginNanos) {
            this.beginNanos = beginNanos;
        }

        private boolean isMine() {
            return line == this;
        }

        boolean isOpen() {
            Channel made = channel;
            return ready && made != null && made.isActive();
        }

        void connect(int address) {
            ChannelFuture connecting = new Bootstrap()
                    .group(loop)
                    .channelFactory(SessionLoops.sockets(loop))
                    .option(ChannelOption.TCP_NODELAY, true)
                    // The framework owns the timeout of a call, the connection's set-up included.
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel made) {
                            made.pipeline().addLast(new HttpResponseDecoder(), Receiver.this);
                        }
                    })
                    .connect(session.addresses(index)[address]);
            channel = connecting.channel();
            Sockets.then(connecting, loop, () -> ended(connecting.cause(), address));
        }

        private void ended(@Nullable Throwable cause, int address) {
            if (!isMine()) {
                return;
            }
            if (cause == null) {
                if (target.isSecure()) {
                    secure();
                } else {
                    opened();
                }
            } else if (address + 1 < session.addresses(index).length) {
                connect(address + 1);
            } else {
                lose(Failures.of(cause));
            }
        }

        private void secure() {
            handshaking = true;
            SslHandler tls = new SslHandler(session.gsi().client(target.host(), target.port()));
            tls.setHandshakeTimeoutMillis(0);
            tls.handshakeFuture().addListener(done -> {
                if (!isMine()) {
                    return;
                }
                handshaking = false;
                if (done.cause() != null) {
                    lose(GsiFailures.of(done.cause()));
                    return;
                }
                if (target.transport() == Transport.HTTPG) {
                    // A record of its own, as the servers' GSI library reads it.
                    channel().writeAndFlush(Unpooled.wrappedBuffer(NO_DELEGATION));
                }
                opened();
            });
            channel().pipeline().addFirst(tls);
        }

        private Channel channel() {
            if (channel == null) {
                throw new IllegalStateException("No connection was begun");
            }
            return channel;
        }

        private void opened() {
            ready = true;
            Exchange first = current;
            if (first != null) {
                first.connectNanos = session.clock().nanoTime() - beginNanos;
                send(first);
            }
        }

        void send(Exchange exchange) {
            byte[] content = exchange.message.body().getBytes(StandardCharsets.UTF_8);
            byte[] request = ("POST " + target.endpoint() + " HTTP/1.1\r\nHost: " + target.authority()
                            + "\r\nUser-Agent: diperf\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: "
                            + content.length + "\r\nConnection: "
                            + (session.keepsConnections() ? "keep-alive" : "close")
                            + "\r\nSOAPAction: \"" + exchange.message.action() + "\"\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sentNanos = session.clock().nanoTime();
            ByteBuf out = channel().alloc().buffer(request.length + content.length);
            channel()
                    .writeAndFlush(
                            out.writeBytes(request).writeBytes(content),
                            channel().voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                Exchange exchange = current;
                if (!isMine()) {
                    return;
                }
                if (exchange == null) {
                    drop(); // bytes that nobody asked for
                } else if (((HttpObject) message).decoderResult().isFailure()) {
                    lose(Failure.ofService("malformed response"));
                } else {
                    take(message, exchange);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void take(Object message, Exchange exchange) {
            if (message instanceof HttpResponse response) {
                head = response.status().codeClass() == HttpStatusClass.INFORMATIONAL ? null : response;
            }
            HttpResponse response = head;
            if (!(message instanceof HttpContent part) || response == null) {
                return;
            }
            int count = part.content().readableBytes();
            if (count > 0) {
                ByteBuf whole = body == null ? Unpooled.buffer(count) : body;
                body = whole;
                if (whole.readableBytes() + (long) count > MAX_BODY_BYTES) {
                    lose(Failure.ofService("response too large"));
                    return;
                }
                whole.writeBytes(part.content());
                exchange.bytes += count;
            }
            if (message instanceof LastHttpContent) {
                answered(response, exchange);
            }
        }

        private void answered(HttpResponse response, Exchange exchange) {
            ByteBuf whole = body;
            body = null;
            head = null;
            if (!session.keepsConnections() || !HttpUtil.isKeepAlive(response)) {
                drop();
            }
            current = null;
            try {
                SrmAnswer answer = SrmAnswer.read(
                        exchange.operation(),
                        response.status().code(),
                        whole == null ? InputStream.nullInputStream() : new ByteBufInputStream(whole),
                        readers);
                exchange.answered(answer);
            } catch (MalformedXmlException e) {
                exchange.failed(
                        Failure.ofService(String.valueOf(e.getMessage())).in(exchange.operation()));
            }
            next();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!isMine() || !(ready || handshaking)) {
                return; // one that could not be made is told by the attempt itself
            }
            if (current == null) {
                drop();
            } else if (handshaking) {
                lose(Failure.ofService("GSI: closed in the handshake"));
            } else {
                lose(Failure.ofService(head != null ? "closed within the response" : "closed before the response"));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isMine() && ready) {
                lose(Failures.of(cause));
            }
        }

        void close() {
            Sockets.close(channel);
        }
    }
}
