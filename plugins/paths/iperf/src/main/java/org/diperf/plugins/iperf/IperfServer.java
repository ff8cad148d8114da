package org.diperf.plugins.iperf;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A server that clients of iperf3 can use, one test at a time, as with iperf3; who comes meanwhile is told that it is busy.
 * Everything happens on its one event loop.
 */
final class IperfServer implements StandIn {

    private static final long CLOSE_MILLIS = 2_000;
    /** How long a connection may take to say whose it is. */
    private static final long COOKIE_SECONDS = 10;
    /** A client that says nothing for so long is asked whether it is there, in such intervals, so many times. */
    private static final int KEEP_IDLE_SECONDS = 30;

    private static final int KEEP_INTERVAL_SECONDS = 10;
    private static final int KEEP_PROBES = 3;

    private final NanoClock clock;
    private final EventLoopGroup group;
    private final Channel listening;
    private final InetSocketAddress address;

    /** Confined to the loop. */
    private @Nullable ServerTest test;

    /**
     * Starts one.
     *
     * @param listen where; port 0 means any free one
     * @throws IOException when the port cannot be had
     */
    IperfServer(InetSocketAddress listen, NanoClock clock) throws IOException {
        this.clock = clock;
        boolean epoll = Epoll.isAvailable();
        group = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("diperf-iperf-server", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        ServerBootstrap accepting = new ServerBootstrap()
                .group(group)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, StreamDialer.NOTHING_WAITS)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new SharedReadBuffer())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Arrival());
                    }
                });
        if (epoll) {
            // A client that has vanished from a test without an end must not keep all others out.
            accepting
                    .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEP_IDLE_SECONDS)
                    .childOption(EpollChannelOption.TCP_KEEPINTVL, KEEP_INTERVAL_SECONDS)
                    .childOption(EpollChannelOption.TCP_KEEPCNT, KEEP_PROBES);
        }
        ChannelFuture bound = accepting.bind(listen).awaitUninterruptibly();
        listening = bound.channel();
        if (bound.cause() != null) {
            group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
        address = (InetSocketAddress) listening.localAddress();
    }

    @Override
    public Url target() {
        String host = address.getAddress().getHostAddress();
        return Url.of("iperf://" + new TargetAddress(host, address.getPort()));
    }

    InetSocketAddress address() {
        return address;
    }

    EventLoop loop() {
        return listening.eventLoop();
    }

    /** The test is over: the next may come. */
    void free(ServerTest ended) {
        if (test == ended) {
            test = null;
        }
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly(CLOSE_MILLIS);
        listening
                .eventLoop()
                .submit(() -> {
                    ServerTest running = test;
                    if (running != null) {
                        running.terminate();
                    }
                })
                .awaitUninterruptibly(CLOSE_MILLIS);
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }

    /** A connection that has not yet said whose it is. */
    private final class Arrival extends ChannelInboundHandlerAdapter {

        private final byte[] cookie = new byte[Cookie.BYTES];
        private int read;
        private boolean known;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            context.channel()
                    .eventLoop()
                    .schedule(
                            () -> {
                                if (!known) {
                                    context.close();
                                }
                            },
                            COOKIE_SECONDS,
                            TimeUnit.SECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ByteBuf bytes = (ByteBuf) in;
            try {
                int count = Math.min(bytes.readableBytes(), Cookie.BYTES - read);
                bytes.readBytes(cookie, read, count);
                read += count;
                if (read == Cookie.BYTES) {
                    known = true;
                    Channel channel = context.channel();
                    channel.pipeline().remove(this);
                    arrived(channel, cookie);
                    if (bytes.isReadable()) {
                        channel.pipeline().fireChannelRead(bytes.retain());
                    }
                }
            } finally {
                bytes.release();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private void arrived(Channel channel, byte[] cookie) {
        ServerTest running = test;
        if (running == null) {
            ServerTest begun = new ServerTest(this, channel, cookie, clock);
            test = begun;
            begun.start();
        } else if (Arrays.equals(cookie, running.cookie()) && running.wantsStream()) {
            running.join(channel);
        } else {
            channel.writeAndFlush(channel.alloc().directBuffer(1).writeByte(State.ACCESS_DENIED))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
