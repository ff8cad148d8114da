package org.diperf.controller.run;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.diperf.controller.testbed.ScratchFolder;
import org.diperf.core.run.RunRecord;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The folder of one run: where each part of it lies, and how it is written. {@link #log} is thread-safe. */
final class RunDirectory implements Closeable {

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Path folder;
    private final ScratchFolder control;
    private final BufferedWriter log;

    RunDirectory(Path folder, String experimentYaml) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.control = ScratchFolder.at(folder.resolve("control"));
        Files.writeString(folder.resolve("experiment.yml"), experimentYaml);
        this.log = Files.newBufferedWriter(
                folder.resolve("run.log"),
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Holds what must not outlive the run, such as tickets; only its owner can read it. */
    Path control() {
        return control.path();
    }

    Path samples() {
        return folder.resolve("samples");
    }

    /** Holds what monitors saw. */
    Path monitors() {
        return folder.resolve("monitors");
    }

    Path clockCsv() {
        return folder.resolve("clock.csv");
    }

    /** Holds what testers wrote to their standard output and error. */
    Path testerLogs() throws IOException {
        return Files.createDirectories(folder.resolve("logs"));
    }

    /** Writes {@code run.json} so that a reader sees the old one or the new one. */
    void write(RunRecord record) throws IOException {
        Path draft = folder.resolve("run.json.new");
        Files.write(draft, JSON.writeValueAsBytes(record));
        Files.move(
                draft, folder.resolve("run.json"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Appends a line to {@code run.log}, with the global time in UTC. */
    synchronized void log(Instant at, String line) {
        try {
            log.write(String.format(Locale.ROOT, "%s  %s%n", TIME.format(at), line));
            log.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + folder.resolve("run.log"), e);
        }
    }

    /** Closes the log and removes what must not outlive the run. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            log.close();
        }
        control.close();
    }
}
