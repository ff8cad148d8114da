package org.diperf.tester.engine;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.bounds.ReceiveTimesIo;
import org.diperf.tester.engine.call.Failures;
import org.jspecify.annotations.Nullable;

/** What a loop asks the kernel with. */
final class LoopIo {

    private LoopIo() {}

    /**
     * Returns what the experiment wants.
     *
     * @param looks told of by epoll
     * @throws IllegalStateException when this system does not have it, with the reason
     */
    static IoHandlerFactory of(LoopSettings.Io wanted, ReceiveTimes looks) {
        return switch (wanted) {
            case AUTO -> Epoll.isAvailable() ? ReceiveTimesIo.factory(looks) : NioIoHandler.newFactory();
            case EPOLL -> {
                check(wanted, Epoll.unavailabilityCause());
                yield ReceiveTimesIo.factory(looks);
            }
            case IO_URING -> {
                check(wanted, IoUring.unavailabilityCause());
                yield IoUringIoHandler.newFactory();
            }
            case NIO -> NioIoHandler.newFactory();
        };
    }

    private static void check(LoopSettings.Io wanted, @Nullable Throwable why) {
        if (why != null) {
            throw new IllegalStateException("testbed.io: expected an I/O mechanism that this tester's operating system "
                    + "supports, got " + wanted + ": " + Failures.describe(why) + "; use auto");
        }
    }
}
