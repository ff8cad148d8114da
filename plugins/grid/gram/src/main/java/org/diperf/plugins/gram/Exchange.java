package org.diperf.plugins.gram;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.gsi.GsiFailures;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One request and its reply, on a connection of its own, because gatekeeper and job manager close theirs behind each reply.
 * Ends once. Confined to its event loop; the few milliseconds of a handshake's arithmetic are spent there.
 */
final class Exchange {

    private static final int MAX_REPLY_BYTES = 64 << 10;
    private static final int MAX_HEAD_BYTES = 8 << 10;
    private static final int MAX_REQUEST_BYTES = 16 << 10;

    /** Takes the end. */
    interface Owner {

        /** The reply is there, or why there is none; see {@link Exchange#failure}. */
        void ended(Exchange exchange);
    }

    /** Whom a connection is to, and what comes before the request. */
    enum Peer {
        /** The gatekeeper, which gets a proxy. */
        GATEKEEPER_WITH_PROXY,
        /** The gatekeeper, which gets none. */
        GATEKEEPER,
        /** A job manager, which acts for the user. */
        JOB_MANAGER
    }

    private enum Step {
        CONNECT,
        AUTHENTICATE,
        DELEGATE,
        REQUEST,
        OVER
    }

    private final CallerIdentity caller;
    private final Gatekeeper gatekeeper;
    private final EventLoop loop;
    private final Peer peer;
    private final int port;
    private final byte[] request;
    private final String name;
    private final Owner owner;

    private Step step = Step.CONNECT;
    private int address;
    private long stepNanos;
    private @Nullable ScheduledFuture<?> limit;
    private @Nullable Channel channel;
    private @Nullable Failure failure;

    private long connectNanos = -1;
    private long authenticateNanos = -1;
    private long delegateNanos = -1;
    private long requestNanos = -1;
    private boolean requested;
    private int status;
    private String body = "";

    /**
     * @param port of the gatekeeper's host
     * @param name of the request, for failures: {@code submit}
     */
    Exchange(
            CallerIdentity caller,
            Gatekeeper gatekeeper,
            EventLoop loop,
            Peer peer,
            int port,
            byte[] request,
            String name,
            Owner owner) {
        this.caller = caller;
        this.gatekeeper = gatekeeper;
        this.loop = loop;
        this.peer = peer;
        this.port = port;
        this.request = request;
        this.name = name;
        this.owner = owner;
    }

    /** Returns why there is no reply; {@code null} where there is one. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Returns the status of the reply in HTTP. */
    int status() {
        return status;
    }

    /** Returns the reply's body, empty where it has none. */
    String body() {
        return body;
    }

    /** Says what connecting took, -1 where that did not end well; so with the others. */
    long connectNanos() {
        return connectNanos;
    }

    long authenticateNanos() {
        return authenticateNanos;
    }

    long delegateNanos() {
        return delegateNanos;
    }

    long requestNanos() {
        return requestNanos;
    }

    void begin() {
        enter(Step.CONNECT);
        connect();
    }

