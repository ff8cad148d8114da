package org.diperf.plugins.iperf;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** One end of one stream of a test: it sends or receives. Confined to its event loop. */
abstract sealed class Flow permits TcpFlow, UdpFlow {

    /** Takes what happens to a flow. */
    interface Watcher {

        /** Bytes or blocks are used up. */
        void quotaUsed();

        /** So many bytes came. */
        void received(long bytes);

        /** The other end closed the stream. */
        void ended(Flow flow);

        void failed(Failure why);
    }

    final int id;
    final boolean sends;
    final Channel channel;
    final Request request;
    final Quota quota;
    final Watcher watcher;
    final NanoClock clock;
    final SendPacer pace;
    private final long minWaitNanos;

    boolean running;
    boolean stopped;
    long received;
    long omittedBytes;
    long sinceNanos;
    long lastNanos;
    private boolean filling;
    private boolean waiting;

    /** @param minWaitNanos how long a sender with a limit rests, at least */
    Flow(
            int id,
            boolean sends,
            Channel channel,
            Request request,
            Quota quota,
            Watcher watcher,
            NanoClock clock,
            long minWaitNanos) {
        this.id = id;
        this.sends = sends;
        this.channel = channel;
        this.request = request;
        this.quota = quota;
        this.watcher = watcher;
        this.clock = clock;
        this.pace = new SendPacer(request.bitsPerSecond());
        this.minWaitNanos = minWaitNanos;
    }

    final boolean sends() {
        return sends;
    }

    /** The test runs: a sender begins, and time counts from now. */
    void start() {
        countFrom(clock.nanoTime());
        run();
    }

    /** Begins to send, where this end does. */
    final void run() {
        pace.start(clock.nanoTime());
        running = true;
        if (sends) {
            channel.eventLoop().execute(this::pump);
        }
    }

    final void countFrom(long nanos) {
        sinceNanos = nanos;
        lastNanos = nanos;
    }

    /** What went so far does not count. */
    abstract void omitOver();

    /** Sends nothing more. */
    void stop() {
        stopped = true;
    }

    /** Sends what is due; also to be called when the channel has room again. */
    final void pump() {
        // The channel says within a write that it has room again; what writes sees that by itself.
        if (!sends || !running || stopped || filling) {
            return;
        }
        filling = true;
        try {
            fill();
        } finally {
            filling = false;
        }
    }

    /** Sends until the channel is full, nothing is due, or other streams must get their turn. */
    abstract void fill();

    /** Goes on sending after a while; 0: as soon as other streams have had their turn. */
    final void pumpIn(long nanos) {
        if (nanos <= 0) {
            channel.eventLoop().execute(this::pump);
        } else if (!waiting) {
            waiting = true;
            channel.eventLoop()
                    .schedule(
                            () -> {
                                waiting = false;
                                pump();
                            },
                            Math.max(minWaitNanos, nanos),
                            TimeUnit.NANOSECONDS);
        }
    }

    /** Returns whether the other end has all that was sent; of datagrams, whether they have left. */
    abstract boolean isDelivered();

    /** Counts the bytes that are acknowledged, or sent as datagrams, or received, since the omitted time. */
    abstract long bytes();

    /** Says what has happened until now, or until the last bytes came if that was after {@code endNanos}. */
    abstract Results.OfStream result(long endNanos);

    /** Returns how long the stream took, omitted time left out. */
    final double seconds(long endNanos) {
        long end = sends ? endNanos : Math.max(endNanos, lastNanos);
        return (end - sinceNanos) / 1e9;
    }

    /** Says what the kernel knows, where this is a connection. */
    @Nullable
    TcpState state() {
        return null;
    }

    abstract void close();
}
