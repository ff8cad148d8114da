package org.diperf.plugins.lib.gsi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An element in DER (ITU-T X.690), where it stands in its bytes. Immutable; the bytes are not copied.
 *
 * @param content where its contents begin
 * @param end behind them
 */
record Der(byte[] in, int at, int content, int end) {

    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OBJECT_IDENTIFIER = 0x06;
    static final int PRINTABLE_STRING = 0x13;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private static final int LONG_LENGTH = 0x80;
    private static final int MAX_LENGTH_BYTES = 3;

    /**
     * Reads the only element.
     *
     * @throws IOException when there is none, or something behind it
     */
    static Der only(byte[] in) throws IOException {
        Der element = at(in, 0, in.length);
        if (element.end != in.length) {
            throw new IOException("expected one element, got more");
        }
        return element;
    }

    private static Der at(byte[] in, int at, int limit) throws IOException {
        int content = at + 2;
        if (content > limit) {
            throw cutOff();
        }
        int length = in[at + 1] & 0xff;
        if (length >= LONG_LENGTH) {
            int bytes = length - LONG_LENGTH;
            if (bytes == 0 || bytes > MAX_LENGTH_BYTES || bytes > limit - content) {
                throw cutOff();
            }
            length = 0;
            for (int i = 0; i < bytes; i++) {
                length = length << 8 | in[content++] & 0xff;
            }
        }
        if (length > limit - content) {
            throw cutOff();
        }
        return new Der(in, at, content, content + length);
    }

    private static IOException cutOff() {
        return new IOException("expected a DER element, got truncated data");
    }

    int tag() {
        return in[at] & 0xff;
    }

    /** Returns this when it has the tag. */
    Der as(int tag) throws IOException {
        if (tag() != tag) {
            throw new IOException("expected an element with tag " + tag + ", got " + tag());
        }
        return this;
    }

    /** Returns the elements in it. */
    List<Der> parts() throws IOException {
        List<Der> parts = new ArrayList<>();
        for (int next = content; next < end; next = parts.get(parts.size() - 1).end) {
            parts.add(at(in, next, end));
        }
        return parts;
    }

    /** Returns it as it stands. */
    byte[] bytes() {
        return Arrays.copyOfRange(in, at, end);
    }

    byte[] contents() {
        return Arrays.copyOfRange(in, content, end);
    }

    /** Writes an element around parts. */
    static byte[] around(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        int lengthBytes = 0;
        for (int left = length; length >= LONG_LENGTH && left > 0; left >>>= 8) {
            lengthBytes++;
        }
        byte[] written = new byte[2 + lengthBytes + length];
        written[0] = (byte) tag;
        written[1] = (byte) (lengthBytes == 0 ? length : LONG_LENGTH + lengthBytes);
        for (int i = 0; i < lengthBytes; i++) {
            written[2 + i] = (byte) (length >>> 8 * (lengthBytes - 1 - i));
        }
        int to = 2 + lengthBytes;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, written, to, part.length);
            to += part.length;
        }
        return written;
    }
}
