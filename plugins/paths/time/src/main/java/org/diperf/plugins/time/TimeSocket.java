package org.diperf.plugins.time;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.ThreadLocalRandom;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One client's socket to one time server. Takes one question at a time and says once how that has ended; answers to
 * earlier ones are dropped. Confined to its event loop.
 */
final class TimeSocket {

    private final Bootstrap bootstrap;
    private final WhenEnded whenEnded;
    private final EventLoop loop;
    private @Nullable Channel channel;
    private int sequence = ThreadLocalRandom.current().nextInt();
    private boolean waiting;

    /** Takes the end of a question. */
    interface WhenEnded {

        /**
         * @param bytes sent and received
         * @param failure why it failed, {@code null} when it did not
         */
        void take(long bytes, @Nullable Failure failure);
    }

    TimeSocket(TimeSession session, int target, EventLoop loop, WhenEnded whenEnded) {
        this.loop = loop;
        this.whenEnded = whenEnded;
        // Connected: the system tells of a port where nobody listens, and drops what others send.
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(SessionLoops.datagramType(loop))
                .remoteAddress(session.addresses(target).first())
                .handler(new Receiver());
    }

    /** Asks; no question may be under way. */
    void ask() {
        waiting = true;
        sequence++;
        Channel open = channel;
        if (open != null && open.isActive()) {
            send(open);
            return;
        }
        ChannelFuture connecting = bootstrap.connect();
        Channel made = connecting.channel();
        channel = made;
        Sockets.then(connecting, loop, () -> {
            if (channel != made || !waiting) {
                return;
            }
            if (connecting.cause() == null) {
                send(made);
            } else {
                closeChannel();
                end(0, Failures.of(connecting.cause()));
            }
        });
    }

    private void send(Channel open) {
        int asked = sequence;
        open.writeAndFlush(open.alloc().directBuffer(TimeRequest.BYTES).writeBytes(TimeRequest.of(sequence)))
                .addListener(done -> {
                    if (done.cause() != null && waiting && asked == sequence) {
                        end(0, Failures.of(done.cause()));
                    }
                });
    }

    private void receive(ByteBuf answer) {
        int length = answer.readableBytes();
        var bytes = answer.nioBuffer();
        if (waiting && TimeRequest.isAnswer(bytes.slice(), length) && TimeRequest.sequence(bytes.slice()) == sequence) {
            end(TimeRequest.BYTES + length, null);
        }
    }

    /** Gives up the question that is under way, if there is one. */
    void cancel() {
        if (waiting) {
            end(TimeRequest.BYTES, Failure.ofService("cancelled"));
        }
    }

    private void end(long bytes, @Nullable Failure failure) {
        waiting = false;
        // The last thing done here: the next question may begin within it.
        whenEnded.take(bytes, failure);
    }

    /** Closes the socket; nobody waits for it. */
    void close() {
        waiting = false;
        closeChannel();
    }

    private void closeChannel() {
        Channel closing = channel;
        channel = null;
        Sockets.close(closing);
    }

    /** Passes on what happens to the socket. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            try {
                if (channel == context.channel() && in instanceof DatagramPacket packet) {
                    receive(packet.content());
                }
            } finally {
                ReferenceCountUtil.release(in);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (channel == context.channel() && waiting) {
                end(TimeRequest.BYTES, Failures.of(cause));
            }
        }
    }
}
