package org.diperf.plugins.grpc;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Memory;
import org.jspecify.annotations.Nullable;

/** Tells the messages of a stream apart, however they come. Used again for the next stream. Confined to its event loop. */
final class MessageCounter {

    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final Memory memory;
    private boolean full;
    private int headerBytes;
    private long length;
    private long left;
    private boolean compressed;
    private int messages;
    private @Nullable List<byte[]> kept;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private int keptBytes;

    /** @param memory counts what is kept */
    MessageCounter(Memory memory) {
        this.memory = memory;
    }

    /** @param keeps whether messages are kept, of at most 1 MiB together */
    void reset(boolean keeps) {
        headerBytes = 0;
        length = 0;
        left = 0;
        compressed = false;
        messages = 0;
        kept = keeps ? new ArrayList<>() : null;
        memory.resize(keptBytes, 0);
        keptBytes = 0;
        full = false;
        message.reset();
    }

    /**
     * Takes the next bytes.
     *
     * @return how many messages have ended with them
     */
    int take(ByteBuf in, int from, int count) {
        int before = messages;
        int at = from;
        int end = from + count;
        while (at < end) {
            if (headerBytes < Frame.HEADER_BYTES) {
                int octet = in.getUnsignedByte(at++);
                if (headerBytes++ == 0) {
                    compressed |= octet != 0;
                    length = 0;
                } else {
                    length = length << 8 | octet;
                }
                left = length;
            } else {
                int some = (int) Math.min(left, end - at);
                keep(in, at, some);
                at += some;
                left -= some;
            }
            if (headerBytes == Frame.HEADER_BYTES && left == 0) {
                ended();
            }
        }
        return messages - before;
    }

    private void keep(ByteBuf in, int from, int count) {
        if (kept != null && !full && keptBytes + count <= MAX_KEPT_BYTES) {
            full = !memory.resize(keptBytes, keptBytes + count);
            if (full) {
                return;
            }
            keptBytes += count;
            byte[] bytes = new byte[count];
            in.getBytes(from, bytes);
            message.writeBytes(bytes);
        }
    }

    private void ended() {
        messages++;
        headerBytes = 0;
        if (kept != null && message.size() == length) {
            kept.add(message.toByteArray());
        }
        message.reset();
    }

    /** Returns whether there was no memory left for what was to be kept. */
    boolean isFull() {
        return full;
    }

    int messages() {
        return messages;
    }

    /** Returns whether any message was compressed, which was not asked for. */
    boolean isCompressed() {
        return compressed;
    }

    /** Returns whether the stream ended within a message. */
    boolean isWithin() {
        return headerBytes > 0;
    }

    /** Returns the messages that were kept. */
    List<byte[]> kept() {
        return kept == null ? List.of() : kept;
    }
}
