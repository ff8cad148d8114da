package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.diperf.core.spi.Recorder;
import org.diperf.plugins.lib.netty.RttSampler;

/** What the connections of one event loop share, so that each costs little. Confined to that loop. */
final class LoopShare {

    private static final int INPUT_BYTES = 64 << 10;

    private final RttSampler sampler;
    private final KnownHead knownHead = new KnownHead();
    private final ByteBuf input = memory(INPUT_BYTES);
    private ByteBuf output = memory(1 << 10);

    LoopShare(Recorder recorder) {
        this.sampler = new RttSampler(recorder);
    }

    /** Returns native memory that lives as long as somebody can reach it: a socket may still look at it when the session closes. */
    static ByteBuf memory(int bytes) {
        return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes));
    }

    RttSampler sampler() {
        return sampler;
    }

    /** Returns the head of the last response on this loop. */
    KnownHead knownHead() {
        return knownHead;
    }

    /** Returns the buffer that sockets read into, one after another. */
    ByteBuf input() {
        return input;
    }

    /** Returns memory that holds the request until the next one is asked for. */
    long addressOf(Requests.Encoded request) {
        ByteBuf constant = request.direct();
        return constant != null ? constant.memoryAddress() : addressOf(request.bytes(), 0, request.bytes().length);
    }

    /** Returns memory that holds these bytes until others are asked for. */
    long addressOf(byte[] bytes, int from, int length) {
        if (output.capacity() < length) {
            output = memory(length);
        }
        output.setBytes(0, bytes, from, length);
        return output.memoryAddress();
    }
}
