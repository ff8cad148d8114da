package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The header of one block. See the package for the layout.
 *
 * @param kind {@link #CALLS}, {@link #OBSERVATIONS}, {@link #EXCHANGES}, {@link #GROUPS} or {@link #EVENTS}
 * @param tester from 1
 * @param number among the tester's blocks, from 1
 * @param rows from 1 to {@link #MAX_ROWS}
 * @param columns how many columns follow
 * @param baseNanos base of the times, on the tester's clock
 * @param firstNanos earliest end of a call, also of one that is shown, or time of an observation or event
 * @param lastNanos latest of these
 */
public record Block(
        int kind, int tester, long number, int rows, int columns, long baseNanos, long firstNanos, long lastNanos) {

    /** Version of the format that this code writes, and the only one it reads. */
    public static final int VERSION = 1;

    /** Kind of a block of calls. */
    public static final int CALLS = 1;

    /** Kind of a block of observations. */
    public static final int OBSERVATIONS = 2;

    /** Kind of a block of what was said in single calls. */
    public static final int EXCHANGES = 3;

    /** Kind of a block of groups of calls, journeys among them: its columns are those of calls. */
    public static final int GROUPS = 4;

    /** Kind of a block of events within calls. */
    public static final int EVENTS = 5;

    /** No block holds more rows. */
    public static final int MAX_ROWS = 1 << 16;

    /** No block is longer, in bytes. */
    public static final int MAX_LENGTH = 1 << 20;

    /** No block has more columns: twice as many as have a number. */
    public static final int MAX_COLUMNS = 256;

    static final int MAGIC = 0x31425044;
    static final int HEADER = 56;
    static final int COLUMN = 8;
    static final int CHECKSUM = 4;

    static final int TYPE_INTEGER = 1;
    static final int TYPE_DECIMAL = 2;
    static final int TYPE_WORD = 3;

    /**
     * Reads the header of the block that begins at the buffer's position, and checks length, version and checksum. The
     * position stays.
     *
     * @param data holds at least the whole block
     * @throws CorruptBlockException when this is no block that can be used
     */
    public static Block read(ByteBuffer data) throws CorruptBlockException {
        ByteBuffer block = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        int length = length(block);
        if (length > block.remaining()) {
            throw new CorruptBlockException(
                    "expected a block of " + length + " bytes, got " + block.remaining() + ": it is truncated");
        }
        block.limit(length - CHECKSUM);
        CRC32C checksum = new CRC32C();
        checksum.update(block);
        block.limit(length);
        int stored = block.getInt(length - CHECKSUM);
        if ((int) checksum.getValue() != stored) {
            throw new CorruptBlockException(String.format(
                    Locale.ROOT,
                    "expected checksum %08x, got %08x: the block is damaged",
                    (int) checksum.getValue(),
                    stored));
        }
        int version = block.get(8);
        if (version != VERSION) {
            throw new CorruptBlockException("expected sample format " + VERSION + ", got format " + version
                    + ": read it with the DiPerF version that wrote it");
        }
        Block header = new Block(
                block.get(9),
                block.getInt(12),
                block.getLong(16),
                block.getInt(24),
                block.getShort(10) & 0xFFFF,
                block.getLong(32),
                block.getLong(40),
                block.getLong(48));
        boolean sane = header.rows > 0
                && header.rows <= MAX_ROWS
                && header.tester > 0
                && header.number > 0
                && header.columns <= MAX_COLUMNS
                && HEADER + header.columns * (long) COLUMN + CHECKSUM <= length;
        if (!sane) {
            throw new CorruptBlockException("expected a valid header, got " + header);
        }
        return header;
    }

    /**
     * Reads the length of the block that begins at the buffer's position.
     *
     * @return bytes, header and checksum included
     * @throws CorruptBlockException when no block begins here
     */
    public static int length(ByteBuffer data) throws CorruptBlockException {
        ByteBuffer block = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (block.remaining() < HEADER) {
            throw new CorruptBlockException(
                    "expected a block header of " + HEADER + " bytes, got " + block.remaining());
        }
        if (block.getInt(0) != MAGIC) {
            throw new CorruptBlockException(String.format(Locale.ROOT, "expected a block, got %08x", block.getInt(0)));
        }
        int length = block.getInt(4);
        if (length < HEADER + CHECKSUM || length > MAX_LENGTH) {
            throw new CorruptBlockException("expected a block of at most " + MAX_LENGTH + " bytes, got " + length);
        }
        return length;
    }
}
