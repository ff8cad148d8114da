package org.diperf.plugins.mds;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection to a server, made at the first of its addresses that answers, with TLS where that is wanted. Tells its
 * owner at most once that it is gone, and nothing afterwards. Confined to its event loop.
 */
final class ServerChannel {

    /** Is told what happens. */
    interface Owner {

        /** The connection is there, and encrypted where its target's scheme says so. */
        void opened();

        /** Bytes came, or what a decoder made of them; the owner does not keep them. */
        void received(Object message);

        /**
         * The connection could not be made, or broke.
         *
         * @param why {@code null} where the server closed it
         */
        void lost(@Nullable Failure why);
    }

    private static final String RECEIVER = "receiver";

    private final MdsSession session;
    private final Server server;
    private final InetSocketAddress[] addresses;
    private final EventLoop loop;
    private final @Nullable SslContext secured;
    private final LoopResources share;
    private final Owner owner;
    private final Bootstrap bootstrap;
    private final long startNanos;

    private int address;
    private long attemptNanos;
    private long connectNanos = -1;
    private long tlsNanos = -1;
    private @Nullable Channel channel;
    private boolean inHandshake;
    private boolean over;

    /** @param secured what {@link MdsSession#tlsOf} says */
    ServerChannel(MdsSession session, int target, EventLoop loop, @Nullable SslContext secured, Owner owner) {
        this.session = session;
        this.server = session.servers().get(target);
        this.addresses = session.addresses(target);
        this.loop = loop;
        this.secured = secured;
        this.share = session.shareOf(loop);
        this.owner = owner;
        this.startNanos = session.clock().nanoTime();
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(SessionLoops.sockets(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                // The framework owns the timeout of a call, the connection's set-up included.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .handler(receiver());
    }

    private ChannelHandler receiver() {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel made) {
                made.pipeline().addLast(RECEIVER, new Receiver());
            }
        };
    }

    void connect() {
        attemptNanos = session.clock().nanoTime();
        ChannelFuture connecting = bootstrap.connect(addresses[address]);
        channel = connecting.channel();
        Sockets.then(connecting, loop, () -> ended(connecting.cause()));
    }

    private void ended(@Nullable Throwable cause) {
        if (over) {
            return;
        }
        if (cause == null) {
            long now = session.clock().nanoTime();
            connectNanos = now - startNanos;
            share.sampler().offer(channel(), now, now - attemptNanos);
            if (server.isSecure()) {
                secure(owner::opened);
            } else {
                owner.opened();
            }
        } else if (address + 1 < addresses.length) {
            address++;
            connect();
        } else {
            lose(Failures.of(cause));
        }
    }

    /** Begins TLS on the connection. */
    void secure(Runnable then) {
        long began = session.clock().nanoTime();
        inHandshake = true;
        SslHandler tls = session.handler(secured, channel().alloc(), server);
        tls.handshakeFuture().addListener(done -> {
            if (over) {
                return;
            }
            inHandshake = false;
            if (done.cause() == null) {
                tlsNanos = session.clock().nanoTime() - began;
                then.run();
            } else {
                lose(Failures.handshake(done.cause()));
            }
        });
        channel().pipeline().addFirst(tls);
    }

    /** Puts a decoder between the connection and the owner; to be called when the connection has been opened. */
    void decodeBy(ChannelHandler decoder) {
        channel().pipeline().addBefore(RECEIVER, null, decoder);
    }

    private Channel channel() {
        if (channel == null) {
            throw new IllegalStateException("No connection was begun");
        }
        return channel;
    }

    /** Says what connecting took. */
    long connectNanos() {
        return connectNanos;
    }

    /** Says what the TLS handshake took, -1 where there was none. */
    long tlsNanos() {
        return tlsNanos;
    }

    boolean isOpen() {
        return !over && channel != null && channel.isActive();
    }

    ByteBuf buffer(int bytes) {
        return channel().alloc().directBuffer(bytes);
    }

    /** Writes without sending; see {@link #flush}. */
    void write(ByteBuf buffer) {
        // A failure to write comes back through exceptionCaught.
        channel().write(buffer, channel().voidPromise());
    }

    void flush() {
        if (!over) {
            channel().flush();
        }
    }

    /** Closes the connection; the owner is told nothing more. Idempotent. */
    void close() {
        over = true;
        Sockets.close(channel);
    }

    /** Sends this and closes the connection; the owner is told nothing more. */
    void closeAfter(ByteBuf last) {
        over = true;
        channel().writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    }

    private void lose(@Nullable Failure why) {
        if (!over) {
            close();
            owner.lost(why);
        }
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (!over) {
                    owner.received(message);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (connectNanos >= 0) {
                lose(inHandshake ? Failure.ofService("tls: closed in the handshake") : null);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (connectNanos >= 0) {
                lose(inHandshake ? Failures.handshake(cause) : Failures.of(cause));
            }
        }
    }
}
