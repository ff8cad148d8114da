package org.diperf.plugins.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.diperf.core.spi.CsvField;

/** Writes text as UTF-8 bytes: numbers without an object for each. Confined to one thread. */
final class Utf8Writer {

    private static final int GATHERED = 1 << 16;
    private static final int LONGEST_NUMBER = 20;
    private static final int MAX_WORDS = 10_000;

    private final OutputStream to;
    private final byte[] gathered = new byte[GATHERED];
    private final byte[] digits = new byte[LONGEST_NUMBER];
    private final Map<String, byte[]> words = new HashMap<>();
    private int length;

    Utf8Writer(OutputStream to) {
        this.to = to;
    }

    Utf8Writer put(char ascii) throws IOException {
        room(1);
        gathered[length++] = (byte) ascii;
        return this;
    }

    Utf8Writer put(long number) throws IOException {
        if (number == Long.MIN_VALUE) {
            return put(Long.toString(number));
        }
        long rest = Math.abs(number);
        int at = LONGEST_NUMBER;
        do {
            digits[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        room(LONGEST_NUMBER + 1);
        if (number < 0) {
            gathered[length++] = '-';
        }
        System.arraycopy(digits, at, gathered, length, LONGEST_NUMBER - at);
        length += LONGEST_NUMBER - at;
        return this;
    }

    /** Puts a text as it is. */
    Utf8Writer put(String text) throws IOException {
        return put(text.getBytes(StandardCharsets.UTF_8));
    }

    private Utf8Writer put(byte[] bytes) throws IOException {
        if (bytes.length > GATHERED) {
            flush();
            to.write(bytes);
            return this;
        }
        room(bytes.length);
        System.arraycopy(bytes, 0, gathered, length, bytes.length);
        length += bytes.length;
        return this;
    }

    /** Puts a word that comes again and again, as a field of a CSV file. */
    Utf8Writer field(String word) throws IOException {
        byte[] known = words.get(word);
        if (known == null) {
            known = CsvField.of(word).getBytes(StandardCharsets.UTF_8);
            if (words.size() < MAX_WORDS) {
                words.put(word, known);
            }
        }
        return put(known);
    }

    private void room(int bytes) throws IOException {
        if (length + bytes > GATHERED) {
            flush();
        }
    }

    void flush() throws IOException {
        to.write(gathered, 0, length);
        length = 0;
    }
}
