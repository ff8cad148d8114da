package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.lib.netty.Failures;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is a TCP connection. What was sent are the bytes that the other end's system acknowledged, where this one's
 * kernel tells. Confined to its event loop.
 */
final class TcpFlow implements Flow {

    /** Blocks sent before other streams of the loop get their turn. */
    private static final int BLOCKS_A_TURN = 16;
    /** How often a sender with a limit looks whether it may go on, at most. */
    private static final long MIN_WAIT_NANOS = 100_000;

    private final int id;
    private final boolean sends;
    private final Channel channel;
    private final Request request;
    private final Quota quota;
    private final ByteBuf block;
    private final Watcher watcher;
    private final NanoClock clock;
    private final Pace pace;
    /** Bytes of the connection that the kernel counts as acknowledged and that are none of the test's. */
    private final long ackedBefore;

    private @Nullable TcpState lastState;
    private boolean running;
    private boolean filling;
    private boolean stopped;
    private boolean waiting;
    private boolean closed;
    private long written;
    private long received;
    private long omittedBytes;
    private long omittedRetransmits;
    private long sinceNanos;
    private long lastNanos;

    /**
     * @param channel connected; its cookie has been sent or received
     * @param block of which each write is a part; not released here
     * @param ackedBefore bytes sent before the test that the kernel counts, its SYN included
     */
    TcpFlow(
            int id,
            boolean sends,
            Channel channel,
            Request request,
            Quota quota,
            ByteBuf block,
            long ackedBefore,
            Watcher watcher,
            NanoClock clock) {
        this.id = id;
        this.sends = sends;
        this.channel = channel;
        this.request = request;
        this.quota = quota;
        this.block = block;
        this.ackedBefore = ackedBefore;
        this.watcher = watcher;
        this.clock = clock;
        this.pace = new Pace(request.bitsPerSecond());
        channel.pipeline().addLast(new Port());
    }

    @Override
    public boolean sends() {
        return sends;
    }

    @Override
    public void start() {
        long now = clock.nanoTime();
        if (received == 0) {
            sinceNanos = now;
            lastNanos = now;
        }
        pace.start(now);
        running = true;
        if (sends) {
            channel.eventLoop().execute(this::pump);
        }
    }

    @Override
    public void omitOver() {
        omittedBytes = sends ? acked() : received;
        TcpState state = state();
        omittedRetransmits = state == null ? 0 : state.retransmits();
        sinceNanos = clock.nanoTime();
        lastNanos = sinceNanos;
        if (sends) {
            pump();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        // The other end may have closed the connection when this is asked for.
        lastState = state();
    }

    private void pump() {
        // The channel says within a write that it has room again; whoever writes sees that by itself.
        if (!running || stopped || filling || closed) {
            return;
        }
        filling = true;
        try {
            fill();
        } finally {
            filling = false;
        }
    }

    private void fill() {
        for (int blocks = 0; channel.isWritable(); blocks++) {
            if (blocks == BLOCKS_A_TURN) {
                channel.eventLoop().execute(this::pump);
                return;
            }
            if (request.bitsPerSecond() > 0) {
                long waitNanos = pace.waitNanos(written, clock.nanoTime());
                if (waitNanos > 0) {
                    pumpIn(waitNanos);
                    return;
                }
            }
            int count = quota.take(request.block());
            if (count == 0) {
                watcher.quotaUsed();
                return;
            }
            written += count;
            channel.write(block.retainedSlice(0, count), channel.voidPromise());
            // Makes the socket's state known before the next block is asked for.
            channel.flush();
        }
    }

    private void pumpIn(long nanos) {
        if (!waiting) {
            waiting = true;
            channel.eventLoop()
                    .schedule(
                            () -> {
                                waiting = false;
                                pump();
                            },
                            Math.max(MIN_WAIT_NANOS, nanos),
                            TimeUnit.NANOSECONDS);
        }
    }

    private long acked() {
        TcpState state = state();
        return state == null || state.ackedBytes() < 0
                ? written
                : Math.max(0, Math.min(written, state.ackedBytes() - ackedBefore));
    }

    @Override
    public boolean isDelivered() {
        return closed || (channel.isWritable() && acked() == written);
    }

    @Override
    public long bytes() {
        return (sends ? acked() : received) - omittedBytes;
    }

    @Override
    public @Nullable TcpState state() {
        return closed ? null : TcpState.of(channel);
    }

    private long retransmits() {
        TcpState now = state();
        lastState = now == null ? lastState : now;
        return lastState == null ? -1 : lastState.retransmits() - omittedRetransmits;
    }

    @Override
    public Results.OfStream result(long endNanos) {
        long end = sends ? endNanos : Math.max(endNanos, lastNanos);
        return new Results.OfStream(id, bytes(), sends ? retransmits() : -1, 0, 0, 0, 0, 0, (end - sinceNanos) / 1e9);
    }

    private void receive(int count) {
        lastNanos = clock.nanoTime();
        if (received == 0 && !running) {
            // Bytes may overtake the word that the test runs.
            sinceNanos = lastNanos;
        }
        received += count;
        watcher.received(count);
    }

    @Override
    public void close() {
        closed = true;
        channel.close();
    }

    private final class Port extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ByteBuf bytes = (ByteBuf) in;
            int count = bytes.readableBytes();
            bytes.release();
            if (!sends) {
                receive(count);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (sends && channel.isWritable()) {
                pump();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!closed) {
                watcher.ended(TcpFlow.this);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!closed) {
                watcher.failed(Failures.of(cause).in("stream"));
            }
        }
    }
}
