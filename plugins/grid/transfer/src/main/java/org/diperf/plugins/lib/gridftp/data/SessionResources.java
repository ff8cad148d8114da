package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.gridftp.control.Dialogue;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share: settings, credentials, and of each event loop its connector and its meter. Thread-safe. */
public final class SessionResources implements AutoCloseable {

    private final Settings settings;
    private final Recorder recorder;
    private final NanoClock clock;
    private final SessionLoops loops;
    private final Map<EventLoop, Meter> meters = new ConcurrentHashMap<>();
    private final Map<EventLoop, Connections> connections = new ConcurrentHashMap<>();
    private final @Nullable Writer dialogues;
    private final AtomicInteger channels = new AtomicInteger();
    private final long startNanos;
    private final @Nullable GsiCredentials gsi;
    private final @Nullable Checksums checksums;

    /**
     * @param gsi for servers that want it, {@code null} where none does; closed with this
     * @throws IOException when a file that the settings name cannot be read or written
     */
    public SessionResources(SessionContext context, Settings settings, @Nullable GsiCredentials gsi, NanoClock clock)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        loops = new SessionLoops(context.timeout(), clock, null);
        recorder = context.recorder();
        startNanos = clock.nanoTime();
        this.gsi = gsi;
        checksums = settings.checksum() == null ? null : new Checksums(settings.checksum(), settings.size());
        dialogues = settings.dialogue() == null ? null : dialogueFile(settings.dialogue());
    }

    private static Writer dialogueFile(String path) throws IOException {
        try {
            return Files.newBufferedWriter(Path.of(path), StandardCharsets.UTF_8);
        } catch (IOException e) {
            String found = e instanceof NoSuchFileException
                    ? "whose folder does not exist; create it, or use a different path"
                    : "which cannot be written ("
                            + (e instanceof FileSystemException of && of.getReason() != null
                                    ? of.getReason()
                                    : e.getClass().getSimpleName())
                            + "); use a different path";
            throw new IOException(
                    "record-dialogue: expected a file that this tester can write, got '" + path + "', " + found, e);
        }
    }

    @Override
    public void close() throws IOException {
        meters.values().forEach(Meter::close);
        loops.close();
        if (gsi != null) {
            gsi.close();
        }
        if (checksums != null) {
            checksums.close();
        }
        Writer file = dialogues;
        if (file != null) {
            synchronized (file) {
                file.close();
            }
        }
    }

    public Settings settings() {
        return settings;
    }

    public SessionLoops loops() {
        return loops;
    }

    /** Reads the clock of all that is measured here. */
    public long nanoTime() {
        return clock.nanoTime();
    }

    /** Records the value that a metric has now. */
    public void observe(Metric metric, double value) {
        recorder.observe(metric, clock.nanoTime(), value);
    }

    /**
     * Counts something that could not be used; the tester's log shows it once.
     *
     * @param what the same for equal cases
     * @param example such as the name of a file
     */
    public void reject(String what, String example) {
        recorder.reject(what, example);
    }

    NanoClock clock() {
        return clock;
    }

    Meter meterOf(EventLoop loop) {
        return meters.computeIfAbsent(loop, any -> new Meter(loop, recorder, clock));
    }

    Connections connectionsOf(EventLoop loop) {
        return connections.computeIfAbsent(loop, any -> new Connections(loop, settings.bufferBytes()));
    }

    /** Returns the place where the next control channel's dialogue goes. */
    Dialogue dialogue() {
        return new Dialogue(dialogues, clock, startNanos, channels.incrementAndGet());
    }

    /** Returns whether a server wants GSI. */
    boolean isSecure() {
        return gsi != null;
    }

    Checksums checksums() {
        Checksums made = checksums;
        if (made == null) {
            throw new IllegalStateException("No checksum was requested");
        }
        return made;
    }

    GsiCredentials gsi() {
        GsiCredentials given = gsi;
        if (given == null) {
            throw new IllegalStateException("No server needs GSI");
        }
        return given;
    }
}
