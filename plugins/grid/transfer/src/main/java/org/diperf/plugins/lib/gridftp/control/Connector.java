package org.diperf.plugins.lib.gridftp.control;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import java.net.InetSocketAddress;

/** Starts a TCP connection for a control channel, on that channel's event loop. */
@FunctionalInterface
public interface Connector {

    ChannelFuture connect(InetSocketAddress server, ChannelHandler handler);
}
