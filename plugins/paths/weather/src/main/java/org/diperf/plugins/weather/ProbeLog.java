package org.diperf.plugins.weather;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A line for each probe: when it began and ended on this machine's monotonic clock, so that logs of sensors on one machine show what happened
 * at once. Each line is in the file before the next probe begins. Thread-safe.
 */
final class ProbeLog implements AutoCloseable {

    private final @Nullable Writer writer;

    /** @param file appended to; {@code null}: nothing is written */
    ProbeLog(@Nullable Path file) throws IOException {
        if (file == null) {
            writer = null;
            return;
        }
        boolean fresh = !Files.exists(file);
        writer = Files.newBufferedWriter(
                file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (fresh) {
            line("event,clique,leader,round,from,to,nanos");
        }
    }

    synchronized void line(String line) {
        if (writer != null) {
            try {
                writer.write(line + "\n");
                writer.flush();
            } catch (IOException e) {
                // The disk is full: probes matter more than their log.
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
