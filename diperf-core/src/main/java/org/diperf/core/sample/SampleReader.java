package org.diperf.core.sample;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.folder.PlainFile;

/** Reads all blocks of a folder of sample files, in bounded memory. What is damaged is reported and passed over. */
public final class SampleReader {

    private static final int WINDOW = 8 << 20;

    private final Path file;
    private final ByteBuffer window;
    private final Visitor visitor;
    private long windowAt;
    /** Whether what came last was a block: damage is told once, however far it reaches. */
    private boolean sound = true;

    private SampleReader(Path file, ByteBuffer window, Visitor visitor) {
        this.file = file;
        this.window = window;
        this.visitor = visitor;
    }

    /** Takes what is found. The data is valid during the call only. */
    public interface Visitor {

        /**
         * Takes one block whose checksum holds.
         *
         * @param data at the block's begin
         */
        void block(Block header, ByteBuffer data) throws IOException;

        /**
         * Takes notice of bytes that are no block.
         *
         * @param reason what was wanted and what was found
         */
        void damaged(Path file, long offset, String reason);
    }

    /** Lists the sample files of a folder, in the order in which they were written. */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(PlainFile.folder(folder))) {
            return entries.filter(path -> path.getFileName().toString().endsWith(".dps"))
                    .sorted()
                    .toList();
        }
    }

    /** Visits every block of every file in the folder. */
    public static void read(Path folder, Visitor visitor) throws IOException {
        ByteBuffer window = ByteBuffer.allocateDirect(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
        for (Path file : files(folder)) {
            read(file, window, visitor);
        }
    }

    private static void read(Path file, ByteBuffer window, Visitor visitor) throws IOException {
        try (FileChannel channel = PlainFile.open(file)) {
            window.clear();
            SampleReader reader = new SampleReader(file, window, visitor);
            boolean more = true;
            while (more) {
                more = fill(channel, window);
                window.flip();
                reader.visitWindow(!more);
                window.compact();
            }
        }
    }

    private static boolean fill(FileChannel channel, ByteBuffer window) throws IOException {
        while (window.hasRemaining()) {
            if (channel.read(window) < 0) {
                return false;
            }
        }
        return true;
    }

    private void checkHeader() {
        byte[] found = new byte[Math.min(SampleWriter.FILE_HEADER.length, window.remaining())];
        window.get(found);
        if (!Arrays.equals(found, SampleWriter.FILE_HEADER)) {
            visitor.damaged(file, 0, "expected a sample file that begins with DIPERF1, got something else");
        }
    }

    /**
     * Visits a block whose checksum holds. One that cannot be used is passed over as a whole: what lies within it was written by
     * its tester, who must not get a block of another one in by it.
     */
    private void visit(Block block, long offset) throws IOException {
        try {
            visitor.block(block, window.duplicate().order(ByteOrder.LITTLE_ENDIAN));
        } catch (CorruptBlockException e) {
            visitor.damaged(file, offset, String.valueOf(e.getMessage()));
        }
    }

    /** Visits the whole blocks of the window. */
    private void visitWindow(boolean last) throws IOException {
        int begin = window.position();
        if (windowAt == 0) {
            checkHeader();
        }
        while (window.remaining() >= (last ? 1 : Block.MAX_LENGTH)) {
            int at = window.position();
            try {
                int length = Block.length(window);
                Block block = Block.read(window);
                visit(block, windowAt + at - begin);
                window.position(at + length);
                sound = true;
            } catch (CorruptBlockException e) {
                if (sound) {
                    visitor.damaged(file, windowAt + at - begin, String.valueOf(e.getMessage()));
                }
                sound = false;
                window.position(nextMagic(window, at + 1));
            }
        }
        windowAt += window.position() - begin;
    }

    private static int nextMagic(ByteBuffer window, int from) {
        for (int at = from; at + 4 <= window.limit(); at++) {
            if (window.getInt(at) == Block.MAGIC) {
                return at;
            }
        }
        return Math.min(window.limit(), Math.max(from, window.limit() - 3));
    }
}
