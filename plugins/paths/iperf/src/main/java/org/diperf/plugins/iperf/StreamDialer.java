package org.diperf.plugins.iperf;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * Makes the streams of a client's test, one after another, so that both ends count them in the same order. Confined to its event
 * loop.
 */
final class StreamDialer {

    /** How long the server may take to answer the first datagram of a stream. */
    private static final long ANSWER_SECONDS = 5;

    /** Bytes of a connection to the server that the kernel counts besides the test's: its SYN and the cookie. */
    private static final int ACKED_BEFORE = 1 + Cookie.BYTES;

    /** What the first datagram of a stream holds, and what answers it: of versions since 3.13 and of those before. */
    static final int HELLO = 0x39383736;

    static final int ANSWER = 0x36373839;
    private static final int OLD_ANSWER = 0xb168de3a;

    /** A socket is full as soon as the system takes no more. */
    static final WriteBufferWaterMark NOTHING_WAITS = new WriteBufferWaterMark(1, 2);

    private static final WriteBufferWaterMark DATAGRAMS_WAIT = new WriteBufferWaterMark(64 << 10, 128 << 10);
    private static final int DATAGRAMS_A_READ = 16;

    private final Request request;
    private final SocketAddress server;
    private final byte[] cookie;
    private final EventLoop loop;
    private final Quota quota;
    private final ByteBuf block;
    private final @Nullable DatagramBuffers datagrams;
    private final Flow.Watcher watcher;
    private final NanoClock clock;
    private final Runnable whenComplete;
    private final List<Flow> flows = new ArrayList<>();
    private @Nullable Channel dialled;
    private boolean over;

    /**
     * @param block what streams send a part of; of datagrams, empty
     * @param whenComplete called when all streams are there
     */
    StreamDialer(
            Request request,
            SocketAddress server,
            byte[] cookie,
            EventLoop loop,
            Quota quota,
            ByteBuf block,
            @Nullable DatagramBuffers datagrams,
            Flow.Watcher watcher,
            Runnable whenComplete,
            NanoClock clock) {
        this.whenComplete = whenComplete;
        this.request = request;
        this.server = server;
        this.cookie = cookie;
        this.loop = loop;
        this.quota = quota;
        this.block = block;
        this.datagrams = datagrams;
        this.watcher = watcher;
        this.clock = clock;
    }

    /** Returns the streams made so far; those that send from here are first. */
    List<Flow> flows() {
        return flows;
    }

    /** Makes the next stream, until all are there. */
    void next() {
        if (over) {
            return;
        }
        if (flows.size() == request.upward() + request.downward()) {
            whenComplete.run();
        } else if (request.udp()) {
            dialUdp();
        } else {
            dialTcp();
        }
    }

    /** Streams are numbered 1, 3, 4, 5 and so on, as iperf3 does. */
    static int id(int index) {
        return index == 0 ? 1 : index + 2;
    }

    private boolean sends() {
        return flows.size() < request.upward();
    }

    private void dialTcp() {
        ChannelFuture registered = new Bootstrap()
                .group(loop)
                .channelFactory(SessionLoops.sockets(loop))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NOTHING_WAITS)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new SharedReadBuffer())
                .handler(new ChannelInboundHandlerAdapter())
                .register();
        Channel channel = registered.channel();
        dialled = channel;
        Sockets.then(registered, loop, () -> {
            if (failed(registered)) {
                return;
            }
            TcpOptions.Unset unset = TcpOptions.set(channel, request);
            if (unset != null) {
                watcher.failed(unset.failure());
                return;
            }
            channel.connect(server).addListener((ChannelFutureListener) connected -> {
                if (failed(connected)) {
                    return;
                }
                channel.writeAndFlush(channel.alloc().directBuffer(Cookie.BYTES).writeBytes(cookie));
                boolean sends = sends();
                flows.add(new TcpFlow(
                        id(flows.size()), sends, channel, request, quota, block, ACKED_BEFORE, watcher, clock));
                next();
            });
        });
    }

    private boolean failed(ChannelFuture done) {
        if (over) {
            Sockets.close(done.channel());
            return true;
        }
        if (done.cause() != null) {
            watcher.failed(Failures.of(done.cause()).in("stream"));
            return true;
        }
        return false;
    }

    private void dialUdp() {
        UdpPort port = new UdpPort();
        ChannelFuture registered = datagramBootstrap(loop, request)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, DATAGRAMS_WAIT)
                .handler(port)
                .register();
        Channel channel = registered.channel();
        dialled = channel;
        Sockets.then(registered, loop, () -> {
            if (failed(registered)) {
                return;
            }
            TcpOptions.Unset unset = TcpOptions.setWindow(channel, request);
            if (unset != null) {
                watcher.failed(unset.failure());
                return;
            }
            channel.connect(server).addListener((ChannelFutureListener) connected -> {
                if (!failed(connected)) {
                    channel.writeAndFlush(channel.alloc().directBuffer().writeInt(HELLO));
                    loop.schedule(port::unanswered, ANSWER_SECONDS, TimeUnit.SECONDS);
                }
            });
        });
    }

    /** Prepares a socket for datagrams of a test: many are taken from the system at once where it can. */
    static Bootstrap datagramBootstrap(EventLoop loop, Request request) {
        Class<? extends Channel> type = SessionLoops.datagramType(loop);
        Bootstrap bootstrap = new Bootstrap().group(loop).channel(type);
        if (type == EpollDatagramChannel.class) {
            bootstrap
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, request.block())
                    .option(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new FixedRecvByteBufAllocator(request.block() * DATAGRAMS_A_READ));
        } else {
            bootstrap.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(request.block()));
        }
        return bootstrap;
    }

    /** Ends all streams, and what is being made. */
    void close() {
        over = true;
        flows.forEach(Flow::close);
        Sockets.close(dialled);
    }

    /** The socket of one stream of datagrams. */
    private final class UdpPort extends ChannelInboundHandlerAdapter {

        private @Nullable UdpFlow flow;

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            DatagramPacket packet = (DatagramPacket) in;
            try {
                UdpFlow known = flow;
                if (known != null) {
                    known.receive(packet.content());
                } else if (isAnswer(packet.content())) {
                    answered(context.channel());
                }
            } finally {
                packet.release();
            }
        }

        private boolean isAnswer(ByteBuf content) {
            if (content.readableBytes() != Integer.BYTES) {
                return false;
            }
            int answer = content.getInt(content.readerIndex());
            return answer == ANSWER || answer == OLD_ANSWER;
        }

        private void answered(Channel channel) {
            DatagramBuffers memory = datagrams;
            if (memory != null) {
                UdpFlow made =
                        new UdpFlow(id(flows.size()), sends(), channel, null, request, quota, memory, watcher, clock);
                flow = made;
                flows.add(made);
                next();
            }
        }

        void unanswered() {
            if (flow == null && !over) {
                watcher.failed(Failure.ofService("stream: no answer"));
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            UdpFlow known = flow;
            if (known != null && context.channel().isWritable()) {
                known.pump();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!over) {
                watcher.failed(Failures.of(cause).in("stream"));
            }
        }
    }
}
