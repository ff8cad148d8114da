package org.diperf.plugins.lib.gridftp.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Encodes commands into memory that all control channels of a thread share, as long as the kernel takes them at once. */
final class CommandBuffer {

    private static final int BYTES = 4 << 10;

    private static final FastThreadLocal<ByteBuf> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected ByteBuf initialValue() {
            // A tester's loop ends without a word to thread-locals: the garbage collector takes the memory with it.
            return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(BYTES));
        }
    };

    private CommandBuffer() {}

    /** Returns a line with its end, to be released by its writer. */
    static ByteBuf line(String line) {
        byte[] bytes = (line + "\r\n").getBytes(StandardCharsets.UTF_8);
        ByteBuf memory = OF_THREAD.get();
        if (bytes.length > BYTES || memory.refCnt() > 1) {
            return Unpooled.wrappedBuffer(bytes); // long, or an earlier one waits for room in a socket
        }
        return memory.clear().writeBytes(bytes).retainedDuplicate();
    }
}
