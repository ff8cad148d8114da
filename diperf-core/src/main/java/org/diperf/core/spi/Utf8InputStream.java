package org.diperf.core.spi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Passes on the bytes of a text in UTF-8, and ends at the first that is none: with its line and column instead of a character that nobody
 * wrote. Confined to one thread.
 */
public final class Utf8InputStream extends InputStream {

    private static final int LONGEST_MARK = 4;

    private final InputStream in;
    private final byte[] begin = new byte[LONGEST_MARK];
    private int begun;
    private long line = 1;
    private long column;
    /** Bytes that the character still needs; of the next one the least and the greatest. */
    private int needed;

    private int low;
    private int high;

    /** Text that is not in UTF-8. */
    public static final class NotUtf8 extends CharacterCodingException {
        private static final long serialVersionUID = 1;

        private final String message;

        private NotUtf8(String message) {
            this.message = message;
        }

        /** Says where, what was expected and what was found: {@code line 3, column 7: expected ...}. */
        @Override
        public String getMessage() {
            return message;
        }
    }

    /** @param in is closed with this one */
    public Utf8InputStream(InputStream in) {
        this.in = in;
    }

    /**
     * Decodes a whole text.
     *
     * @throws NotUtf8 when it is not in UTF-8
     */
    public static String decode(byte[] text) throws NotUtf8 {
        check(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /**
     * Checks a whole text.
     *
     * @throws NotUtf8 when it is not in UTF-8
     */
    public static void check(byte[] text) throws NotUtf8 {
        Utf8InputStream check = new Utf8InputStream(nullInputStream());
        check.take(text, 0, text.length);
        check.end();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
        int count = in.read(bytes, from, most);
        if (count < 0) {
            end();
        } else {
            take(bytes, from, count);
        }
        return count;
    }

    private void take(byte[] bytes, int from, int count) throws NotUtf8 {
        int marked = Math.min(begin.length - begun, count);
        System.arraycopy(bytes, from, begin, begun, marked);
        begun += marked;
        for (int i = from; i < from + count; i++) {
            take(bytes[i] & 0xFF);
        }
    }

    private void take(int octet) throws NotUtf8 {
        if (needed > 0) {
            if (octet < low || octet > high) {
                throw refused(octet);
            }
            needed--;
            low = 0x80;
            high = 0xBF;
            return;
        }
        column++;
        if (octet == '\n') {
            line++;
            column = 0;
        } else if (octet == 0 || octet >= 0x80 && octet < 0xC2 || octet > 0xF4) {
            throw refused(octet);
        } else if (octet >= 0x80) {
            needed = octet < 0xE0 ? 1 : octet < 0xF0 ? 2 : 3;
            // No longer form than needed, no surrogates, nothing above U+10FFFF.
            low = octet == 0xE0 ? 0xA0 : octet == 0xF0 ? 0x90 : 0x80;
            high = octet == 0xED ? 0x9F : octet == 0xF4 ? 0x8F : 0xBF;
        }
    }

    private NotUtf8 refused(int octet) {
        String packed = packed();
        return new NotUtf8("line " + line + ", column " + column + ": expected text in UTF-8, got "
                + (packed.isEmpty()
                        ? String.format("byte 0x%02X; convert it, such as with iconv -f latin1 -t utf-8", octet)
                        : packed + "; unpack it first"));
    }

    private String packed() {
        String mark = new String(begin, StandardCharsets.ISO_8859_1);
        return mark.startsWith("\u00FD7zX")
                ? "an xz file"
                : mark.startsWith("PK\3\4")
                        ? "a zip file"
                        : mark.startsWith("BZh")
                                ? "a bzip2 file"
                                : mark.equals("\u0028\u00B5\u002F\u00FD")
                                        ? "a zstd file"
                                        : mark.startsWith("\u001F\u008B") ? "a gzip file" : "";
    }

    private void end() throws NotUtf8 {
        if (needed > 0) {
            throw new NotUtf8("line " + line + ", column " + column
                    + ": expected text in UTF-8, got the end of the file within a character");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
