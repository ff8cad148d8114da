package org.diperf.plugins.lib.gridftp.control;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what one control channel says and hears, a line each: seconds since the session began, the channel's number,
 * {@code C>} or {@code S<}, the line. Passwords are not written. Confined to its event loop; the file is shared.
 */
public final class Dialogue {

    private final @Nullable Writer file;
    private final NanoClock clock;
    private final long startNanos;
    private final int number;
    private org.diperf.core.spi.@Nullable Dialogue call;

    /** @param file {@code null}: nothing is written */
    public Dialogue(@Nullable Writer file, NanoClock clock, long startNanos, int number) {
        this.file = file;
        this.clock = clock;
        this.startNanos = startNanos;
        this.number = number;
    }

    /** Also tells a call from now on, the one that the channel serves; {@code null}: nobody will look. */
    public void tell(org.diperf.core.spi.@Nullable Dialogue to) {
        call = to;
    }

    void sent(String command) {
        if (file == null && call == null) {
            return;
        }
        String shown = command.startsWith("PASS ") ? "PASS ***" : command;
        if (file != null) {
            write(" C> ", shown);
        }
        if (call != null) {
            call.sent((shown + "\r\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    void received(Reply reply) {
        if (file != null) {
            reply.lines().forEach(line -> write(" S< ", line));
        }
        if (call != null) {
            call.received((String.join("\r\n", reply.lines()) + "\r\n").getBytes(StandardCharsets.UTF_8));
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
