package org.diperf.plugins.lib.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * The event loops on which the clients of a session have their sockets: the tester's own where they can hold sockets,
 * and otherwise one of the session's. Thread-safe.
 */
public final class SessionLoops implements AutoCloseable {

    private static final long CLOSE_MILLIS = 2_000;

    private final long timeoutNanos;
    private final @Nullable Recorder recorder;
    private final NanoClock clock;
    private final Map<EventLoop, RttSampler> samplers = new ConcurrentHashMap<>();

    private @Nullable EventLoopGroup own;

    /** Makes those of a session that dials nothing. */
    public SessionLoops() {
        this(Duration.ZERO, NanoClock.SYSTEM, null);
    }

    /**
     * Makes those of a session whose clients connect by TCP.
     *
     * @param timeout of a call
     * @param recorder takes the round trips of handshakes; {@code null}: nobody does
     */
    public SessionLoops(Duration timeout, NanoClock clock, @Nullable Recorder recorder) {
        this.timeoutNanos = timeout.toNanos();
        this.clock = clock;
        this.recorder = recorder;
    }

    /**
     * Makes what connects a client to a server.
     *
     * @param client its number
     */
    public Dialer dialer(EventLoop loop, Addresses addresses, int client) {
        return dialer(loop, addresses, client, null);
    }

    /**
     * Makes what connects a client to a server.
     *
     * @param client its number
     * @param source local address; {@code null}: the kernel's choice
     */
    public Dialer dialer(EventLoop loop, Addresses addresses, int client, @Nullable InetSocketAddress source) {
        return new Dialer(loop, addresses, client, timeoutNanos, clock, sampler(loop), source);
    }

    /** Returns what takes the round trips of handshakes on a loop; {@code null}: nobody does. */
    public @Nullable RttSampler sampler(EventLoop loop) {
        Recorder taking = recorder;
        return taking == null ? null : samplers.computeIfAbsent(loop, any -> new RttSampler(taking));
    }

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

    /**
     * Says which TCP sockets a loop holds that listen.
     *
     * @throws IllegalStateException when it is none of a session's
     */
    public static Class<? extends ServerSocketChannel> serverType(EventLoop loop) {
        Class<? extends Channel> type = socketType(loop);
        if (type == EpollSocketChannel.class) {
            return EpollServerSocketChannel.class;
        }
        return type == IoUringSocketChannel.class ? IoUringServerSocketChannel.class : NioServerSocketChannel.class;
    }

    private static Class<? extends Channel> known(EventLoop loop, @Nullable Class<? extends Channel> type) {
        if (type == null) {
            throw new IllegalStateException("This event loop supports neither epoll nor NIO sockets: " + loop);
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
