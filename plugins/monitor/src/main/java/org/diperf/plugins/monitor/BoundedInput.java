package org.diperf.plugins.monitor;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An answer from the network that must not grow without end. */
final class BoundedInput extends FilterInputStream {

    private final long most;
    private long left;

    BoundedInput(InputStream in, long most) {
        super(in);
        this.most = most;
        this.left = most;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int read = super.read(to, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int bytes) throws IOException {
        left -= bytes;
        if (left < 0) {
            throw new IOException("wanted an answer of at most " + (most >> 20) + " MiB, found a longer one");
        }
    }
}
