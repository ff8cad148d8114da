package org.diperf.plugins.sshcopy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gives what is put: so many zeros, or a file; counts what was taken. Used by one thread. */
final class CopySource extends InputStream {

    private final @Nullable InputStream file;
    private final long size;
    private long count;

    private CopySource(@Nullable InputStream file, long size) {
        this.file = file;
        this.size = size;
    }

    static CopySource of(@Nullable Path file, long zeros) throws IOException {
        return file == null
                ? new CopySource(null, zeros)
                : new CopySource(Files.newInputStream(file), Files.size(file));
    }

    /** Says how many there are in all. */
    long size() {
        return size;
    }

    /** Counts those that were taken. */
    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (count >= size) {
            return -1;
        }
        int most = (int) Math.min(length, size - count);
        int got = most;
        if (file == null) {
            Arrays.fill(into, from, from + most, (byte) 0);
        } else {
            got = file.read(into, from, most);
        }
        count += Math.max(0, got);
        return got;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
