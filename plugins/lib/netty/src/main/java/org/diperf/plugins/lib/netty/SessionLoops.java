package org.diperf.plugins.lib.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Loop;
import org.jspecify.annotations.Nullable;

/**
 * The event loops on which the clients of a session have their sockets: the tester's own where they can hold sockets,
 * and otherwise one of the session's. Thread-safe.
 */
public final class SessionLoops implements AutoCloseable {

    private static final long CLOSE_MILLIS = 2_000;

    private @Nullable EventLoopGroup own;

    /** Finds the event loop for a client of this owner. To be called on the owner's thread. */
    public OwnedLoop of(Loop owner) {
        Optional<EventLoop> shared = owner.unwrap(EventLoop.class);
        return new OwnedLoop(owner, shared.isPresent() && holdsSockets(shared.get()) ? shared.get() : own());
    }

    private synchronized EventLoop own() {
        if (own == null) {
            own = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        }
        return own.next();
    }

    private static boolean holdsSockets(EventLoop loop) {
        return typeOf(loop, Channel.class, Channel.class, Channel.class) != null;
    }

    /**
     * Says which TCP sockets a loop holds.
     *
     * @throws IllegalStateException when it is none of a session's
     */
    public static Class<? extends Channel> socketType(EventLoop loop) {
        return known(loop, typeOf(loop, EpollSocketChannel.class, IoUringSocketChannel.class, NioSocketChannel.class));
    }

    /**
     * Returns what makes the TCP sockets of a loop, at less cost than their class does.
     *
     * @throws IllegalStateException when it is none of a session's
     */
    public static ChannelFactory<Channel> sockets(EventLoop loop) {
        Class<? extends Channel> type = socketType(loop);
        if (type == EpollSocketChannel.class) {
            return EpollSocketChannel::new;
        }
        return type == IoUringSocketChannel.class ? IoUringSocketChannel::new : NioSocketChannel::new;
    }

    /**
     * Says which UDP sockets a loop holds.
     *
     * @throws IllegalStateException when it is none of a session's
     */
    public static Class<? extends Channel> datagramType(EventLoop loop) {
        return known(
                loop, typeOf(loop, EpollDatagramChannel.class, IoUringDatagramChannel.class, NioDatagramChannel.class));
    }

    private static Class<? extends Channel> known(EventLoop loop, @Nullable Class<? extends Channel> type) {
        if (type == null) {
            throw new IllegalStateException("This loop takes neither epoll nor NIO sockets: " + loop);
        }
        return type;
    }

    private static @Nullable Class<? extends Channel> typeOf(
            EventLoop loop,
            Class<? extends Channel> epoll,
            Class<? extends Channel> ioUring,
            Class<? extends Channel> nio) {
        if (loop instanceof IoEventLoop io) {
            if (io.isCompatible(EpollIoHandle.class)) {
                return epoll;
            }
            if (io.isIoType(IoUringIoHandler.class)) {
                return ioUring;
            }
            if (io.isIoType(NioIoHandler.class)) {
                return nio;
            }
        }
        return null;
    }

    /** Ends the session's own loop, where there is one. */
    @Override
    public synchronized void close() {
        if (own != null) {
            own.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
        }
    }
}
