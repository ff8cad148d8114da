package org.diperf.plugins.emulated.distributed;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.diperf.plugins.emulated.engine.Slice;

/**
 * What an engine has done from its begin to its end. Owned by whoever has it; arrays are not to be changed.
 *
 * @param events packets that were sent and that were at nodes
 * @param delivered packets that hosts got
 * @param received packets that came from other engines
 * @param dropped packets that were lost as declared or found no room
 * @param digest as of {@link Slice#digest}
 * @param loads events, by number of the node
 * @param packets that came to links, by number of the physical link and direction
 */
public record EngineResult(
        long events, long delivered, long received, long dropped, long digest, long[] loads, long[] packets) {

    private static final int NUMBERS = 5;

    static EngineResult of(Slice slice) {
        return new EngineResult(
                slice.events(),
                slice.delivered(),
                slice.received(),
                slice.dropped(),
                slice.digest(),
                slice.loads(),
                slice.packets());
    }

    Frame write() {
        ByteBuffer content = ByteBuffer.allocate(Long.BYTES * (NUMBERS + loads.length + packets.length))
                .putLong(events)
                .putLong(delivered)
                .putLong(received)
                .putLong(dropped)
                .putLong(digest);
        for (long load : loads) {
            content.putLong(load);
        }
        for (long count : packets) {
            content.putLong(count);
        }
        return new Frame(Frame.Kind.RESULT, content.flip());
    }

    /**
     * Reads one.
     *
     * @param nodes of the topology
     * @param links physical ones, each direction by itself
     * @throws IOException if it is another one
     */
    static EngineResult read(Frame frame, int nodes, int links) throws IOException {
        ByteBuffer content = frame.content(Frame.Kind.RESULT);
        long expected = (long) Long.BYTES * (NUMBERS + nodes + links);
        if (content.remaining() != expected) {
            throw new IOException("Expected a result of " + expected + " bytes, got " + content.remaining());
        }
        return new EngineResult(
                content.getLong(),
                content.getLong(),
                content.getLong(),
                content.getLong(),
                content.getLong(),
                numbers(content, nodes),
                numbers(content, links));
    }

    private static long[] numbers(ByteBuffer content, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = content.getLong();
        }
        return numbers;
    }
}
