package org.diperf.controller.time;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeTag;
import org.diperf.tester.transport.Sockets;

/**
 * Answers questions for the time over TCP, for networks that let no UDP through: the same 64 bytes, one after the other.
 * A connection that sends something else, or nothing for five minutes, is closed. All methods may be called from any
 * thread.
 */
public final class TcpTimeServer implements AutoCloseable {

    private static final int MAX_CONNECTIONS = 10_000;
    private static final int IDLE_SECONDS = 300;

    private final NanoClock clock;
    private final long epoch;
    private final EventLoopGroup group = Sockets.oneLoop("diperf-time-server-tcp");
    /** All connections: a loop that ends may leave them open. */
    private final ChannelGroup open = new DefaultChannelGroup(group.next(), true);

    private final ChannelFuture bound;
    private int connections;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Listens and answers from now on.
     *
     * @throws IOException when the port cannot be had
     */
    public TcpTimeServer(InetSocketAddress listen, long epoch, NanoClock clock) throws IOException {
        this.clock = clock;
        this.epoch = epoch;
        this.bound = new ServerBootstrap()
                .group(group)
                .channel(Sockets.listening())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        open.add(channel);
                        channel.pipeline().addLast(new ReadTimeoutHandler(IDLE_SECONDS), new RequestHandler());
                    }
                })
                .bind(listen)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
    }

    /** Counts the questions that were answered. */
    public long answered() {
        return answered.get();
    }

    /** Counts the connections that were closed for what they sent, or for being too many. */
    public long refused() {
        return refused.get();
    }

    /** Serves one connection. Confined to the event loop. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Written by the one loop alone.
    private final class RequestHandler extends ChannelInboundHandlerAdapter {

        private final TimeTag tag = new TimeTag(new byte[0]);
        private final ByteBuffer question = ByteBuffer.allocate(TimeDatagram.BYTES);

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (++connections > MAX_CONNECTIONS) {
                refuse(context);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            connections--;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long receivedNanos = clock.nanoTime();
            ByteBuf in = (ByteBuf) message;
            try {
                while (in.isReadable() && context.channel().isActive()) {
                    int length = Math.min(question.remaining(), in.readableBytes());
                    in.readBytes(question.limit(question.position() + length));
                    question.limit(TimeDatagram.BYTES);
                    if (!question.hasRemaining()) {
                        answer(context, receivedNanos);
                    }
                }
            } finally {
                in.release();
            }
        }

        private void answer(ChannelHandlerContext context, long receivedNanos) {
            if (!TimeDatagram.isQuestion(question, question.position()) || !tag.isRight(question)) {
                refuse(context);
                return;
            }
            TimeDatagram.answer(question, receivedNanos, epoch, clock.nanoTime());
            tag.sign(question);
            ByteBuf out = context.alloc().directBuffer(TimeDatagram.BYTES).writeBytes(question.flip());
            question.clear();
            context.writeAndFlush(out, context.voidPromise());
            answered.incrementAndGet();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            // Who does not read answers is not read from.
            context.channel().config().setAutoRead(context.channel().isWritable());
        }

        private void refuse(ChannelHandlerContext context) {
            refused.incrementAndGet();
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** Ends; idempotent. */
    @Override
    public void close() {
        bound.channel().close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        open.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
