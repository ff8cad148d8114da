package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/** Native memory that the sockets of one event loop use one after another, so that each costs little. Confined to that loop. */
public final class LoopBuffers {

    private static final int INPUT_BYTES = 64 << 10;

    private final ByteBuf input = of(INPUT_BYTES);
    private ByteBuf output = of(1 << 10);

    /** Makes that of a loop. */
    public LoopBuffers() {}

    /** Returns native memory that lives as long as somebody can reach it: a socket may still look at it when the session closes. */
    public static ByteBuf of(int bytes) {
        return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes));
    }

    /** Returns the buffer that sockets read into. */
    ByteBuf input() {
        return input;
    }

    /** Returns memory that holds these bytes until others are asked for. */
    long addressOf(byte[] bytes, int from, int length) {
        if (output.capacity() < length) {
            output = of(length);
        }
        output.setBytes(0, bytes, from, length);
        return output.memoryAddress();
    }
}
