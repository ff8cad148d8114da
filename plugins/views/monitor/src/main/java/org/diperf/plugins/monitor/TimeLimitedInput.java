package org.diperf.plugins.monitor;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a source sends, as long as it does not take longer than a limit; then it is closed. A source that falls silent, or sends a byte
 * now and then, must not end the samples of its monitor.
 */
final class TimeLimitedInput extends FilterInputStream {

    /** What a source has for its answer. */
    static final Duration LIMIT = Duration.ofSeconds(5);

    private final Duration limit;
    private final String sender;
    private final CompletableFuture<Void> closing;
    private volatile boolean late;

    /**
     * @param limit from now on
     * @param sender for people
     */
    TimeLimitedInput(InputStream from, Duration limit, String sender) {
        super(from);
        this.limit = limit;
        this.sender = sender;
        this.closing = CompletableFuture.runAsync(
                this::giveUp, CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS));
    }

    private void giveUp() {
        late = true;
        try {
            in.close();
        } catch (IOException e) {
            // Whoever reads is told that it is late.
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read;
        try {
            read = super.read(into, offset, length);
        } catch (IOException e) {
            throw late ? tooLate() : e;
        }
        // To some streams that are closed while they are read, that is their end.
        if (late) {
            throw tooLate();
        }
        return read;
    }

    private IOException tooLate() {
        return new IOException("expected the whole response from " + sender + " within " + limit.toMillis()
                + " ms, got only part of it; the rest was not read");
    }

    @Override
    public void close() throws IOException {
        closing.cancel(false);
        super.close();
    }
}
