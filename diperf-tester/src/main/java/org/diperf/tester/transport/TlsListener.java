package org.diperf.tester.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;

/**
 * Where testers and relays of one run come in, by TLS 1.3 with certificates of the run on both sides. Nobody is let in
 * before {@link #open}. Methods may be called from any thread; {@link Arrivals} is called on the group's event loop.
 */
public final class TlsListener {

    private static final int HANDSHAKE_SECONDS = 10;
    private static final int BACKLOG = 4096;

    private final Channel server;

    /** Takes who comes. */
    public interface Arrivals {

        /**
         * A connection has been made, and its handshake has not.
         *
         * @param tls to be the first handler of the channel
         */
        void came(SocketChannel channel, Handshake tls);

        /** A connection could not be accepted, mostly for want of descriptors. */
        void notAccepted(Throwable problem);
    }

    /** TLS on a connection that has come, which knows what its handshake has cost. */
    public static final class Handshake extends SslHandler {

        /** With what the first record of TLS begins. */
        private static final byte HANDSHAKE_RECORD = 22;

        private boolean heard;
        private boolean heardTls;

        /** Takes the engine of a handler: BoringSSL's newEngine would imitate the JDK's, which unwraps one record at a time. */
        Handshake(SslContext tls, ByteBufAllocator buffers) {
            super(tls.newHandler(buffers).engine());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (!heard && message instanceof ByteBuf bytes && bytes.isReadable()) {
                heard = true;
                heardTls = bytes.getByte(bytes.readerIndex()) == HANDSHAKE_RECORD;
            }
            super.channelRead(context, message);
        }

        /** Returns whether a handshake that failed cost next to nothing: the peer said nothing, or nothing of TLS. */
        public boolean wasNoise() {
            return !heardTls;
        }
    }

    private TlsListener(Channel server) {
        this.server = server;
    }

    /**
     * Makes what the listener's side of TLS needs.
     *
     * @param authority whose certificates those who come must have
     */
    public static SslContext tls(PrivateKey key, X509Certificate certificate, X509Certificate authority)
            throws IOException {
        return SslContextBuilder.forServer(new SingleKeyManagerFactory(key, certificate))
                .sslProvider(Sockets.tls())
                .protocols("TLSv1.3")
                .trustManager(authority)
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    /**
     * Binds a port.
     *
     * @param group of one event loop, which serves all that come
     * @throws BindException when the port is in use
     * @throws IOException when it cannot be had for another reason
     */
    public static TlsListener bind(EventLoopGroup group, SslContext tls, InetSocketAddress address, Arrivals arrivals)
            throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(Sockets.listening())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
                        arrivals.notAccepted(problem);
                        context.fireExceptionCaught(problem);
                    }
                })
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(256 << 10, 1 << 20))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        Handshake handler = new Handshake(tls, channel.alloc());
                        handler.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
                        arrivals.came(channel, handler);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (bound.isSuccess()) {
            return new TlsListener(bound.channel());
        }
        Throwable cause = bound.cause();
        String reason = String.valueOf(cause.getMessage());
        if (cause instanceof BindException || reason.contains("Address already in use")) {
            throw (BindException) new BindException(reason).initCause(cause);
        }
        throw new IOException(reason, cause);
    }

    /** Lets in who comes from now on, and who has come since the port was bound. */
    public void open() {
        server.config().setAutoRead(true);
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Lets nobody in any more; those who are in stay. Not on the event loop. */
    public void close() {
        server.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
