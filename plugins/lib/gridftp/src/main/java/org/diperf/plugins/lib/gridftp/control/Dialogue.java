package org.diperf.plugins.lib.gridftp.control;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what one control channel says and hears, a line each: seconds since the session began, the channel's number,
 * {@code C>} or {@code S<}, the line. Passwords are not written. Confined to its event loop; the file is shared.
 */
public final class Dialogue {

    /** Writes nothing. */
    public static final Dialogue NONE = new Dialogue(null, NanoClock.SYSTEM, 0, 0);

    private final @Nullable Writer file;
    private final NanoClock clock;
    private final long startNanos;
    private final int number;

    public Dialogue(@Nullable Writer file, NanoClock clock, long startNanos, int number) {
        this.file = file;
        this.clock = clock;
        this.startNanos = startNanos;
        this.number = number;
    }

    void sent(String command) {
        if (file != null) {
            write(" C> ", command.startsWith("PASS ") ? "PASS ***" : command);
        }
    }

    void received(Reply reply) {
        if (file != null) {
            reply.lines().forEach(line -> write(" S< ", line));
        }
    }

    void closed() {
        if (file != null) {
            write(" C> ", "<EOF>");
        }
    }

    private void write(String direction, String line) {
        Writer into = file;
        if (into == null) {
            return;
        }
        synchronized (into) {
            try {
                into.write(String.format(
                        Locale.ROOT, "%.6f #%d%s%s%n", (clock.nanoTime() - startNanos) / 1e9, number, direction, line));
                into.flush();
            } catch (IOException e) {
                // A dialogue that cannot be written is short, which its reader sees; the transfer continues.
            }
        }
    }
}
