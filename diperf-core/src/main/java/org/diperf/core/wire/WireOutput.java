package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A growing buffer with a bound. Confined to one thread. */
final class WireOutput {

    private final int maxLength;
    private ByteBuffer bytes = ByteBuffer.allocate(128);

    WireOutput(int maxLength) {
        this.maxLength = maxLength;
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            long wanted = (long) bytes.position() + more;
            if (wanted > maxLength) {
                throw new IllegalArgumentException(
                        "Expected a message of at most " + maxLength + " bytes, got " + wanted + " or more");
            }
            int capacity = (int) Math.min(maxLength, Math.max(wanted, bytes.capacity() * 2L));
            int position = bytes.position();
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), capacity)).position(position);
        }
        return bytes;
    }

    void int8(int value) {
        room(1).put((byte) value);
    }

    void int32(int value) {
        room(4).putInt(value);
    }

    void int64(long value) {
        room(8).putLong(value);
    }

    void decimal(double value) {
        room(8).putDouble(value);
    }

    void bool(boolean value) {
        int8(value ? 1 : 0);
    }

    void text(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        int32(encoded.length);
        room(encoded.length).put(encoded);
    }

    void raw(ByteBuffer data) {
        room(data.remaining()).put(data);
    }

    <T> void list(List<T> items, Consumer<T> writer) {
        int32(items.size());
        items.forEach(writer);
    }

    ByteBuffer finish() {
        return bytes.flip();
    }
}
