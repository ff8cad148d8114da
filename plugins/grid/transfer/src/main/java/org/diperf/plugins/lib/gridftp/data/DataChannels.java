package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gridftp.gsi.GsiDataHandler;
import org.diperf.plugins.lib.netty.Sockets;

/** Makes data channels: their buffers, their authentication, their place on a loop. */
final class DataChannels {

    /**
     * One block at most waits next to what the kernel has taken, so that blocks go to the streams that move, not to the first
     * that is asked.
     */
    static final WriteBufferWaterMark WRITE_MARKS = new WriteBufferWaterMark(1, 1);

    /** Counts what is sent from a file, too, which Netty takes for nothing. */
    static final MessageSizeEstimator SIZES = () ->
            message -> message instanceof FileRegion part ? (int) part.count() : ((ByteBuf) message).readableBytes();

    private DataChannels() {}

    /**
     * Connects to a server.
     *
     * @param whenReady told when data may be sent
     * @param whenFailed takes why when it cannot be connected
     */
    static Channel connect(
            FtpSession session,
            InetSocketAddress address,
            ReadBuffers buffers,
            ChannelHandler handler,
            Consumer<Channel> whenReady,
            Consumer<Failure> whenFailed) {
        ChannelFuture connecting = session.resources()
                .connectionsOf(session.loop())
                .data(
                        address,
                        buffers,
                        !authenticates(session)
                                ? handler
                                : new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) throws IOException {
                                        prepare(session, channel, buffers, handler, true, whenReady, whenFailed);
                                    }
                                });
        Sockets.then(connecting, session.loop(), () -> {
            if (connecting.cause() != null) {
                whenFailed.accept(Failures.of(connecting.cause()).in("data connection"));
            } else {
                session.resources().meterOf(session.loop()).watch(connecting.channel());
                if (!authenticates(session)) {
                    whenReady.accept(connecting.channel());
                }
            }
        });
        return connecting.channel();
    }

    /** Puts the handlers of an accepted channel or of one to be connected in place. */
    static void prepare(
            FtpSession session,
            Channel channel,
            ReadBuffers buffers,
            ChannelHandler handler,
            boolean client,
            Consumer<Channel> whenReady,
            Consumer<Failure> whenFailed)
            throws IOException {
        if (authenticates(session)) {
            channel.pipeline().addLast(new GsiDataHandler(session.resources().gsi(), client, whenReady, whenFailed));
        }
        channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, buffers);
        channel.pipeline().addLast(handler);
    }

    /** Takes notice of an accepted channel. */
    static void accepted(FtpSession session, Channel channel) {
        session.resources().meterOf(session.loop()).watch(channel);
    }

    /** Returns whether what a transfer gets on a channel may be dropped by the kernel. */
    static boolean mayDrop(FtpSession session, Channel channel, Transfer transfer) {
        return transfer.discards() && !authenticates(session) && ReadBuffers.canDrop(channel);
    }

    private static boolean authenticates(FtpSession session) {
        return session.settings().authentication() == Settings.Authentication.SELF
                && session.resources().isSecure();
    }
}
