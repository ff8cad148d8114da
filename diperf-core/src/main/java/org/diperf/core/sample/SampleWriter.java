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

/**
 * Appends blocks, as they came, to the files {@code 000001.dps}, {@code 000002.dps}, ... of a folder; a new file begins
 * when one has reached its size. Each file begins with the eight bytes {@code DIPERF1} and a newline. Confined to one
 * thread.
 */
public final class SampleWriter implements Closeable {

    static final byte[] FILE_HEADER = "DIPERF1\n".getBytes(StandardCharsets.US_ASCII);

    private final Path folder;
    private final long maxFileBytes;
    private int files;
    private long written;
    private FileChannel file;

    /**
     * Creates the folder where needed and the first file in it.
     *
     * @param maxFileBytes size at which a file is full
     * @throws IOException when they cannot be created
     */
    public SampleWriter(Path folder, long maxFileBytes) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.maxFileBytes = maxFileBytes;
        this.file = next();
    }

    private FileChannel next() throws IOException {
        Path path = folder.resolve(String.format(Locale.ROOT, "%06d.dps", ++files));
        FileChannel opened = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        writeFully(opened, ByteBuffer.wrap(FILE_HEADER));
        written = FILE_HEADER.length;
        return opened;
    }

    /**
     * Appends whole blocks; they are durable after the next {@link #force}.
     *
     * @param blocks one or more blocks, consumed
     */
    public void append(ByteBuffer blocks) throws IOException {
        if (written >= maxFileBytes) {
            file.force(false);
            file.close();
            file = next();
        }
        written += blocks.remaining();
        writeFully(file, blocks);
    }

    /** Makes everything appended so far durable ({@code fdatasync}). */
    public void force() throws IOException {
        file.force(false);
    }

    @Override
    public void close() throws IOException {
        if (file.isOpen()) {
            file.force(true);
            file.close();
        }
    }

    private static void writeFully(FileChannel to, ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            to.write(data);
        }
    }
}
