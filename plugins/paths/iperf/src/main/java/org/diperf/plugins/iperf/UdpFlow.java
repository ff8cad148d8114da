package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A stream of datagrams, each with the time at which it was sent and its number. The owner of the channel passes on what comes.
 * Confined to its event loop.
 */
final class UdpFlow extends Flow {

    /** Datagrams given to the system at once. */
    private static final int BURST = 64;
    /** How long a sender with a limit rests, at least; what fell due meanwhile is sent then. */
    private static final long MIN_WAIT_NANOS = 250_000;

    private static final int WIDE_HEADER_BYTES = 16;
    private static final int HEADER_BYTES = 12;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS = 1_000_000;

    private final @Nullable InetSocketAddress to;
    private final DatagramBuffers memory;
    private final UdpReceiveCounter count = new UdpReceiveCounter();

    private long sent;
    private long omittedPackets;
    private long omittedLost;

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
            DatagramBuffers memory,
            Watcher watcher,
            NanoClock clock) {
        super(id, sends, channel, request, quota, watcher, clock, MIN_WAIT_NANOS);
        this.to = to;
        this.memory = memory;
    }

    @Override
    void omitOver() {
        omittedBytes = sends ? sent * request.block() : received;
        omittedPackets = sends ? sent : count.highest();
        omittedLost = count.lost();
        count.resetJitter();
        countFrom(clock.nanoTime());
    }

    @Override
    void fill() {
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
    boolean isDelivered() {
        return !channel.isOpen() || channel.bytesBeforeUnwritable() > 0 && pending() == 0;
    }

    private long pending() {
        var out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    @Override
    long bytes() {
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
    Results.OfStream result(long endNanos) {
        return new Results.OfStream(
                id,
                bytes(),
                -1,
                count.jitterSeconds(),
                count.lost(),
                omittedLost,
                sends ? sent : count.highest(),
                omittedPackets,
                seconds(endNanos));
    }

    @Override
    void close() {
        stopped = true;
        if (to == null) {
            channel.close();
        }
    }
}
