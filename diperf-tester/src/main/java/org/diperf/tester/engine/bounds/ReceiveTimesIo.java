package org.diperf.tester.engine.bounds;

import static java.util.Objects.requireNonNull;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.ThreadAwareExecutor;
import org.diperf.tester.machine.ReceiveTimestamps;
import org.jspecify.annotations.Nullable;

/** Netty's epoll, which tells {@link ReceiveTimes} when it looks and whose turn it is then. Confined to the loop's thread. */
public final class ReceiveTimesIo implements IoHandler, IoHandlerContext {

    /** So many connections epoll tells of at a time, to begin with; where there are as many, there may be more. */
    private static final int MAX_TOLD = 4_096;

    private final IoHandler epoll;
    private final ReceiveTimes looks;
    private final ReceiveTimestamps stamps;
    private @Nullable IoHandlerContext context;
    /** Whether epoll may wait for something to come. */
    private boolean waits;

    private ReceiveTimesIo(IoHandler epoll, ReceiveTimes looks, ReceiveTimestamps stamps) {
        this.epoll = epoll;
        this.looks = looks;
        this.stamps = stamps;
    }

    /** Makes those of loops; without stamps nothing is told. */
    public static IoHandlerFactory factory(ReceiveTimes looks) {
        ReceiveTimestamps stamps = ReceiveTimestamps.ofThisSystem();
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        return stamps == null
                ? epoll
                : new IoHandlerFactory() {
                    @Override
                    public IoHandler newHandler(ThreadAwareExecutor loop) {
                        return new ReceiveTimesIo(epoll.newHandler(loop), looks, stamps);
                    }

                    @Override
                    public boolean isChangingThreadSupported() {
                        return epoll.isChangingThreadSupported();
                    }
                };
    }

    @Override
    public int run(IoHandlerContext of) {
        context = of;
        looks.begin();
        int told = epoll.run(this);
        looks.end(told, told < MAX_TOLD);
        return told;
    }

    private IoHandlerContext context() {
        return requireNonNull(context, "set by run()");
    }

    @Override
    public boolean canBlock() {
        waits = context().canBlock();
        return waits;
    }

    @Override
    public long delayNanos(long nowNanos) {
        return context().delayNanos(nowNanos);
    }

    @Override
    public long deadlineNanos() {
        return context().deadlineNanos();
    }

    /** Asked right after epoll has answered, which is what matters here. */
    @Override
    public boolean shouldReportActiveIoTime() {
        looks.told(waits);
        return context().shouldReportActiveIoTime();
    }

    @Override
    public void reportActiveIoTime(long nanos) {
        context().reportActiveIoTime(nanos);
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return epoll.isCompatible(type);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return epoll.register(handle instanceof EpollIoHandle one ? new Handle(one) : handle);
    }

    /** Whoever looks at what a connection has received takes its error, and nobody else sees it. */
    private static boolean hasFailed(IoEvent event) {
        return event instanceof EpollIoEvent told && told.ops().contains(EpollIoOps.EPOLLERR);
    }

    private final class Handle implements EpollIoHandle {

        private final EpollIoHandle of;
        private final ReceiveTimes.Connection connection;

        Handle(EpollIoHandle of) {
            this.of = of;
            this.connection = looks.connection(of.fd().intValue());
            stamps.ask(of.fd().intValue());
        }

        @Override
        public FileDescriptor fd() {
            return of.fd();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            looks.reads(connection, hasFailed(event) ? null : stamps, of.fd().intValue());
            try {
                of.handle(registration, event);
            } finally {
                looks.hasRead();
            }
        }

        @Override
        public void registered() {
            of.registered();
        }

        @Override
        public void unregistered() {
            of.unregistered();
        }

        @Override
        public void close() throws Exception {
            of.close();
        }
    }
}
