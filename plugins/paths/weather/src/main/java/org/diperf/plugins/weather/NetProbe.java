package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;

/**
 * Both ends of NWS's TCP message test: over a connection that has said how much comes, a byte there and back, then so many bytes and a byte
 * back. Stateless but for the turn of who answers.
 */
final class NetProbe {

    static final int USUAL_BUFFER = 32 << 10;
    static final int MAX_SIZE = 64 << 20;

    private static final int MIN_BUFFER = 1 << 10;
    private static final double BITS = 8;
    /** Whatever a probe says, its other end is held no longer. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * What is sent.
     *
     * @param size bytes that are sent to measure bandwidth
     * @param buffer bytes of the socket's buffers
     * @param message bytes of each write
     */
    record Settings(int size, int buffer, int message) {

        Settings {
            if (size < 1
                    || size > MAX_SIZE
                    || buffer < MIN_BUFFER
                    || buffer > MAX_SIZE
                    || message < 1
                    || message > MAX_SIZE) {
                throw new IllegalArgumentException(
                        "expected probes of 1 to " + MAX_SIZE + " bytes with buffers of " + MIN_BUFFER + " to "
                                + MAX_SIZE + ", got " + size + ", " + buffer + " and writes of " + message);
            }
        }

        byte[] bytes() {
            return ByteBuffer.allocate(3 * Integer.BYTES)
                    .putInt(size)
                    .putInt(buffer)
                    .putInt(message)
                    .array();
        }

        static Settings read(byte[] data) {
            if (data.length < 3 * Integer.BYTES) {
                throw new IllegalArgumentException("expected three numbers of a probe, got " + data.length + " bytes");
            }
            ByteBuffer fields = ByteBuffer.wrap(data);
            return new Settings(fields.getInt(), fields.getInt(), fields.getInt());
        }
    }

    /**
     * What was found.
     *
     * @param connectMillis to set up the connection
     * @param latencyMillis of a byte there and one back
     * @param megabitsPerSecond of all bytes, by the time until the other end has them; latency is not subtracted
     */
    record Found(double connectMillis, double latencyMillis, double megabitsPerSecond) {}

    private final Semaphore turn = new Semaphore(1, true);
    private final Duration patience;

    /** @param patience with who has the turn and is silent */
    NetProbe(Duration patience) {
        this.patience = patience;
    }

    /**
     * Probes.
     *
     * @throws IOException when it is not over within the time, or the other end is no sensor
     */
    static Found probe(InetSocketAddress sensor, Settings settings, Duration within, NanoClock clock)
            throws IOException {
        long began = clock.nanoTime();
        try (Link link = Link.to(sensor, within, settings.buffer())) {
            double connectMillis = (clock.nanoTime() - began) / 1e6;
            link.send(new Message(Message.TCP_BW_REQ, settings.bytes()), left(within, began, clock));
            Message handshake = link.receive(left(within, began, clock), Long.BYTES);
            if (handshake.type() != Message.TCP_HANDSHAKE || handshake.data().length < Integer.BYTES + Short.BYTES) {
                throw new IOException("expected the handshake of a sensor, got message " + handshake.type());
            }
            int port = Short.toUnsignedInt(ByteBuffer.wrap(handshake.data()).getShort(Integer.BYTES));
            if (port == 0) {
                return measure(link, connectMillis, settings, within, began, clock);
            }
            InetSocketAddress other = new InetSocketAddress(link.socket().getInetAddress(), port);
            try (Link own = Link.to(other, left(within, began, clock), settings.buffer())) {
                return measure(own, connectMillis, settings, within, began, clock);
            }
        }
    }

    private static Duration left(Duration within, long began, NanoClock clock) {
        return within.minusNanos(clock.nanoTime() - began);
    }

    private static Found measure(
            Link link, double connectMillis, Settings settings, Duration within, long began, NanoClock clock)
            throws IOException {
        // A probe that is given up must not go on in the socket's buffer while the next one begins.
        link.discard();
        byte[] one = new byte[1];
        long asked = clock.nanoTime();
        link.write(one, 1, left(within, began, clock));
        link.fill(one, 0, 1, left(within, began, clock));
        double latencyMillis = (clock.nanoTime() - asked) / 1e6;
        byte[] message = new byte[Math.min(settings.message(), settings.size())];
        long sent = clock.nanoTime();
        for (int to = settings.size(); to > 0; to -= message.length) {
            link.write(message, Math.min(message.length, to), left(within, began, clock));
        }
        link.fill(one, 0, 1, left(within, began, clock));
        double micros = Math.max(1, (clock.nanoTime() - sent) / 1e3);
        return new Found(connectMillis, latencyMillis, settings.size() * BITS / micros);
    }

    /**
     * Answers a {@link Message#TCP_BW_REQ}: one at a time, whoever asked first. Where the buffers are to be of another size than the connection's,
     * the test has one of its own.
     */
    void answer(byte[] request, Link link) throws IOException {
        Settings settings = Settings.read(request);
        try {
            if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            if (settings.buffer() == USUAL_BUFFER) {
                handshake(link, 0);
                take(link, settings);
            } else {
                answerApart(link, settings);
            }
        } finally {
            turn.release();
        }
    }

    private void handshake(Link link, int port) throws IOException {
        byte[] data = ByteBuffer.allocate(Integer.BYTES + Short.BYTES)
                .putInt(0)
                .putShort((short) port)
                .array();
        link.send(new Message(Message.TCP_HANDSHAKE, data), patience);
    }

    private void answerApart(Link link, Settings settings) throws IOException {
        try (ServerSocket ear = new ServerSocket()) {
            ear.setReceiveBufferSize(settings.buffer());
            ear.bind(new InetSocketAddress(link.socket().getLocalAddress(), 0), 1);
            ear.setSoTimeout((int) patience.toMillis());
            handshake(link, ear.getLocalPort());
            try (Socket accepted = ear.accept()) {
                if (!accepted.getInetAddress().equals(link.socket().getInetAddress())) {
                    return;
                }
                accepted.setSendBufferSize(settings.buffer());
                take(new Link(accepted), settings);
            }
        }
    }

    private void take(Link link, Settings settings) throws IOException {
        long began = NanoClock.SYSTEM.nanoTime();
        byte[] one = new byte[1];
        link.fill(one, 0, 1, patience);
        link.write(one, 1, patience);
        byte[] bytes = new byte[Math.min(settings.size(), 64 << 10)];
        for (int left = settings.size(); left > 0; ) {
            if (NanoClock.SYSTEM.nanoTime() - began > LONGEST.toNanos()) {
                return;
            }
            int next = Math.min(left, bytes.length);
            link.fill(bytes, 0, next, patience);
            left -= next;
        }
        link.write(one, 1, patience);
    }
}
