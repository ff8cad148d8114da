package org.diperf.plugins.lib.gridftp.data;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import org.diperf.plugins.lib.netty.SessionLoops;

/**
 * Makes the connections of one event loop, with what is alike for all of them made once, because a session may live for one
 * small file. Confined to its event loop.
 */
final class Connections {

    private final Bootstrap control;
    private final Bootstrap data;

    /**
     * @param bufferBytes of the sockets of data channels, 0 for what the kernel chooses
     */
    Connections(EventLoop loop, int bufferBytes) {
        // Replies are read into the loop's memory too, and forgotten before the next is.
        control = bootstrap(loop).option(ChannelOption.RECVBUF_ALLOCATOR, ReadBuffers.ofReplies());
        data = bootstrap(loop)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, DataChannels.WRITE_MARKS)
                .option(ChannelOption.MESSAGE_SIZE_ESTIMATOR, DataChannels.SIZES);
        if (bufferBytes > 0) {
            data.option(ChannelOption.SO_RCVBUF, bufferBytes).option(ChannelOption.SO_SNDBUF, bufferBytes);
        }
    }

    private static Bootstrap bootstrap(EventLoop loop) {
        return new Bootstrap()
                .group(loop)
                .channelFactory(SessionLoops.sockets(loop))
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                // The framework owns the timeout of a call, the connection's set-up included.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
    }

    /** Begins to connect to a server. */
    ChannelFuture control(InetSocketAddress address, ChannelHandler handler) {
        return control.handler(handler).connect(address);
    }

    /** Begins to connect for data. */
    ChannelFuture data(InetSocketAddress address, ReadBuffers buffers, ChannelHandler handler) {
        return data.option(ChannelOption.RECVBUF_ALLOCATOR, buffers)
                .handler(handler)
                .connect(address);
    }
}
