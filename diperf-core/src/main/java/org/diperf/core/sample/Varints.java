package org.diperf.core.sample;

import java.nio.ByteBuffer;

/** Variable-length integers: LEB128, and the zigzag map of signed to unsigned. */
final class Varints {

    private Varints() {}

    /** Bytes that the longest varint takes. */
    static final int MAX = 10;

    static void put(ByteBuffer to, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            to.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        to.put((byte) rest);
    }

    static long get(ByteBuffer from) throws CorruptBlockException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = from.get();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new CorruptBlockException("expected a number of at most 10 bytes, got a longer one");
    }

    static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    static long unzigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }
}
