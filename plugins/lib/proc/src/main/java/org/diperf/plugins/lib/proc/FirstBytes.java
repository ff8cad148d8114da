package org.diperf.plugins.lib.proc;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the first bytes of what is written and counts the others. Thread-safe. */
public final class FirstBytes extends OutputStream {

    private final int most;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long others;

    /** @param most bytes to keep */
    public FirstBytes(int most) {
        this.most = most;
    }

    @Override
    public synchronized void write(int next) {
        if (kept.size() < most) {
            kept.write(next);
        } else {
            others++;
        }
    }

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
        int fits = Math.min(length, most - kept.size());
        kept.write(from, offset, fits);
        others += length - fits;
    }

    /** Returns what was kept as UTF-8, with how much was not. */
    public synchronized String text() {
        String text = kept.toString(StandardCharsets.UTF_8);
        return others == 0 ? text : text + "... (" + others + " more bytes omitted)";
    }
}
