package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A stream of datagrams, each with the time at which it was sent and its number. Whoever owns the channel gives what comes.
 * Confined to its event loop.
 */
final class UdpFlow implements Flow {

    /** Datagrams given to the system at once. */
    private static final int BURST = 64;
    /** How long a sender with a limit rests, at least; what fell due meanwhile is sent then. */
    private static final long MIN_WAIT_NANOS = 250_000;

    private static final int WIDE_HEADER_BYTES = 16;
    private static final int HEADER_BYTES = 12;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS = 1_000_000;

    private final int id;
    private final boolean sends;
    private final Channel channel;
    private final @Nullable InetSocketAddress to;
    private final Request request;
    private final Quota quota;
    private final DatagramMemory memory;
    private final Watcher watcher;
    private final NanoClock clock;
    private final Pace pace;
    private final UdpCount count = new UdpCount();

    private boolean running;
    private boolean filling;
    private boolean stopped;
    private boolean waiting;
    private long sent;
    private long received;
    private long omittedBytes;
    private long omittedPackets;
    private long omittedLost;
    private long sinceNanos;
    private long lastNanos;

    /**
     * @param to where datagrams go, {@code null} where the channel is connected
     */
    UdpFlow(
            int id,
            boolean sends,
            Channel channel,
            @Nullable InetSocketAddress to,
            Request request,
            Quota quota,
            DatagramMemory memory,
            Watcher watcher,
            NanoClock clock) {
        this.id = id;
        this.sends = sends;
        this.channel = channel;
        this.to = to;
        this.request = request;
        this.quota = quota;
        this.memory = memory;
        this.watcher = watcher;
        this.clock = clock;
        this.pace = new Pace(request.bitsPerSecond());
    }

    @Override
    public boolean sends() {
        return sends;
    }

    @Override
    public void start() {
        sinceNanos = clock.nanoTime();
        lastNanos = sinceNanos;
        pace.start(sinceNanos);
        running = true;
        if (sends) {
            channel.eventLoop().execute(this::pump);
        }
    }

    @Override
    public void omitOver() {
        omittedBytes = sends ? sent * request.block() : received;
        omittedPackets = sends ? sent : count.highest();
        omittedLost = count.lost();
        count.resetJitter();
        sinceNanos = clock.nanoTime();
        lastNanos = sinceNanos;
    }

    @Override
    public void stop() {
        stopped = true;
    }

    /** Sends what is due; also to be called when the channel has room again. */
    void pump() {
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

    private void fill() {
        long nowNanos = clock.nanoTime();
        for (int packets = 0; channel.isWritable(); packets++) {
            long waitNanos = pace.waitNanos(sent * request.block(), nowNanos);
            if (packets == BURST || waitNanos > 0) {
                channel.flush();
                pumpIn(waitNanos);
                return;
            }
            if (!quota.takeDatagram(request.block())) {
                channel.flush();
                watcher.quotaUsed();
                return;
            }
            ByteBuf packet = memory.take();
            sent++;
            header(packet, nowNanos);
            channel.write(to == null ? packet : new DatagramPacket(packet, to), channel.voidPromise());
        }
        channel.flush();
    }

    private void header(ByteBuf packet, long nowNanos) {
        long micros = nowNanos / NANOS_PER_MICRO;
        packet.setInt(0, (int) (micros / MICROS));
        packet.setInt(Integer.BYTES, (int) (micros % MICROS));
        if (request.wideCounters()) {
            packet.setLong(2 * Integer.BYTES, sent);
        } else {
            packet.setInt(2 * Integer.BYTES, (int) sent);
        }
    }

    private void pumpIn(long nanos) {
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
                            Math.max(MIN_WAIT_NANOS, nanos),
                            TimeUnit.NANOSECONDS);
        }
    }

    /** Takes a datagram that came, which is not released here. */
    void receive(ByteBuf packet) {
        int bytes = packet.readableBytes();
        // What comes before the test runs here was sent when it ran there.
        if (sends || bytes < (request.wideCounters() ? WIDE_HEADER_BYTES : HEADER_BYTES)) {
            return;
        }
        long seconds = packet.readUnsignedInt();
        long micros = packet.readUnsignedInt();
        long number = request.wideCounters() ? packet.readLong() : packet.readUnsignedInt();
        lastNanos = clock.nanoTime();
        count.take(number, seconds * MICROS + micros, lastNanos);
        received += bytes;
        watcher.received(bytes);
    }

    @Override
    public boolean isDelivered() {
        return !channel.isOpen() || channel.bytesBeforeUnwritable() > 0 && pending() == 0;
    }

    private long pending() {
        var out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    @Override
    public long bytes() {
        return (sends ? sent * request.block() : received) - omittedBytes;
    }

    /** Counts the datagrams that came after one that was sent later. */
    long late() {
        return count.late();
    }

    /** Counts the datagrams that came, of all time. */
    long packetsReceived() {
        return count.highest() - count.lost();
    }

    @Override
    public Results.OfStream result(long endNanos) {
        long end = sends ? endNanos : Math.max(endNanos, lastNanos);
        return new Results.OfStream(
                id,
                bytes(),
                -1,
                count.jitterSeconds(),
                count.lost(),
                omittedLost,
                sends ? sent : count.highest(),
                omittedPackets,
                (end - sinceNanos) / 1e9);
    }

    @Override
    public void close() {
        stopped = true;
        if (to == null) {
            channel.close();
        }
    }
}
