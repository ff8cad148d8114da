package org.diperf.plugins.grpc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the wire format of Protocol Buffers, field by field. Confined to one thread. */
final class WireReader {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int field;
    private int type;

    WireReader(byte[] bytes) {
        this.bytes = bytes;
        this.end = bytes.length;
    }

    /**
     * Goes to the next field, whose value has to be read or skipped.
     *
     * @return whether there is one
     */
    boolean next() {
        if (at == end) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        type = (int) (tag & 7);
        if (field <= 0 || tag >>> 3 > 0x1fff_ffff) {
            throw broken();
        }
        return true;
    }

    int field() {
        return field;
    }

    int type() {
        return type;
    }

    boolean isEnd() {
        return at == end;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at == end) {
                throw broken();
            }
            int octet = bytes[at++];
            value |= (long) (octet & 0x7f) << shift;
            if (octet >= 0) {
                return value;
            }
        }
        throw broken();
    }

    long fixed(int count) {
        if (end - at < count) {
            throw broken();
        }
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= (bytes[at++] & 0xffL) << (8 * i);
        }
        return value;
    }

    byte[] bytes() {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw broken();
        }
        byte[] value = Arrays.copyOfRange(bytes, at, at + (int) length);
        at += (int) length;
        return value;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    void skip() {
        switch (type) {
            case VARINT -> varint();
            case FIXED64 -> fixed(8);
            case FIXED32 -> fixed(4);
            case BYTES -> bytes();
            default -> throw broken();
        }
    }

    private static IllegalArgumentException broken() {
        return new IllegalArgumentException("bytes that are no message of Protocol Buffers");
    }
}
