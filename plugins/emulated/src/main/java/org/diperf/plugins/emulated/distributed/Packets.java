package org.diperf.plugins.emulated.distributed;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Packets on their way from one engine to another, as bytes. Not thread-safe. */
final class Packets {

    /** Of each: the link, the links behind it, its tag, when it is due. */
    static final int BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    private byte[] bytes = new byte[64 * BYTES];
    private ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private long firstDueNanos = Long.MAX_VALUE;

    void add(int link, int done, long tag, long dueNanos) {
        ensure(BYTES);
        buffer.putInt(link).putInt(done).putLong(tag).putLong(dueNanos);
        firstDueNanos = Math.min(firstDueNanos, dueNanos);
    }

    /** Adds what another one wrote. */
    void addAll(ByteBuffer others) {
        ensure(others.remaining());
        buffer.put(others);
    }

    private void ensure(int more) {
        if (buffer.remaining() < more) {
            int at = buffer.position();
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, at + more));
            buffer = ByteBuffer.wrap(bytes).position(at);
        }
    }

    int size() {
        return buffer.position();
    }

    long firstDueNanos() {
        return firstDueNanos;
    }

    void writeTo(ByteBuffer to) {
        to.put(bytes, 0, buffer.position());
    }

    void clear() {
        buffer.clear();
        firstDueNanos = Long.MAX_VALUE;
    }
}
