package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads from a buffer and refuses what is not there. Confined to one thread. */
final class WireInput {

    /** Reads one item. */
    interface Reader<T> {
        T read() throws WireException;
    }

    private final ByteBuffer bytes;

    WireInput(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    private ByteBuffer want(long length) throws WireException {
        if (length < 0 || length > bytes.remaining()) {
            throw new WireException("Expected " + length + " more bytes of the message, got " + bytes.remaining());
        }
        return bytes;
    }

    int uint8() throws WireException {
        return want(1).get() & 0xFF;
    }

    int int32() throws WireException {
        return want(4).getInt();
    }

    long int64() throws WireException {
        return want(8).getLong();
    }

    double decimal() throws WireException {
        return want(8).getDouble();
    }

    boolean bool() throws WireException {
        int found = uint8();
        if (found > 1) {
            throw new WireException("Expected 0 or 1, got " + found);
        }
        return found == 1;
    }

    /** Reads a number that stands for one of so many. */
    int choice(int choices) throws WireException {
        int found = uint8();
        if (found >= choices) {
            throw new WireException("Expected a number below " + choices + ", got " + found);
        }
        return found;
    }

    String text() throws WireException {
        int length = int32();
        want(length);
        ByteBuffer encoded = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
        } catch (CharacterCodingException e) {
            throw new WireException("Expected UTF-8 text, got other bytes", e);
        }
    }

    byte[] bytes(int length) throws WireException {
        want(length);
        byte[] copy = new byte[length];
        bytes.get(copy);
        return copy;
    }

    /** Takes what is left, as a copy. */
    ByteBuffer rest() {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return ByteBuffer.wrap(copy);
    }

    /** Reads how many items follow; each takes at least one byte. */
    int count() throws WireException {
        int count = int32();
        want(count);
        return count;
    }

    <T> List<T> list(Reader<T> reader) throws WireException {
        int count = count();
        // Grown as items arrive: a count alone must not make us allocate.
        List<T> items = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            items.add(reader.read());
        }
        return items;
    }

    void end() throws WireException {
        if (bytes.hasRemaining()) {
            throw new WireException("Expected the end of the message, got " + bytes.remaining() + " more bytes");
        }
    }
}
