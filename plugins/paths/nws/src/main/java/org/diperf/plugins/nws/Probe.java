package org.diperf.plugins.nws;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.diperf.core.clock.NanoClock;

/**
 * One probe over a connection of its own, as NWS's {@code tcpConnectMonitor} and {@code tcpMessageMonitor} make it: how long
 * connecting takes, how long a byte and its answer take, and how long many bytes take until the sensor answers that it has them.
 * The sensor is told first how many bytes come and which buffer to use: a number that names the protocol, a 64-bit and a 32-bit one; it
 * answers when the probe may begin.
 */
final class Probe {

    static final int MAGIC = 0x4e575350;
    static final int GREETING_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;

    private static final int BITS = 8;

    /**
     * What a probe found.
     *
     * @param connectNanos of the connection's set-up
     * @param turnNanos until it was this probe's turn at the sensor, a round trip included
     * @param latencyNanos of a byte to the sensor and one back
     * @param transferNanos of all bytes to the sensor and one back
     */
    record Found(long connectNanos, long turnNanos, long latencyNanos, long transferNanos, long bytes) {

        /** Returns megabits a second as NWS reckons them, latency included. */
        double megabitsPerSecond() {
            return bytes * BITS * 1e3 / Math.max(1, transferNanos);
        }
    }

    private Probe() {}

    /**
     * Probes; can be interrupted.
     *
     * @throws IOException when the sensor cannot be reached, or does not answer as one
     */
    static Found make(InetSocketAddress sensor, Settings settings, NanoClock clock) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            // Before connecting, because the window that is offered follows from it.
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.buffer());
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.buffer());
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            long beganNanos = clock.nanoTime();
            channel.connect(sensor);
            long connectNanos = clock.nanoTime() - beganNanos;
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            writeAll(
                    channel,
                    ByteBuffer.allocate(GREETING_BYTES)
                            .putInt(MAGIC)
                            .putLong(settings.size())
                            .putInt(settings.buffer())
                            .flip());
            readOne(channel, one);
            long askedNanos = clock.nanoTime();
            writeAll(channel, one.clear());
            readOne(channel, one);
            long latencyNanos = clock.nanoTime() - askedNanos;
            ByteBuffer message = ByteBuffer.allocateDirect((int) Math.min(settings.message(), settings.size()));
            long sentNanos = clock.nanoTime();
            for (long left = settings.size(); left > 0; left -= message.limit()) {
                message.clear().limit((int) Math.min(message.capacity(), left));
                writeAll(channel, message);
            }
            readOne(channel, one);
            return new Found(
                    connectNanos,
                    askedNanos - beganNanos - connectNanos,
                    latencyNanos,
                    clock.nanoTime() - sentNanos,
                    settings.size());
        }
    }

    private static void writeAll(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void readOne(SocketChannel channel, ByteBuffer one) throws IOException {
        one.clear();
        if (channel.read(one) < 0) {
            throw new EOFException("connection closed");
        }
    }
}
