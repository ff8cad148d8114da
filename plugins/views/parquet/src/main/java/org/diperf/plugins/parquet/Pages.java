package org.diperf.plugins.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** How values are laid out within a page. */
final class Pages {

    private Pages() {}

    /** Appends an integer of so many bytes, the lowest first. */
    static void little(ByteArrayOutputStream to, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            to.write((int) (value >>> 8 * i));
        }
    }

    /** Appends values of so many bits, without gaps, as one run of the hybrid encoding; width 0 takes the header alone. */
    static void bitPacked(ByteArrayOutputStream to, int[] values, int count, int width) {
        int groups = (count + 7) / 8;
        int header = groups << 1 | 1;
        while ((header & ~0x7F) != 0) {
            to.write(header & 0x7F | 0x80);
            header >>>= 7;
        }
        to.write(header);
        long bits = 0;
        int held = 0;
        for (int i = 0; i < groups * 8; i++) {
            bits |= (i < count ? (long) values[i] : 0) << held;
            held += width;
            while (held >= 8) {
                to.write((int) bits);
                bits >>>= 8;
                held -= 8;
            }
        }
    }

    static byte[] gzip(byte[] page) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(page.length / 4 + 64);
        try (OutputStream gzip = new GZIPOutputStream(packed) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        }) {
            gzip.write(page);
        }
        return packed.toByteArray();
    }
}
