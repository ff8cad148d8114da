package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.lib.netty.Failures;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is a TCP connection. What was sent are the bytes that the other end's system acknowledged, where this one's
 * kernel tells. Confined to its event loop.
 */
final class TcpFlow extends Flow {

    /** Blocks sent before other streams of the loop get their turn. */
    private static final int BLOCKS_A_TURN = 16;
    /** How often a sender with a limit looks whether it may go on, at most. */
    private static final long MIN_WAIT_NANOS = 100_000;

    private final ByteBuf block;
    /** Bytes of the connection that the kernel counts as acknowledged and that are none of the test's. */
    private final long ackedBefore;

    private @Nullable TcpState lastState;
    private boolean closed;
    private long written;
    private long omittedRetransmits;

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
        super(id, sends, channel, request, quota, watcher, clock, MIN_WAIT_NANOS);
        this.block = block;
        this.ackedBefore = ackedBefore;
        channel.pipeline().addLast(new Port());
    }

    @Override
    void start() {
        if (received == 0) {
            countFrom(clock.nanoTime());
        }
        run();
    }

    @Override
    void omitOver() {
        omittedBytes = sends ? acked() : received;
        TcpState state = state();
        omittedRetransmits = state == null ? 0 : state.retransmits();
        countFrom(clock.nanoTime());
        pump();
    }

    @Override
    void stop() {
        super.stop();
        // The other end may have closed the connection when this is asked for.
        lastState = state();
    }

    @Override
    void fill() {
        for (int blocks = 0; channel.isWritable(); blocks++) {
            if (blocks == BLOCKS_A_TURN) {
                pumpIn(0);
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

    private long acked() {
        TcpState state = state();
        return state == null || state.ackedBytes() < 0
                ? written
                : Math.max(0, Math.min(written, state.ackedBytes() - ackedBefore));
    }

    @Override
    boolean isDelivered() {
        return closed || (channel.isWritable() && acked() == written);
    }

    @Override
    long bytes() {
        return (sends ? acked() : received) - omittedBytes;
    }

    @Override
    @Nullable
    TcpState state() {
        return closed ? null : TcpState.of(channel);
    }

    private long retransmits() {
        TcpState now = state();
        lastState = now == null ? lastState : now;
        return lastState == null ? -1 : lastState.retransmits() - omittedRetransmits;
    }

    @Override
    Results.OfStream result(long endNanos) {
        return new Results.OfStream(id, bytes(), sends ? retransmits() : -1, 0, 0, 0, 0, 0, seconds(endNanos));
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
    void close() {
        closed = true;
        stopped = true;
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
            if (channel.isWritable()) {
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
