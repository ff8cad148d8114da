package org.diperf.plugins.lib.proc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a node or a service sends, up to a limit beyond which it is not read: it must not fill this machine's memory or disk. */
public final class BoundedInput extends FilterInputStream {

    private final long limit;
    private final String sender;
    private long taken;

    /**
     * @param limit bytes
     * @param sender for people
     */
    public BoundedInput(InputStream from, long limit, String sender) {
        super(from);
        this.limit = limit;
        this.sender = sender;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int bytes) throws IOException {
        taken += bytes;
        if (taken > limit) {
            throw new IOException(
                    "expected at most " + limit + " bytes from " + sender + ", got more; the rest was not read");
        }
    }
}
