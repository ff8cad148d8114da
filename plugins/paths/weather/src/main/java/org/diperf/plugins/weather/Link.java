package org.diperf.plugins.weather;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;

/**
 * A connection that carries messages. Whatever the other end does, each message comes or goes whole within its time, or the connection
 * fails; no more is read than was agreed. Confined to one thread at a time.
 */
final class Link implements Closeable {

    /** Of a message: more than the objects of a full name server. */
    static final int MAX_BYTES = 8 << 20;

    /** Closes connections whose reader is too slow: a write has no time-out of its own. */
    private static final ScheduledThreadPoolExecutor WATCH = watch();

    private final Socket socket;
    private final InputStream in;

    Link(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    private static ScheduledThreadPoolExecutor watch() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "diperf-nws-watch");
            thread.setDaemon(true);
            return thread;
        });
        made.setRemoveOnCancelPolicy(true);
        return made;
    }

    /**
     * Connects.
     *
     * @throws IOException when nobody answers within the time
     */
    static Link to(InetSocketAddress address, Duration within) throws IOException {
        return to(address, within, 0);
    }

    /** @param buffer bytes of the socket's buffers; 0: the system's choice */
    static Link to(InetSocketAddress address, Duration within, int buffer) throws IOException {
        InetSocketAddress resolved = resolved(address);
        Socket socket = new Socket();
        try {
            if (buffer > 0) {
                // Before connecting, because the window that is offered follows from it.
                socket.setReceiveBufferSize(buffer);
                socket.setSendBufferSize(buffer);
            }
            socket.connect(resolved, millis(within.toNanos()));
            return new Link(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
        InetSocketAddress resolved =
                address.isUnresolved() ? new InetSocketAddress(address.getHostString(), address.getPort()) : address;
        if (resolved.isUnresolved()) {
            throw new UnknownHostException(
                    "expected a host that can be resolved, got '" + address.getHostString() + "'");
        }
        return resolved;
    }

    private static int millis(long nanos) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, nanos / 1_000_000));
    }

    Socket socket() {
        return socket;
    }

    /** Connects, asks once, and hangs up. */
    static Message ask(InetSocketAddress whom, Message request, Duration within) throws IOException {
        long began = NanoClock.SYSTEM.nanoTime();
        try (Link link = to(whom, within)) {
            link.send(request, within);
            return link.receive(within.minusNanos(NanoClock.SYSTEM.nanoTime() - began), MAX_BYTES);
        }
    }

    /**
     * Sends a message.
     *
     * @throws IOException when it is not sent within the time, or the connection has ended
     */
    void send(Message message, Duration within) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(Message.HEADER_BYTES + message.data().length)
                .putInt(Message.VERSION)
                .putInt(message.type())
                .putInt(message.data().length)
                .put(message.data());
        write(whole.array(), whole.capacity(), within);
    }

    void write(byte[] bytes, int length, Duration within) throws IOException {
        Future<?> watch =
                WATCH.schedule(this::closeQuietly, Math.max(1_000_000, within.toNanos()), TimeUnit.NANOSECONDS);
        try {
            socket.getOutputStream().write(bytes, 0, length);
        } finally {
            watch.cancel(false);
        }
    }

    private void closeQuietly() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    /**
     * Waits for a message and receives it.
     *
     * @param idle for its first byte
     * @param within for all other bytes, together
     * @param most bytes of its data
     * @throws EOFException when the other end hangs up before it
     * @throws IOException when it does not come within the time, is longer, or is no message of NWS
     */
    Message receive(Duration idle, Duration within, int most) throws IOException {
        byte[] header = new byte[Message.HEADER_BYTES];
        fill(header, 0, 1, idle);
        long began = NanoClock.SYSTEM.nanoTime();
        fill(header, 1, header.length - 1, within);
        ByteBuffer fields = ByteBuffer.wrap(header);
        int version = fields.getInt();
        int type = fields.getInt();
        int length = fields.getInt();
        if (version >>> 24 != Message.VERSION >>> 24) {
            throw new ProtocolException("expected a message of NWS 2, got version 0x" + Integer.toHexString(version));
        }
        if (length < 0 || length > most) {
            throw new ProtocolException("expected at most " + most + " bytes of data, got a message of "
                    + Integer.toUnsignedString(length));
        }
        byte[] data = new byte[length];
        fill(data, 0, length, within.minusNanos(NanoClock.SYSTEM.nanoTime() - began));
        return new Message(type, data);
    }

    /** The same, where the first byte may take as long as all others. */
    Message receive(Duration within, int most) throws IOException {
        return receive(within, within, most);
    }

    /** Reads all of so many bytes. */
    void fill(byte[] into, int offset, int length, Duration within) throws IOException {
        long deadline = NanoClock.SYSTEM.nanoTime() + within.toNanos();
        for (int got = 0; got < length; ) {
            long left = deadline - NanoClock.SYSTEM.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("expected " + length + " bytes within their time, got " + got);
            }
            socket.setSoTimeout(millis(left));
            int count = in.read(into, offset + got, length - got);
            if (count < 0) {
                throw new EOFException("connection closed early");
            }
            got += count;
        }
    }

    /** Lets its end take back what was written and has not left yet. */
    void discard() {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() {
        closeQuietly();
    }
}
