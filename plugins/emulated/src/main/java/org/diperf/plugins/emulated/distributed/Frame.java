package org.diperf.plugins.emulated.distributed;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What engines and whoever started them say to one another: a length of four bytes, a byte that says what it is, and its content, of at most
 * {@link #MAX_BYTES}. Numbers are big-endian.
 *
 * @param content from its position to its limit
 */
record Frame(Kind kind, ByteBuffer content) {

    enum Kind {
        /** To an engine, first: the network, the traffic, the partition, as text. */
        SETUP,
        /** From an engine: {@link #VERSION}, when something is due. */
        READY,
        /** To an engine: until when it may go on, packets from others. */
        ADVANCE,
        /** From an engine: {@link Window}. */
        DONE,
        /** To an engine: say what you have done, and end. */
        FINISH,
        /** From an engine, last: {@link EngineResult}. */
        RESULT,
        /** From an engine, last: why it cannot go on, as text. */
        FAILED
    }

    /** Of these frames; begins the first one from an engine, so that nothing else is taken for one. */
    static final long VERSION = 0x4469506572460001L;

    /** More than a window of the largest network takes; nobody is believed who announces more. */
    static final int MAX_BYTES = 64 << 20;

    private static final Kind[] KINDS = Kind.values();

    static Frame text(Kind kind, String text) {
        return new Frame(kind, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    String text() {
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    void write(DataOutputStream to) throws IOException {
        if (content.remaining() > MAX_BYTES) {
            throw new IOException(
                    "Expected a frame of at most " + MAX_BYTES + " bytes, got one of " + content.remaining());
        }
        to.writeInt(content.remaining());
        to.writeByte(kind.ordinal());
        to.write(content.array(), content.arrayOffset() + content.position(), content.remaining());
        to.flush();
    }

    /**
     * Reads a frame, all of it.
     *
     * @throws EOFException if there is none any more
     * @throws ProtocolException if it is too long or of no kind
     */
    static Frame read(DataInputStream from) throws IOException {
        int length = from.readInt();
        int kind = from.readUnsignedByte();
        if (length < 0 || length > MAX_BYTES || kind >= KINDS.length) {
            throw new ProtocolException("Expected a frame of at most " + MAX_BYTES + " bytes and a kind below "
                    + KINDS.length + ", got " + length + " and " + kind);
        }
        // Grows with what has come, not with what was announced.
        byte[] bytes = from.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("Expected a frame of " + length + " bytes, got " + bytes.length);
        }
        return new Frame(KINDS[kind], ByteBuffer.wrap(bytes));
    }

    /** Returns its content if it is of a kind. */
    ByteBuffer content(Kind expected) throws IOException {
        if (kind != expected) {
            throw new IOException("Expected a frame " + expected + ", got " + kind);
        }
        return content;
    }
}
