package org.diperf.controller.quickstart;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Url;

/**
 * An HTTP service with a fixed pool of workers, each of which waits instead of computing: its capacity is workers /
 * mean service time whatever the machine, and it burns next to no CPU. Requests beyond the pool queue up, first come
 * first served. Listens on the loopback only; all state is confined to its one event loop.
 */
public final class WaitingService implements AutoCloseable {

    private static final byte[] ANSWER = "hello\n".getBytes(StandardCharsets.US_ASCII);

    private final int workers;
    private final long minServiceNanos;
    private final long maxServiceNanos;
    private final SplittableRandom random;
    private final Queue<ChannelHandlerContext> waiting = new ArrayDeque<>();
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("diperf-quickstart", true), NioIoHandler.newFactory());
    /** All connections: a loop that ends may leave them open. */
    private final ChannelGroup open = new DefaultChannelGroup(loop.next(), true);

    private final Channel channel;
    private int busy;

    /**
     * Starts the service on a free port.
     *
     * @param workers how many requests it serves at once, at least 1
     * @param minServiceNanos shortest time a worker takes
     * @param maxServiceNanos longest; the times are evenly spread between the two
     * @param seed of these times
     * @throws IOException when it cannot listen
     */
    public WaitingService(int workers, long minServiceNanos, long maxServiceNanos, long seed) throws IOException {
        this.workers = workers;
        this.minServiceNanos = minServiceNanos;
        this.maxServiceNanos = maxServiceNanos;
        this.random = new SplittableRandom(seed);
        try {
            this.channel = new ServerBootstrap()
                    .group(loop)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel accepted) {
                            open.add(accepted);
                            accepted.pipeline()
                                    .addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20), new Requests());
                        }
                    })
                    .bind("127.0.0.1", 0)
                    .syncUninterruptibly()
                    .channel();
        } catch (RuntimeException e) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException("Cannot listen on the loopback address: " + e.getMessage(), e);
        }
    }

    /** Returns the address of the service. */
    public Url uri() {
        return Url.of("http://127.0.0.1:" + ((InetSocketAddress) channel.localAddress()).getPort() + "/");
    }

    private void serve(ChannelHandlerContext request) {
        busy++;
        long serviceNanos = minServiceNanos == maxServiceNanos
                ? minServiceNanos
                : random.nextLong(minServiceNanos, maxServiceNanos);
        request.channel().eventLoop().schedule(() -> done(request), serviceNanos, TimeUnit.NANOSECONDS);
    }

    private void done(ChannelHandlerContext request) {
        busy--;
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(ANSWER));
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, ANSWER.length);
        request.writeAndFlush(response);
        ChannelHandlerContext next = waiting.poll();
        if (next != null) {
            serve(next);
        }
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        open.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (busy < workers) {
                serve(context);
            } else {
                waiting.add(context);
            }
        }
    }
}
