package org.diperf.plugins.lib.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Makes one client's TCP connections to one server, one at a time. Where the server has several addresses, the client's number chooses the first to
 * try, so that clients spread over all of them; the next one is tried when one refuses, or has used its share of a call's timeout. Two are never
 * tried at once, because a service must not get more connections than are counted. The address that answered last is the first for the next
 * connection. Confined to its event loop.
 */
public final class Dialer {

    /** Takes the end of a dial, on the event loop. */
    public interface Owner {

        /** A connection has been made; nothing has been read from it, and its pipeline has no handler. */
        void dialled(Channel made);

        /** No address could be reached. */
        void unreachable(Throwable cause);
    }

    /** A bootstrap wants a handler; what a connection needs is added when it is there. */
    private static final ChannelHandler NONE = new ChannelInboundHandlerAdapter() {
        @Override
        public boolean isSharable() {
            return true;
        }
    };

    private final EventLoop loop;
    private final Addresses addresses;
    private final long shareNanos;
    private final NanoClock clock;
    private final @Nullable RttSampler sampler;
    private final Bootstrap bootstrap;
    private int next;
    private int left;
    private long beganNanos;
    private long connectNanos = -1;
    private @Nullable Channel dialling;
    private @Nullable ScheduledFuture<?> limit;

    /**
     * @param number of the client, which chooses the first address
     * @param timeoutNanos of a call, of which each address has its share
     * @param sampler takes the round trips of handshakes; {@code null}: nobody does
     * @param source local address; {@code null}: the kernel's choice
     */
    public Dialer(
            EventLoop loop,
            Addresses addresses,
            int number,
            long timeoutNanos,
            NanoClock clock,
            @Nullable RttSampler sampler,
            @Nullable InetSocketAddress source) {
        this.loop = loop;
        this.addresses = addresses;
        this.next = Math.floorMod(number, addresses.size());
        this.shareNanos = timeoutNanos / addresses.size();
        this.clock = clock;
        this.sampler = sampler;
        bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(SessionLoops.sockets(loop))
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                // The framework owns the timeout of a call, the connection's set-up included.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .handler(NONE);
        if (source != null) {
            bootstrap.localAddress(source);
            if (SessionLoops.socketType(loop) == EpollSocketChannel.class) {
                // Lets the kernel choose the port at connect, when it knows the peer: many more are then free.
                bootstrap.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
            }
        }
    }

    /** Begins to connect; no dial may be running. The owner may be called before this returns. */
    public void dial(Owner owner) {
        beganNanos = clock.nanoTime();
        connectNanos = -1;
        left = addresses.size();
        attempt(owner);
    }

    private void attempt(Owner owner) {
        long attemptNanos = clock.nanoTime();
        ChannelFuture connecting = bootstrap.connect(addresses.at(next));
        Channel made = connecting.channel();
        dialling = made;
        if (left > 1) {
            limit = loop.schedule(
                    () -> ended(owner, made, attemptNanos, new ConnectTimeoutException("no answer")),
                    shareNanos,
                    TimeUnit.NANOSECONDS);
        }
        Sockets.then(connecting, loop, () -> ended(owner, made, attemptNanos, connecting.cause()));
    }

    private void ended(Owner owner, Channel made, long attemptNanos, @Nullable Throwable cause) {
        if (dialling != made) {
            // It was given up.
            Sockets.close(made);
            return;
        }
        stop();
        if (cause == null) {
            long now = clock.nanoTime();
            connectNanos = now - beganNanos;
            if (sampler != null) {
                sampler.offer(made, now, now - attemptNanos);
            }
            owner.dialled(made);
            return;
        }
        Sockets.close(made);
        advance();
        if (--left > 0) {
            attempt(owner);
        } else {
            owner.unreachable(cause);
        }
    }

    private void stop() {
        dialling = null;
        if (limit != null) {
            limit.cancel(false);
            limit = null;
        }
    }

    /** Gives up the dial that is running, if any: its owner hears no more of it, and the next one begins with the next address. */
    public void cancel() {
        Channel given = dialling;
        if (given != null) {
            stop();
            advance();
            Sockets.close(given);
        }
    }

    /** Gives up an address, also where a connection to it was made: the next dial begins with the next one. */
    public void leaveAddress() {
        if (dialling == null) {
            advance();
        } else {
            cancel();
        }
    }

    private void advance() {
        next = (next + 1) % addresses.size();
    }

    /** Returns what the last connection took, attempts at other addresses included; -1: it was not made. */
    public long connectNanos() {
        return connectNanos;
    }
}
