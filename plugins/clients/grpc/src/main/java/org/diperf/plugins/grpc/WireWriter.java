package org.diperf.plugins.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the wire format of Protocol Buffers. Confined to one thread. */
final class WireWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    WireWriter tag(int field, int type) {
        return varint((long) field << 3 | type);
    }

    WireWriter varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) (left & 0x7f | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
        return this;
    }

    WireWriter fixed(long value, int count) {
        for (int i = 0; i < count; i++) {
            out.write((int) (value >>> (8 * i)));
        }
        return this;
    }

    WireWriter bytes(byte[] value) {
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    WireWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
