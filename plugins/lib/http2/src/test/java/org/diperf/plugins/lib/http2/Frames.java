package org.diperf.plugins.lib.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Frames as a server may send them, good ones and others. */
final class Frames {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int WITH_PRIORITY = 0x20;

    /** {@code :status: 200}, by its place in the static table. */
    static final byte[] STATUS_200 = {(byte) 0x88};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Frames frame(int type, int flags, int stream, byte[] payload) {
        return frame(payload.length, type, flags, stream, payload);
    }

    /** Writes a frame whose length need not be its payload's. */
    Frames frame(int length, int type, int flags, int stream, byte[] payload) {
        bytes.writeBytes(ByteBuffer.allocate(9)
                .putShort((short) (length >>> 8))
                .put((byte) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .array());
        return raw(payload);
    }

    Frames raw(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    /** Writes settings: name and value in turn. */
    Frames settings(long... namesAndValues) {
        ByteBuffer payload = ByteBuffer.allocate(3 * namesAndValues.length);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            payload.putShort((short) namesAndValues[i]).putInt((int) namesAndValues[i + 1]);
        }
        return frame(SETTINGS, 0, 0, payload.array());
    }

    Frames headers(int stream, int flags, byte[] block) {
        return frame(HEADERS, flags | END_HEADERS, stream, block);
    }

    Frames data(int stream, int flags, String text) {
        return frame(DATA, flags, stream, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes a frame whose payload is one number of four bytes. */
    Frames number(int type, int stream, int value) {
        return frame(type, 0, stream, ints(value));
    }

    Frames goAway(int last, int code) {
        return frame(GOAWAY, 0, 0, ints(last, code));
    }

    static byte[] ints(int... values) {
        ByteBuffer payload = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            payload.putInt(value);
        }
        return payload.array();
    }

    static byte[] bytes(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    /** Writes a block of fields, names and values in turn, which leaves the table alone. */
    static byte[] block(String... namesAndValues) {
        return block(0, namesAndValues);
    }

    /** @param mark 0: the table is left alone; 0x40: the fields go into it */
    static byte[] block(int mark, String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(mark);
            string(block, namesAndValues[i]);
            string(block, namesAndValues[i + 1]);
        }
        return block.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static void string(ByteArrayOutputStream block, String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        int left = octets.length;
        if (left < 127) {
            block.write(left);
        } else {
            block.write(127);
            for (left -= 127; left >= 128; left >>>= 7) {
                block.write(left & 127 | 128);
            }
            block.write(left);
        }
        block.writeBytes(octets);
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
