package org.diperf.core.sample;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Goes through one sample file byte by byte: each byte belongs to the file's header, to a block whose checksum holds, or to
 * a damaged stretch. In bounded memory. Confined to one thread.
 */
public final class SampleScan {

    private static final int WINDOW = 8 << 20;
    /** Bytes of a block's begin that a stretch of damage must have before its checksum is worth trying. */
    private static final int TELLING = 32;

    private final Visitor visitor;
    private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
    private long damagedFrom;
    private String damage = "";

    /** Takes what is found, in the order of the file. */
    public interface Visitor {

        /**
         * Takes a block whose checksum holds.
         *
         * @param offset in the file, in bytes
         * @param length in bytes
         * @param data at the block's begin, valid during the call only
         */
        void block(Block header, long offset, int length, ByteBuffer data) throws IOException;

        /**
         * Takes a stretch that holds nothing that can be used.
         *
         * @param from offset in the file, in bytes
         * @param to the first byte behind it
         * @param toEnd whether it reaches to the end of the file
         * @param reason what was wanted and what was found where it begins
         */
        void damaged(long from, long to, boolean toEnd, String reason) throws IOException;
    }

    private SampleScan(Visitor visitor) {
        this.visitor = visitor;
    }

    /** Scans a file. */
    public static void file(Path file, Visitor visitor) throws IOException {
        new SampleScan(visitor).scan(file);
    }

    private void scan(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            boolean more = fill(channel);
            long at = header();
            while (more || window.hasRemaining()) {
                if (more && window.remaining() < Block.MAX_LENGTH) {
                    window.compact();
                    more = fill(channel);
                } else if (window.hasRemaining()) {
                    at = one(at);
                }
            }
            sound(at, true);
        }
    }

    /** Fills the window from its limit on, and says whether there is more. */
    private boolean fill(FileChannel channel) throws IOException {
        boolean more = true;
        while (more && window.hasRemaining()) {
            more = channel.read(window) >= 0;
        }
        window.flip();
        return more;
    }

    private long header() {
        byte[] found = new byte[Math.min(SampleWriter.FILE_HEADER.length, window.remaining())];
        window.get(0, found);
        if (Arrays.equals(found, SampleWriter.FILE_HEADER)) {
            window.position(found.length);
            return found.length;
        }
        // What follows may begin anywhere, such as with the first block.
        damagedAt(0, "expected a sample file that begins with DIPERF1, got something else");
        return 0;
    }

    /** Takes the block here, or continues to where the next one may begin; returns the offset behind. */
    private long one(long at) throws IOException {
        try {
            if (!damage.isEmpty() && !mayBeBlock()) {
                return skip(at);
            }
            int length = Block.length(window);
            Block block = Block.read(window);
            sound(at, false);
            visitor.block(block, at, length, window.duplicate().order(ByteOrder.LITTLE_ENDIAN));
            window.position(window.position() + length);
            return at + length;
        } catch (CorruptBlockException e) {
            damagedAt(at, String.valueOf(e.getMessage()));
            return skip(at);
        }
    }

    /** Looks at the fields of a header that tell most: trying checksums at every false begin could take for ever. */
    private boolean mayBeBlock() {
        int at = window.position();
        if (window.remaining() < TELLING || window.getInt(at) != Block.MAGIC) {
            return false;
        }
        int kind = window.get(at + 9);
        int columns = window.getShort(at + 10) & 0xFFFF;
        int rows = window.getInt(at + 24);
        return kind >= Block.CALLS
                && kind <= Block.EVENTS
                && columns <= Block.MAX_COLUMNS
                && rows > 0
                && rows <= Block.MAX_ROWS
                && window.getInt(at + 28) == 0;
    }

    private long skip(long at) {
        int from = window.position() + 1;
        int to = from;
        while (to + 4 <= window.limit() && window.getInt(to) != Block.MAGIC) {
            to++;
        }
        if (to + 4 > window.limit()) {
            // The magic may be cut by the window's end; at the end of the file these bytes go one by one.
            to = Math.min(window.limit(), Math.max(from, window.limit() - 3));
        }
        long behind = at + to - window.position();
        window.position(to);
        return behind;
    }

    private void damagedAt(long at, String reason) {
        if (damage.isEmpty()) {
            damagedFrom = at;
            damage = reason;
        }
    }

    private void sound(long at, boolean end) throws IOException {
        if (!damage.isEmpty()) {
            visitor.damaged(damagedFrom, at, end, damage);
            damage = "";
        }
    }
}
