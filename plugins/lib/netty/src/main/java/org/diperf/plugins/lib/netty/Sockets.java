package org.diperf.plugins.lib.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Sockets of clients on their event loops. One that could not even be made, because no descriptor is free, is a channel of no loop: its
 * future tells so on another thread, and Netty cannot close it.
 */
public final class Sockets {

    private Sockets() {}

    /** Continues on the event loop when a socket is there, connected or bound, or cannot be had. */
    public static void then(ChannelFuture making, EventLoop loop, Runnable then) {
        making.addListener(done -> {
            if (loop.inEventLoop()) {
                then.run();
            } else {
                loop.execute(then);
            }
        });
    }

    /** Closes a socket, if there is one. */
    public static void close(@Nullable Channel socket) {
        if (socket != null && socket.isOpen()) {
            socket.close();
        }
    }
}
