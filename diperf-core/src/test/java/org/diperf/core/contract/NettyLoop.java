package org.diperf.core.contract;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/** A loop of Netty, which a bundled plugin can unwrap as the tester's. */
public final class NettyLoop implements TestLoop {

    private static final long CLOSE_SECONDS = 5;

    private final EventLoopGroup group;
    private final EventLoop loop;

    /** Makes a loop of NIO. */
    public NettyLoop() {
        this(NioIoHandler.newFactory());
    }

    /** Makes a loop with this kind of I/O. */
    public NettyLoop(IoHandlerFactory factory) {
        group = new MultiThreadIoEventLoopGroup(1, factory);
        loop = group.next();
    }

    /**
     * Makes a loop that holds sockets of epoll, as it says, and then takes none: what is made for it belongs to no loop, as where no
     * descriptor is free.
     */
    public static NettyLoop withoutSockets() {
        IoHandlerFactory works = NioIoHandler.newFactory();
        return new NettyLoop(executor -> new WithoutSockets(works.newHandler(executor)));
    }

    private static final class WithoutSockets implements IoHandler {

        private final IoHandler works;

        WithoutSockets(IoHandler works) {
            this.works = works;
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            // A plugin asks for a kind of socket, and the socket for its own class.
            return handleType.isInterface();
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new IllegalStateException("This loop takes no sockets");
        }

        @Override
        public void initialize() {
            works.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            return works.run(context);
        }

        @Override
        public void wakeup() {
            works.wakeup();
        }

        @Override
        public void prepareToDestroy() {
            works.prepareToDestroy();
        }

        @Override
        public void destroy() {
            works.destroy();
        }
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public long nanoTime() {
        return NanoClock.SYSTEM.nanoTime();
    }

    @Override
    public boolean inLoop() {
        return loop.inEventLoop();
    }

    @Override
    public Timer timer(Runnable task) {
        return new Timer() {
            private @Nullable ScheduledFuture<?> armed;

            @Override
            public void arm(long atNanos) {
                disarm();
                armed = loop.schedule(task, Math.max(0, atNanos - nanoTime()), TimeUnit.NANOSECONDS);
            }

            @Override
            public void disarm() {
                if (armed != null) {
                    armed.cancel(false);
                    armed = null;
                }
            }
        };
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(loop) ? Optional.of(type.cast(loop)) : Optional.empty();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
