package org.diperf.plugins.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to one target: opened when a call needs it, kept as long as exchanges go well. Takes one
 * exchange at a time and says once when that has ended. Confined to its event loop.
 */
final class TcpConnection implements Dialer.Owner {

    private final Dialer dialer;
    private final boolean line;
    private @Nullable Dialogue dialogue;
    private final WhenEnded whenEnded;
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

    TcpConnection(TcpSession session, Dialer dialer, WhenEnded whenEnded) {
        this.dialer = dialer;
        this.line = session.wantsLine();
        this.whenEnded = whenEnded;
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
        dialer.dial(this);
    }

    @Override
    public void dialled(Channel made) {
        channel = made;
        made.pipeline().addLast(new Receiver());
        byte[] sending = message;
        if (sending != null) {
            send(made, sending);
        }
    }

    @Override
    public void unreachable(Throwable cause) {
        broken(Failures.of(cause));
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
        dialer.cancel();
        Channel closing = channel;
        channel = null;
        Sockets.close(closing);
    }

    /** Passes on what happens to the connection's channel; what comes of older ones is dropped. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

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
