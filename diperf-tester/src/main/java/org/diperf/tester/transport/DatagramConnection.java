package org.diperf.tester.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.DatagramCipher;
import org.diperf.core.wire.DatagramStream;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.jspecify.annotations.Nullable;

/**
 * Sealed datagrams as a way to the controller, with a socket of its own. A controller that knows the enrolment no longer is
 * silent; the tester then ends the way and enrols again. Confined to the event loop.
 */
public final class DatagramConnection implements Connection {

    private static final int SOCKET_BYTES = 1 << 20;
    private static final long TICK_MILLIS = 20;
    private static final long MAX_WAITING_BYTES = 1 << 20;

    private final EventLoop loop;
    private final InetSocketAddress controller;
    private final NanoClock clock;
    private final Events events;
    private final DatagramCipher seal;
    private final DatagramStream stream = new DatagramStream(Frame.MAX_LENGTH);
    private final ByteBuffer scratch = ByteBuffer.allocate(DatagramStream.CONTENT_BYTES);
    private final ByteBuffer content = ByteBuffer.allocate(1 << 16);
    private final Channel channel;
    private final ScheduledFuture<?> ticking;
    private boolean open = true;

    /** Hears of the way. On the event loop. */
    public interface Events {

        /** A frame came. */
        void came(Frame frame, long atNanos);

        /** It takes more. */
        void writable();

        /** It has ended. */
        void gone(String why);
    }

    /**
     * Opens the way.
     *
     * @param host of the controller
     * @throws IOException when there is no socket
     */
    public DatagramConnection(
            EventLoop loop, InetAddress host, Message.Enrolled enrolled, NanoClock clock, Events events)
            throws IOException {
        this(loop, bind(loop), new InetSocketAddress(host, enrolled.port()), enrolled, clock, events);
    }

    /**
     * Makes a way of a channel that is there.
     *
     * @param channel that takes and gives datagrams; of this loop
     * @param controller where they go
     */
    public DatagramConnection(
            EventLoop loop,
            Channel channel,
            InetSocketAddress controller,
            Message.Enrolled enrolled,
            NanoClock clock,
            Events events) {
        this.loop = loop;
        this.channel = channel;
        this.controller = controller;
        this.clock = clock;
        this.events = events;
        this.seal = new DatagramCipher(enrolled.id(), enrolled.up(), enrolled.down(), new DatagramCipher.Engine());
        channel.pipeline().addLast(new Handler());
        this.ticking = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Channel bind(EventLoop loop) throws IOException {
        ChannelFuture bound = new Bootstrap()
                .group(loop)
                .channel(Sockets.datagrams())
                .option(ChannelOption.SO_RCVBUF, SOCKET_BYTES)
                .option(ChannelOption.SO_SNDBUF, SOCKET_BYTES)
                // The way adds its own on the same loop, before anything can come.
                .handler(new ChannelInboundHandlerAdapter())
                .bind(0);
        if (bound.isDone() && !bound.isSuccess()) {
            throw new IOException("Expected a UDP socket, got: " + bound.cause().getMessage(), bound.cause());
        }
        return bound.channel();
    }

    @Override
    public void write(ByteBuf frame) {
        stream.write(frame.nioBuffer());
        frame.release();
    }

    @Override
    public void flush() {
        if (open) {
            stream.flush(clock.nanoTime(), scratch, this::send);
            channel.flush();
        }
    }

    private void tick() {
        if (open && stream.isBusy()) {
            long now = clock.nanoTime();
            stream.flush(now, scratch, this::send);
            stream.tick(now, scratch, this::send);
            channel.flush();
        }
    }

    private void send(ByteBuffer sent) {
        ByteBuf datagram = channel.alloc().ioBuffer(sent.remaining() + DatagramCipher.OVERHEAD);
        ByteBuffer room = datagram.nioBuffer(0, sent.remaining() + DatagramCipher.OVERHEAD);
        seal.seal(sent, room);
        datagram.writerIndex(room.position());
        channel.write(new DatagramPacket(datagram, controller), channel.voidPromise());
    }

    @Override
    public boolean isWritable() {
        return open && stream.waitingBytes() < MAX_WAITING_BYTES;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    public boolean noticesEnd() {
        return false;
    }

    @Override
    public @Nullable InetAddress host() {
        return controller.getAddress();
    }

    @Override
    public @Nullable String remark() {
        return stream.resent() == 0
                ? null
                : stream.resent() + " of " + stream.pieces() + " datagrams were lost and resent";
    }

    @Override
    public void close() {
        end("closed");
    }

    private void end(String why) {
        assert loop.inEventLoop();
        if (open) {
            open = false;
            ticking.cancel(false);
            channel.close();
            events.gone(why);
        }
    }

    private final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (open && message instanceof DatagramPacket packet) {
                    receive(packet.content());
                }
            } catch (WireException e) {
                end(String.valueOf(e.getMessage()));
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void receive(ByteBuf packet) throws WireException {
            long now = clock.nanoTime();
            ByteBuffer datagram = packet.nioBuffer();
            if (seal.open(datagram, content.clear())) {
                boolean full = !isWritable();
                stream.receive(content.flip(), now, scratch, DatagramConnection.this::send, frame -> {
                    if (open) {
                        events.came(Frame.decode(frame), now);
                    }
                });
                channel.flush();
                if (full && isWritable()) {
                    events.writable();
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
            // Nobody listens there for the moment: the lease says when to give up.
        }
    }
}
