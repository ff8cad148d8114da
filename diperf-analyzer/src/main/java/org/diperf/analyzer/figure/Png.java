package org.diperf.analyzer.figure;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes charts as PNG (ISO/IEC 15948). The JDK's writer tries five filters on each row; in a chart a row is mostly the one
 * above it.
 */
final class Png {

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int BITS = 8;
    private static final int COLOURS = 2;
    private static final int FROM_ABOVE = 2;
    private static final int CHANNELS = 3;
    /** The next one takes twice the time for an eighth less. */
    private static final int LEVEL = 3;

    private Png() {}

    /** @param image of the type {@link BufferedImage#TYPE_INT_RGB} */
    static void write(BufferedImage image, OutputStream to) throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(header);
        fields.writeInt(image.getWidth());
        fields.writeInt(image.getHeight());
        fields.writeByte(BITS);
        fields.writeByte(COLOURS);
        // Compression, filters and order of rows are those that there are.
        fields.write(new byte[3]);
        DataOutputStream out = new DataOutputStream(to);
        out.write(SIGNATURE);
        chunk(out, "IHDR", header.toByteArray());
        chunk(out, "IDAT", rows(image));
        chunk(out, "IEND", new byte[0]);
        out.flush();
    }

    private static byte[] rows(BufferedImage image) throws IOException {
        int width = image.getWidth();
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        int[] black = new int[width];
        byte[] same = new byte[1 + CHANNELS * width];
        same[0] = FROM_ABOVE;
        byte[] row = new byte[same.length];
        ByteArrayOutputStream packed = new ByteArrayOutputStream(1 << 18);
        Deflater deflater = new Deflater(LEVEL);
        try (DeflaterOutputStream rows = new DeflaterOutputStream(packed, deflater, 1 << 16)) {
            for (int at = 0; at < pixels.length; at += width) {
                System.arraycopy(same, 0, row, 0, row.length);
                difference(pixels, at, at == 0 ? black : pixels, Math.max(0, at - width), width, row);
                rows.write(row);
            }
        } finally {
            deflater.end();
        }
        return packed.toByteArray();
    }

    /** Writes by how much the colours of some pixels differ from those of others, going from each that does to the next. */
    private static void difference(int[] pixels, int from, int[] others, int otherFrom, int width, byte[] row) {
        int x = Arrays.mismatch(pixels, from, from + width, others, otherFrom, otherFrom + width);
        while (x >= 0 && x < width) {
            int pixel = pixels[from + x];
            int before = others[otherFrom + x];
            row[1 + CHANNELS * x] = (byte) ((pixel >> 16) - (before >> 16));
            row[2 + CHANNELS * x] = (byte) ((pixel >> 8) - (before >> 8));
            row[3 + CHANNELS * x] = (byte) (pixel - before);
            x++;
            if (x < width && pixels[from + x] == others[otherFrom + x]) {
                int next = Arrays.mismatch(pixels, from + x, from + width, others, otherFrom + x, otherFrom + width);
                x = next < 0 ? width : x + next;
            }
        }
    }

    private static void chunk(DataOutputStream out, String type, byte[] data) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(data);
        out.writeInt(data.length);
        out.write(name);
        out.write(data);
        out.writeInt((int) sum.getValue());
    }
}
