package org.diperf.controller.page;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Serves a site by HTTP/1.1: at most 256 connections, of which 64 may be streams of events, at most 64 requests that wait, requests of
 * at most 8 KiB; whoever comes beyond that is told so and let go. One event loop owns connections and streams; two threads read files.
 */
final class PageServer implements AutoCloseable {

    static final int MAX_CONNECTIONS = 256;
    private static final int MAX_WAITING = 64;
    private static final int MAX_LINE = 2048;
    private static final int MAX_HEADERS = 8192;
    private static final int MAX_BODY = 4096;
    private static final int IDLE_SECONDS = 15;
    private static final int BACKLOG = 1024;
    private static final WriteBufferWaterMark WATER = new WriteBufferWaterMark(1 << 17, 1 << 18);

    private final PageHandler site;
    private final NanoClock clock;
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("diperf-page", true), NioIoHandler.newFactory());
    private final ThreadPoolExecutor readers = new ThreadPoolExecutor(
            2,
            2,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MAX_WAITING),
            new DefaultThreadFactory("diperf-page-reader", true));
    /** Confined to the event loop. */
    private final Map<String, Viewers> viewers = new HashMap<>();

    private final AtomicInteger connections = new AtomicInteger();
    /** All connections: a loop that ends may leave them open. */
    private final ChannelGroup open = new DefaultChannelGroup(group.next(), true);

    private final Channel channel;
    private final AccessControl gate;

    /**
     * Begins to serve.
     *
     * @param listen address or name, such as 127.0.0.1
     * @param port 0: any that is free
     * @throws IOException when it cannot listen there
     */
    PageServer(PageHandler site, String listen, int port, NanoClock clock) throws IOException {
        this(site, listen, port, clock, AccessControl::of);
    }

    /** Makes the gate of a server that listens. */
    @FunctionalInterface
    interface GateMaker {
        AccessControl of(String listen, InetAddress bound, int port);
    }

    PageServer(PageHandler site, String listen, int port, NanoClock clock, GateMaker gates) throws IOException {
        this.site = site;
        this.clock = clock;
        try {
            InetAddress address = InetAddress.getByName(listen);
            channel = new ServerBootstrap()
                    .group(group)
                    .channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel accepted) {
                            accept(accepted);
                        }
                    })
                    .bind(new InetSocketAddress(address, port))
                    .syncUninterruptibly()
                    .channel();
            gate = gates.of(listen, address(), port());
        } catch (IOException | RuntimeException e) {
            readers.shutdown();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "Cannot serve the page at " + listen + ":" + port + ": " + e.getMessage()
                            + ". Choose another port or address",
                    e);
        }
        EventLoop loop = group.next();
        loop.scheduleAtFixedRate(
                () -> viewers.values().forEach(each -> each.tick(clock.nanoTime())), 1, 1, TimeUnit.SECONDS);
    }

    private void accept(SocketChannel accepted) {
        if (connections.incrementAndGet() > MAX_CONNECTIONS) {
            accepted.pipeline().addLast(new ConnectionLimit());
        } else {
            accepted.pipeline()
                    .addLast(new HttpServerCodec(MAX_LINE, MAX_HEADERS, MAX_HEADERS))
                    .addLast(new HttpObjectAggregator(MAX_BODY))
                    .addLast(new IdleStateHandler(true, 0, 0, IDLE_SECONDS, TimeUnit.SECONDS))
                    // A request that came with the one before it waits for that one's answer.
                    .addLast(new FlowControlHandler())
                    .addLast(new RequestHandler(this));
        }
        accepted.closeFuture().addListener(closed -> connections.decrementAndGet());
        open.add(accepted);
    }

    PageHandler site() {
        return site;
    }

    NanoClock clock() {
        return clock;
    }

    AccessControl gate() {
        return gate;
    }

    /** Does something that may take longer than the event loop has time for. */
    void read(Runnable work) {
        readers.execute(work);
    }

    /** Returns who looks at the stream of a path; {@code null}: there is no stream. On the event loop. */
    @Nullable
    Viewers viewers(String path) {
        EventStream feed = site.feed(path);
        return feed == null ? null : viewers.computeIfAbsent(path, any -> new Viewers(feed));
    }

    /** Counts who looks at any stream. */
    int watching() {
        return group.next()
                .submit(() -> viewers.values().stream().mapToInt(Viewers::count).sum())
                .syncUninterruptibly()
                .getNow();
    }

    /** Tells all viewers at once what is new. */
    void tick() {
        group.next()
                .submit(() -> viewers.values().forEach(each -> each.tick(clock.nanoTime())))
                .syncUninterruptibly();
    }

    /** Returns the address it listens at. */
    InetAddress address() {
        return ((InetSocketAddress) channel.localAddress()).getAddress();
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Returns the link that lets its owner look and act. */
    String link() {
        return gate.link(address());
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        group.next().submit(() -> viewers.values().forEach(Viewers::close)).syncUninterruptibly();
        readers.shutdown();
        try {
            // Whoever has asked gets an answer.
            readers.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        group.next().submit(() -> {}).syncUninterruptibly();
        readers.shutdownNow();
        open.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
