package org.diperf.plugins.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;
import org.diperf.core.spi.Regex;
import org.jspecify.annotations.Nullable;

/** Reads what the service wrote into its access log during the run, when the run has ended. */
final class LogMonitor implements Monitor {

    private static final int FIRST_FAILURE = 400;
    private static final int NO_ANSWER = 499;

    private final Path path;
    private final LogFormat format;
    private final Regex only;
    /** What is at the path now: kept open, so that it can still be read when another file has taken its place. */
    private final FileChannel file;

    private final @Nullable Object key;
    private final long begin;
    private long lines;
    private long strange;

    /** @throws IOException when the log cannot be read: better told before the run than after it */
    LogMonitor(Path path, LogFormat format, Regex only) throws IOException {
        this.path = path;
        this.format = format;
        this.only = only;
        if (!Files.isReadable(path)) {
            throw new IOException("expected a log in " + path
                    + ", got no readable file; start the service first, and check the file's permissions");
        }
        this.key = key(path);
        this.file = FileChannel.open(path, StandardOpenOption.READ);
        this.begin = file.size();
    }

    /** Returns what tells a file from another of the same name; {@code null} where the system has nothing. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Nothing is read while the run is under way. */
    @Override
    public void sample(Readings to) {}

    @Override
    public void finish(Readings to) throws IOException {
        boolean emptied = file.size() < begin;
        if (emptied) {
            to.note("the log was truncated during the run, so its earlier lines are missing: " + path);
        }
        read(file.position(emptied ? 0 : begin), to);
        if (Files.exists(path) && !Objects.equals(key, key(path))) {
            to.note("the log was replaced by a different file during the run; both were read, but any files in "
                    + "between "
                    + "are missing: " + path);
            try (FileChannel another = FileChannel.open(path, StandardOpenOption.READ)) {
                read(another, to);
            }
        }
        if (strange > 0) {
            to.note(strange + " of " + (lines + strange)
                    + " lines of the log do not match the format and were skipped");
        }
        if (lines == 0) {
            throw new IOException("expected requests in " + path + ", got "
                    + (strange == 0
                            ? "no new lines: the service writes to a different log, or buffers its writes"
                            : strange + " lines that do not match the format"));
        }
    }

    private void read(FileChannel from, Readings to) throws IOException {
        BufferedReader reader = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(from), StandardCharsets.ISO_8859_1), 1 << 16);
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            LogFormat.Line read = null;
            try {
                if (only.find(line) == null) {
                    continue;
                }
                read = format.read(line);
            } catch (UncheckedIOException takesTooLong) {
                // One of those that do not fit.
            }
            strange += read == null ? 1 : 0;
            lines += read == null ? 0 : 1;
            if (read != null) {
                to.served(read.endUnixNanos(), read.durationNanos(), outcome(read.status()), read.bytes());
            }
        }
    }

    /** A status below 400 is a success; nginx writes 499 for a client that went away. */
    private static String outcome(int status) {
        return status < FIRST_FAILURE ? "ok" : status == NO_ANSWER ? "client-left" : "status-" + status;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
