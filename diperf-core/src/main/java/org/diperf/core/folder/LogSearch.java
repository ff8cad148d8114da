package org.diperf.core.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks for a text in a log of any length, in which a program says how far it is. */
public final class LogSearch {

    private static final int CHUNK = 1 << 16;

    private LogSearch() {}

    /**
     * Returns whether a text stands anywhere in a log.
     *
     * @throws IOException when it cannot be read
     */
    public static boolean finds(String text, Path log) throws IOException {
        // A byte is a character here, so that none is cut where a chunk ends.
        String wanted = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        byte[] chunk = new byte[CHUNK];
        String seen = "";
        try (InputStream in = Files.newInputStream(log)) {
            int read = 0;
            while (read >= 0 && !seen.contains(wanted)) {
                String end = seen.substring(Math.max(0, seen.length() - wanted.length()));
                read = in.read(chunk);
                seen = end + new String(chunk, 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
            }
        }
        return seen.contains(wanted);
    }
}
