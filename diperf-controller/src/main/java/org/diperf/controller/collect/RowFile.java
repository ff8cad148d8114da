package org.diperf.controller.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.diperf.core.folder.DurableFiles;

/** A file of rows of text, to which whole rows are appended. Confined to one thread. */
final class RowFile implements Closeable {

    private static final int GATHERED = 1 << 16;

    private final FileChannel file;
    private final ByteBuffer gathered = ByteBuffer.allocate(GATHERED);
    /** Bytes of the file that are durable. */
    private long durable;

    private boolean dirty;

    private RowFile(FileChannel file) {
        this.file = file;
    }

    /** Makes a file with a first row, durable with its name; one that exists is overwritten. */
    static RowFile create(Path path, String header) throws IOException {
        FileChannel file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        try {
            RowFile rows = new RowFile(file);
            rows.append(header);
            rows.force();
            Path folder = path.toAbsolutePath().getParent();
            if (folder != null) {
                DurableFiles.names(folder);
            }
            return rows;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Opens a file to append to; a last row without its end, whose writer was killed, is removed. */
    static RowFile append(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            long end = file.size();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (end > 0 && (file.read(one.clear(), end - 1) < 1 || one.get(0) != '\n')) {
                end--;
            }
            file.truncate(end);
            file.position(end);
            file.force(true);
            RowFile rows = new RowFile(file);
            rows.durable = end;
            return rows;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Appends a row, given without its end; it is in the file and durable after the next {@link #force}. */
    void append(String row) throws IOException {
        byte[] bytes = (row + "\n").getBytes(StandardCharsets.UTF_8);
        dirty = true;
        if (bytes.length > gathered.remaining()) {
            flush();
        }
        if (bytes.length > gathered.capacity()) {
            write(ByteBuffer.wrap(bytes));
        } else {
            gathered.put(bytes);
        }
    }

    private void flush() throws IOException {
        write(gathered.flip());
        gathered.clear();
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** Makes all rows durable, where any are not. */
    void force() throws IOException {
        if (dirty) {
            flush();
            file.force(false);
            durable = file.position();
            dirty = false;
        }
    }

    /** Removes the rows that are not durable, after a failure. */
    void undo() throws IOException {
        gathered.clear();
        file.truncate(durable);
        file.position(durable);
        dirty = false;
    }

    @Override
    public void close() throws IOException {
        try (file) {
            force();
        }
    }
}
