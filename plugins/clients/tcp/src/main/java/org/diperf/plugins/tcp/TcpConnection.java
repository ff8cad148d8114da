package org.diperf.plugins.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to one target: opened when a call needs it, kept as long as exchanges go well. Takes one
 * exchange at a time and says once when that has ended. Confined to its event loop.
 */
final class TcpConnection {

    private final Bootstrap bootstrap;
    private final boolean line;
    private @Nullable Dialogue dialogue;
    private final WhenEnded whenEnded;
    private final EventLoop loop;
    private @Nullable Channel channel;
    private byte @Nullable [] message;
    private boolean connected;
    private long received;

    /** Takes the end of an exchange. */
    interface WhenEnded {

        /**
         * @param connected whether the exchange made the connection
         * @param bytes sent and received
         * @param failure why it failed, {@code null} when it did not
         */
        void take(boolean connected, long bytes, @Nullable Failure failure);
    }

    TcpConnection(TcpSession session, int target, EventLoop loop, WhenEnded whenEnded) {
        this.loop = loop;
        this.line = session.wantsLine();
        this.whenEnded = whenEnded;
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(SessionLoops.socketType(loop))
                .remoteAddress(session.address(target))
                .option(ChannelOption.TCP_NODELAY, true)
                // The framework owns the timeout of a call, the connection's set-up included.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .handler(new Receiver());
    }

    /**
     * Begins an exchange; none may be under way.
     *
     * @param told takes what is said; {@code null}: nobody will look
     */
    void exchange(byte[] sending, @Nullable Dialogue told) {
        dialogue = told;
        message = sending;
        received = 0;
        connected = false;
        Channel open = channel;
        if (open != null && open.isActive()) {
            send(open, sending);
            return;
        }
        closeChannel();
        connected = true;
        ChannelFuture connecting = bootstrap.connect();
        Channel made = connecting.channel();
        channel = made;
        Sockets.then(connecting, loop, () -> {
            if (channel != made || message == null) {
                return;
            }
            if (connecting.cause() == null) {
                send(made, sending);
            } else {
                broken(Failures.of(connecting.cause()));
            }
        });
    }

    private void send(Channel open, byte[] sending) {
        Dialogue telling = dialogue;
        if (telling != null) {
            telling.sent(sending);
        }
        // A failure to write comes back through exceptionCaught.
        open.writeAndFlush(open.alloc().directBuffer(sending.length).writeBytes(sending), open.voidPromise());
    }

    private void receive(ByteBuf in) {
        byte[] sent = message;
        if (sent == null) {
            closeChannel(); // bytes that nobody asked for: nothing can be told from them
            return;
        }
        Dialogue telling = dialogue;
        if (telling != null && in.nioBufferCount() == 1) {
            telling.received(in.internalNioBuffer(in.readerIndex(), in.readableBytes()));
        }
        boolean ended = false;
        while (in.isReadable() && !ended) {
            byte next = in.readByte();
            if (!line && next != sent[(int) received]) {
                received++;
                broken("wrong echo");
                return;
            }
            received++;
            ended = line ? next == '\n' : received == sent.length;
        }
        if (ended && in.isReadable()) {
            broken("more than the answer");
        } else if (ended) {
            end(null);
        }
    }

    /** Closes the connection and ends the exchange that is under way, if there is one. */
    void broken(String kind) {
        broken(Failure.ofService(kind));
    }

    private void broken(Failure failure) {
        closeChannel();
        if (message != null) {
            end(failure);
        }
    }

    private void end(@Nullable Failure failure) {
        byte[] sent = message;
        message = null;
        // The last thing done here: the next exchange may begin within it.
        whenEnded.take(connected, received + (sent == null ? 0 : sent.length), failure);
    }

    /** Closes the connection; no exchange may be under way. */
    void close() {
        message = null;
        closeChannel();
    }

    private void closeChannel() {
        Channel closing = channel;
        channel = null;
        Sockets.close(closing);
    }

    /** Passes on what happens to the connection's channel; what comes of older ones is dropped. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ByteBuf bytes = (ByteBuf) in;
            try {
                if (channel == context.channel()) {
                    receive(bytes);
                }
            } finally {
                bytes.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (channel == context.channel()) {
                broken("connection closed");
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (channel == context.channel()) {
                broken(Failures.of(cause));
            }
        }
    }
}
