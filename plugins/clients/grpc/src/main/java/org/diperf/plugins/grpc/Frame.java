package org.diperf.plugins.grpc;

import java.nio.ByteBuffer;

/** Messages on a stream: each behind a flag and its length. */
final class Frame {

    static final int HEADER_BYTES = 5;

    private Frame() {}

    /** Returns a message so many times, one after another, as a stream has it. */
    static byte[] of(byte[] message, int times) {
        ByteBuffer framed = ByteBuffer.allocate(Math.multiplyExact(times, HEADER_BYTES + message.length));
        for (int i = 0; i < times; i++) {
            framed.put((byte) 0).putInt(message.length).put(message);
        }
        return framed.array();
    }
}
