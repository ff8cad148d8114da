package org.diperf.plugins.time;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.jspecify.annotations.Nullable;

/** What the time clients of a tester share. Thread-safe. */
final class TimeSession implements Session {

    private static final long CLOSE_MILLIS = 2_000;

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private @Nullable EventLoopGroup ownLoops;

    TimeSession(SessionContext context) throws IOException {
        for (URI target : context.targets()) {
            addresses.add(TimePlugin.resolve(target));
        }
    }

    @Override
    public Client newClient() {
        return new TimeClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public synchronized void close() {
        if (ownLoops != null) {
            ownLoops.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
        }
    }

    /** Gives the tester's own event loop where that can hold our sockets, and otherwise one of this session's own. */
    EventLoop eventLoop(Loop loop) {
        Optional<EventLoop> shared = loop.unwrap(EventLoop.class);
        return shared.isPresent() && channelType(shared.get()) != null ? shared.get() : ownLoop();
    }

    private synchronized EventLoop ownLoop() {
        if (ownLoops == null) {
            ownLoops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        }
        return ownLoops.next();
    }

    /** Says which sockets a loop can hold; {@code null} for none that is known here. */
    static @Nullable Class<? extends Channel> channelType(EventLoop loop) {
        if (loop instanceof IoEventLoop io) {
            if (io.isIoType(EpollIoHandler.class)) {
                return EpollDatagramChannel.class;
            }
            if (io.isIoType(IoUringIoHandler.class)) {
                return IoUringDatagramChannel.class;
            }
            if (io.isIoType(NioIoHandler.class)) {
                return NioDatagramChannel.class;
            }
        }
        return null;
    }

    InetSocketAddress address(int target) {
        return addresses.get(target);
    }

    int targets() {
        return addresses.size();
    }
}
