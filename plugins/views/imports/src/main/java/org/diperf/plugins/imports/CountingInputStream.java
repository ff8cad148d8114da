package org.diperf.plugins.imports;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A file that knows how far it was read, in its own bytes. Confined to one thread. */
final class CountingInputStream extends FilterInputStream {

    private static final int BUFFER = 1 << 16;
    private static final int GZIP_0 = 0x1F;
    private static final int GZIP_1 = 0x8B;

    private long read;

    CountingInputStream(Path file) throws IOException {
        super(Files.newInputStream(file));
    }

    long done() {
        return read;
    }

    /** Returns what the file holds: unpacked where it begins as gzip's files do, whatever its name. */
    InputStream content() throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(this, BUFFER);
        buffered.mark(2);
        boolean packed = buffered.read() == GZIP_0 && buffered.read() == GZIP_1;
        buffered.reset();
        return packed ? new GZIPInputStream(buffered, BUFFER) : buffered;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        read += value < 0 ? 0 : 1;
        return value;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
        int count = super.read(bytes, from, most);
        read += Math.max(0, count);
        return count;
    }
}