    private void connect() {
        long attemptNanos = caller.clock().nanoTime();
        InetSocketAddress to =
                new InetSocketAddress(gatekeeper.addresses().get(address).getAddress(), port);
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channelFactory(SessionLoops.sockets(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        // Added when the connection is there.
                    }
                })
                .connect(to);
        channel = connecting.channel();
        Sockets.then(connecting, loop, () -> connected(connecting.cause(), attemptNanos));
    }

    private void connected(@Nullable Throwable cause, long attemptNanos) {
        if (step != Step.CONNECT) {
            return;
        }
        if (cause == null) {
            long now = caller.clock().nanoTime();
            connectNanos = now - stepNanos;
            caller.connected(channel(), now, now - attemptNanos);
            authenticate();
        } else if (address + 1 < gatekeeper.addresses().size()) {
            address++;
            connect();
        } else {
            end(peer == Peer.JOB_MANAGER ? Failures.of(cause).in(name) : Failures.of(cause));
        }
    }

    private void authenticate() {
        enter(Step.AUTHENTICATE);
        boolean byName = peer == Peer.JOB_MANAGER || gatekeeper.contact().subject() != null;
        SSLEngine engine;
        try {
            engine = caller.credentials()
                    .connection(byName ? null : gatekeeper.contact().host(), port);
        } catch (IOException e) {
            end(GsiFailures.of(e));
            return;
        }
        SslHandler tls = new SslHandler(engine);
        tls.setHandshakeTimeoutMillis(0);
        // Neither side of GRAM waits for the other's good-bye.
        tls.setCloseNotifyFlushTimeoutMillis(0);
        channel().pipeline().addLast(tls, new Receiver());
        tls.handshakeFuture().addListener(done -> {
            if (step != Step.AUTHENTICATE) {
                return;
            }
            if (done.cause() != null) {
                end(
                        done.cause() instanceof ClosedChannelException
                                ? Failure.ofService("GSI: closed in the handshake")
                                : GsiFailures.of(done.cause()));
                return;
            }
            authenticated(engine);
        });
    }

    private void authenticated(SSLEngine engine) {
        authenticateNanos = caller.clock().nanoTime() - stepNanos;
        try {
            requirePeer(engine);
        } catch (IOException | RuntimeException e) {
            end(GsiFailures.of(e));
            return;
        }
        if (step == Step.OVER) {
            return;
        }
        if (peer == Peer.GATEKEEPER_WITH_PROXY) {
            enter(Step.DELEGATE);
            write(new byte[] {'D'});
        } else {
            if (peer == Peer.GATEKEEPER) {
                write(new byte[] {'0'});
            }
            send();
        }
    }

    private void requirePeer(SSLEngine engine) throws IOException {
        String subject = gatekeeper.contact().subject();
        if (peer != Peer.JOB_MANAGER && subject == null) {
            return;
        }
        X509Certificate[] certificates = Arrays.stream(engine.getSession().getPeerCertificates())
                .map(X509Certificate.class::cast)
                .toArray(X509Certificate[]::new);
        GsiCredentials credentials = caller.credentials();
        if (peer == Peer.JOB_MANAGER ? !credentials.isSelf(certificates) : !isNamed(certificates, subject)) {
            end(Failure.ofService("GSI: authenticated as somebody else"));
        }
    }

    private static boolean isNamed(X509Certificate[] certificates, @Nullable String subject) {
        return subject != null && GsiCredentials.isNamed(certificates, subject);
    }

    private void delegate(byte[] asked) {
        byte[] proxy;
        try {
            proxy = caller.credentials().delegate(asked, caller.delegatesLimited());
        } catch (IOException | RuntimeException e) {
            end(Failure.ofService("delegate: no request for a proxy"));
            return;
        }
        write(proxy);
        delegateNanos = caller.clock().nanoTime() - stepNanos;
        send();
    }

    private void send() {
        enter(Step.REQUEST);
        channel()
                .pipeline()
                .addLast(
                        new HttpResponseDecoder(MAX_HEAD_BYTES, MAX_HEAD_BYTES, MAX_REPLY_BYTES),
                        new HttpObjectAggregator(MAX_REPLY_BYTES),
                        new ReplyReader());
        requested = true;
        write(request);
    }

    /** Writes in records as large as the other side reads at once. */
    private void write(byte[] bytes) {
        for (int from = 0; from < bytes.length; from += MAX_REQUEST_BYTES) {
            int length = Math.min(MAX_REQUEST_BYTES, bytes.length - from);
            channel()
                    .write(
                            Unpooled.wrappedBuffer(bytes, from, length),
                            channel().voidPromise());
        }
        channel().flush();
    }

    private Channel channel() {
        if (channel == null) {
            throw new IllegalStateException("No connection was begun");
        }
        return channel;
    }

    private void enter(Step next) {
        step = next;
        stepNanos = caller.clock().nanoTime();
        if (limit != null) {
            limit.cancel(false);
        }
        limit = loop.schedule(
                () -> end(Failure.ofService(named(next) + ": no answer")), caller.stepNanos(), TimeUnit.NANOSECONDS);
    }

    private String named(Step of) {
        return switch (of) {
            case CONNECT -> peer == Peer.JOB_MANAGER ? name : "connect";
            case AUTHENTICATE -> peer == Peer.JOB_MANAGER ? name : "authenticate";
            case DELEGATE -> "delegate";
            default -> name;
        };
    }

    /** Returns whether the request was sent, so that it may have had its effect. */
    boolean isAsked() {
        return requested;
    }

    /** Gives up; the owner is told. Nothing happens where it has ended. */
    void abandon() {
        end(Failure.ofService("cancelled"));
    }

    private void end(@Nullable Failure why) {
        if (step == Step.OVER) {
            return;
        }
        step = Step.OVER;
        failure = why;
        if (limit != null) {
            limit.cancel(false);
        }
        Sockets.close(channel);
        owner.ended(this);
    }

    /** Takes what comes before there is a reply: a request for a proxy, and the end of the connection. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

        private static final int DER_SEQUENCE = 0x30;
        private static final int MAX_ASKED_BYTES = 16 << 10;

        private final ByteBuf asked = Unpooled.buffer(0);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (step != Step.DELEGATE) {
                context.fireChannelRead(message);
                return;
            }
            asked.writeBytes((ByteBuf) message);
            ReferenceCountUtil.release(message);
            if (asked.getByte(0) != DER_SEQUENCE || asked.readableBytes() > MAX_ASKED_BYTES) {
                end(Failure.ofService("delegate: no request for a proxy"));
                return;
            }
            int length = derLength();
            if (length > 0 && asked.readableBytes() >= length) {
                byte[] whole = new byte[length];
                asked.readBytes(whole);
                delegate(whole);
            }
        }

        /** Returns how long the element is as a whole, 0 where that is not known yet. */
        private int derLength() {
            if (asked.readableBytes() < 4) {
                return 0;
            }
            int first = asked.getUnsignedByte(1);
            return switch (first) {
                case 0x81 -> 3 + asked.getUnsignedByte(2);
                case 0x82 -> 4 + asked.getUnsignedShort(2);
                default -> first < 0x80 ? 2 + first : MAX_ASKED_BYTES + 1;
            };
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            Step was = step;
            // What the end of the connection completes is a reply.
            context.fireChannelInactive();
            switch (was) {
                case AUTHENTICATE -> end(Failure.ofService("GSI: closed in the handshake"));
                case DELEGATE, REQUEST -> end(Failure.ofService(named(was) + ": closed before the answer"));
                default -> {}
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (step == Step.AUTHENTICATE) {
                // The handshake says why it failed.
                return;
            }
            end(Failures.of(cause).in(named(step)));
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            asked.release();
        }
    }

    private final class ReplyReader extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (step != Step.REQUEST) {
                    return;
                }
                FullHttpResponse reply = (FullHttpResponse) message;
                if (!reply.decoderResult().isSuccess()) {
                    end(Failure.ofService(name + ": " + GramError.named(GramError.HTTP_UNFRAME_FAILED)));
                    return;
                }
                requestNanos = caller.clock().nanoTime() - stepNanos;
                status = reply.status().code();
                body = reply.content().toString(StandardCharsets.UTF_8);
                end(
                        status == 200
                                ? null
                                : Failure.ofService(name + ": "
                                        + (GramError.ofHttp(status) == GramError.HTTP_UNFRAME_FAILED
                                                ? "status " + status
                                                : GramError.named(GramError.ofHttp(status)))));
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof PrematureChannelClosureException) {
                // The end of the connection says so.
                return;
            }
            boolean tooLong = cause instanceof TooLongFrameException;
            end(
                    tooLong
                            ? Failure.ofService(name + ": answer too long")
                            : Failures.of(cause).in(name));
        }
    }
}
