package org.diperf.plugins.parquet;

import java.io.IOException;
import java.io.OutputStream;

/** A stream that knows how far it is; what is below stays open. Confined to one thread. */
final class CountingOutputStream extends OutputStream {

    private final OutputStream to;
    private long position;

    CountingOutputStream(OutputStream to) {
        this.to = to;
    }

    long position() {
        return position;
    }

    @Override
    public void write(int value) throws IOException {
        to.write(value);
        position++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        to.write(bytes, from, length);
        position += length;
    }
}
