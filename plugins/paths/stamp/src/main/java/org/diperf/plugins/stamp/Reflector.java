package org.diperf.plugins.stamp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;

/**
 * A stateful reflector (RFC 8762, section 4.3): answers each datagram with its own times and number, by sender. The answer is as
 * long as the question, so that nobody can use it to send more at a third machine than he sends here. On one event loop.
 */
final class Reflector implements StandIn {

    private static final long CLOSE_MILLIS = 2_000;
    private static final int READ_BYTES = 65_536;
    /** Senders whose datagrams are counted; who was silent for longest is forgotten. */
    private static final int MAX_SENDERS = 4_096;
    /** Who was silent for so long has ended. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final EventLoopGroup group;
    private final Channel channel;
    private final NanoClock clock;
    private final long unixBaseNanos;

    /**
     * Starts one.
     *
     * @param listen where; port 0 means any free one
     * @throws IOException when the port cannot be had
     */
    Reflector(InetSocketAddress listen, NanoClock clock, WallClock wall) throws IOException {
        this.clock = clock;
        unixBaseNanos = Math.round(wall.unixSeconds() * 1e9) - clock.nanoTime();
        boolean epoll = Epoll.isAvailable();
        group = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("diperf-stamp-reflector", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        ChannelFuture bound = new Bootstrap()
                .group(group)
                .channel(epoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .handler(new Answers())
                .bind(listen)
                .awaitUninterruptibly();
        channel = bound.channel();
        if (bound.cause() != null) {
            group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
    }

    @Override
    public Url target() {
        InetSocketAddress at = (InetSocketAddress) channel.localAddress();
        String host = at.getAddress().getHostAddress();
        return Url.of("stamp://" + new TargetAddress(host, at.getPort()));
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(CLOSE_MILLIS);
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }

    /** Numbers the answers to one sender. Who comes after its end is another, to whom the system gave the same port. */
    private static final class Numbers {

        private int next;
        private long lastNanos;

        int next(long nowNanos) {
            if (nowNanos - lastNanos > SILENCE_NANOS) {
                next = 0;
            }
            lastNanos = nowNanos;
            return next++;
        }
    }

    private final class Answers extends ChannelInboundHandlerAdapter {

        private final Map<InetSocketAddress, Numbers> senders = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Numbers> eldest) {
                return size() > MAX_SENDERS;
            }
        };

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            long nowNanos = clock.nanoTime();
            long receivedNanos = unixBaseNanos + nowNanos;
            DatagramPacket packet = (DatagramPacket) in;
            try {
                ByteBuf question = packet.content();
                // An answer is never shorter than those of TWAMP Light; a shorter question gets none.
                if (question.readableBytes() >= Packet.MIN_ANSWER_BYTES) {
                    int number = senders.computeIfAbsent(packet.sender(), sender -> new Numbers())
                            .next(nowNanos);
                    ByteBuf answer = context.alloc().directBuffer(question.readableBytes());
                    Packet.answer(answer, question, number, receivedNanos, unixBaseNanos + clock.nanoTime());
                    context.writeAndFlush(new DatagramPacket(answer, packet.sender()), context.voidPromise());
                }
            } finally {
                packet.release();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // Such as a sender whose socket is gone.
        }
    }
}
