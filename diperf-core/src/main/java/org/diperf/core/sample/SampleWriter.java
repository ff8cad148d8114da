package org.diperf.core.sample;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.diperf.core.folder.DurableFiles;

/**
 * Appends blocks, as they came, to the files {@code 000001.dps}, {@code 000002.dps}, ... of a folder; a new file begins
 * when one has reached its size. Each file begins with the eight bytes {@code DIPERF1} and a newline. Confined to one
 * thread.
 */
public final class SampleWriter implements Closeable {

    static final byte[] FILE_HEADER = "DIPERF1\n".getBytes(StandardCharsets.US_ASCII);

    /** Blocks are gathered to writes of this size. */
    private static final int GATHERED = 1 << 20;

    private final Path folder;
    private final long maxFileBytes;
    private final ByteBuffer gathered = ByteBuffer.allocateDirect(GATHERED);
    private int files;
    private FileChannel file;
    /** Bytes of the file with those that are gathered. */
    private long written;
    /** Bytes of the file that are durable. */
    private long durable;

    /**
     * Creates the folder where needed and the first file in it.
     *
     * @param maxFileBytes size at which a file is full
     * @throws IOException when they cannot be created
     */
    public SampleWriter(Path folder, long maxFileBytes) throws IOException {
        this(folder, maxFileBytes, 0);
    }

    private SampleWriter(Path folder, long maxFileBytes, int files) throws IOException {
        this.folder = DurableFiles.folder(folder);
        this.maxFileBytes = maxFileBytes;
        this.files = files;
        this.file = next();
    }

    /** Continues after the files that are in the folder, with a new one. */
    public static SampleWriter after(Path folder, long maxFileBytes) throws IOException {
        DurableFiles.folder(folder);
        int last = 0;
        for (Path file : SampleReader.files(folder)) {
            String digits = file.getFileName().toString().replaceAll("[^0-9]", "");
            last = Math.max(last, digits.isEmpty() || digits.length() > 9 ? 0 : Integer.parseInt(digits));
        }
        return new SampleWriter(folder, maxFileBytes, last);
    }

    /** Returns the bytes with which each file begins. */
    public static byte[] header() {
        return FILE_HEADER.clone();
    }

    /** Makes the next file, durable with its name, or none. */
    private FileChannel next() throws IOException {
        Path path = folder.resolve(String.format(Locale.ROOT, "%06d.dps", files + 1));
        FileChannel opened = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            writeFully(opened, ByteBuffer.wrap(FILE_HEADER));
            opened.force(true);
            DurableFiles.names(folder);
        } catch (IOException e) {
            try (opened) {
                Files.deleteIfExists(path);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        files++;
        written = FILE_HEADER.length;
        durable = FILE_HEADER.length;
        return opened;
    }

    /**
     * Appends whole blocks; they are in the file and durable after the next {@link #force}, or where this file is full.
     *
     * @param blocks one or more blocks, consumed
     */
    public void append(ByteBuffer blocks) throws IOException {
        if (written >= maxFileBytes) {
            force();
            FileChannel full = file;
            file = next();
            full.close();
        }
        put(blocks);
    }

    /**
     * Appends the same so that {@link #undo} removes all of it: from one {@link #force} to the next no other file begins,
     * however full this one is.
     */
    public void appendToBatch(ByteBuffer blocks) throws IOException {
        if (written == durable) {
            append(blocks);
        } else {
            put(blocks);
        }
    }

    private void put(ByteBuffer blocks) throws IOException {
        written += blocks.remaining();
        if (blocks.remaining() > gathered.remaining()) {
            flush();
        }
        if (blocks.remaining() > gathered.capacity()) {
            writeFully(file, blocks);
        } else {
            gathered.put(blocks);
        }
    }

    private void flush() throws IOException {
        try {
            writeFully(file, gathered.flip());
        } finally {
            // What a full disk did not take is not tried again: a part of it may be in the file.
            gathered.clear();
        }
    }

    /** Makes everything appended so far durable ({@code fdatasync}). */
    public void force() throws IOException {
        flush();
        file.force(false);
        durable = written;
    }

    /**
     * Removes what is not durable, after a failure: a part of a block, or blocks that the disk may have lost although they
     * can still be read.
     */
    public void undo() throws IOException {
        gathered.clear();
        written = durable;
        file.truncate(durable);
        file.position(durable);
    }

    @Override
    public void close() throws IOException {
        if (file.isOpen()) {
            try (FileChannel closing = file) {
                flush();
                closing.force(true);
            }
        }
    }

    private static void writeFully(FileChannel to, ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            to.write(data);
        }
    }
}
