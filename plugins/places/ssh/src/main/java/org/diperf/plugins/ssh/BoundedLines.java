package org.diperf.plugins.ssh;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines that a node sends for as long as a run lasts, none longer than a limit. Confined to one thread. */
final class BoundedLines {

    private final InputStream from;
    private final int longest;
    private final String sender;

    /**
     * @param longest bytes of a line
     * @param sender for people
     */
    BoundedLines(InputStream from, int longest, String sender) {
        this.from = new BufferedInputStream(from);
        this.longest = longest;
        this.sender = sender;
    }

    /** Returns the next line without its end; {@code null}: there is none. */
    @Nullable
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int read = from.read();
        if (read < 0) {
            return null;
        }
        while (read >= 0 && read != '\n') {
            if (line.size() == longest) {
                throw new IOException("expected lines of at most " + longest + " bytes from " + sender
                        + ", got a longer one; the rest is not read");
            }
            line.write(read);
            read = from.read();
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
