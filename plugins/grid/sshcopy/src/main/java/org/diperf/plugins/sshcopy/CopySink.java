package org.diperf.plugins.sshcopy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/** Takes what is got: counts it, and writes it to a file where one is named. Used by one thread. */
final class CopySink extends OutputStream {

    private final OutputStream into;
    private final NanoClock clock;
    private long count;
    private long firstNanos;

    /** Opens the file, which is overwritten; {@code null}: nothing is kept. */
    CopySink(@Nullable Path file, NanoClock clock) throws IOException {
        this.into = file == null ? OutputStream.nullOutputStream() : Files.newOutputStream(file);
        this.clock = clock;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (count == 0) {
            firstNanos = clock.nanoTime();
        }
        count += length;
        into.write(bytes, from, length);
    }

    /** Counts the bytes so far. */
    long count() {
        return count;
    }

    /** Says when the first came. */
    long firstNanos() {
        return firstNanos;
    }

    @Override
    public void close() throws IOException {
        into.close();
    }
}
