package org.diperf.controller.run.directory;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.run.RunRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of one run: where each part of it lies, and how it is written. {@link #log} is thread-safe. */
public final class RunDirectory implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);

    /** Of what another process needs to resume the run. */
    public static final String CONTROL = "control";

    /** Files, and folders with files, that nobody but the run's controller writes. */
    public static final List<String> OF_CONTROLLER = List.of(
            RunFiles.RUN, "run.log", RunFiles.CLOCK, RunFiles.SAMPLES, RunFiles.MONITORS, RunFiles.ANNEXES, CONTROL);

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Path folder;
    private final ScratchFolder control;
    private final BufferedWriter log;
    private final FolderLock lock;
    /** What was in the folder of a new run before; {@code null}: the run is not new. */
    private final @Nullable Set<Path> foreign;

    private boolean controlStays;
    private boolean abandoned;
    private boolean logFailed;

    /** Makes the folder of a new run; where that fails, nothing of it is left, so that the folder can be chosen again. */
    public RunDirectory(Path folder, String experimentYaml) throws IOException {
        this(folder, entries(folder));
        try {
            Path experiment = Files.writeString(folder.resolve("experiment.yml"), experimentYaml);
            endings().reserve();
            DurableFiles.contents(experiment);
            DurableFiles.names(control.path());
            DurableFiles.names(folder);
        } catch (IOException e) {
            abandon();
            try {
                close();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /** @param foreign what was in the folder before */
    private RunDirectory(Path folder, Set<Path> foreign) throws IOException {
        this(DurableFiles.folder(folder), ScratchFolder.at(folder.resolve(CONTROL)), foreign);
    }

    private RunDirectory(Path folder, ScratchFolder control, @Nullable Set<Path> foreign) throws IOException {
        this.folder = folder;
        this.control = control;
        this.foreign = foreign;
        try {
            FolderLock taken = FolderLock.takeIfFree(control.path());
            if (taken == null) {
                throw new IOException(
                        "The run in " + folder + " is in progress: its controller is alive; stop it first");
            }
            this.lock = taken;
            this.log = Files.newBufferedWriter(
                    folder.resolve("run.log"),
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            if (foreign != null) {
                removeOwn(folder, foreign);
            }
            throw e;
        }
    }

    /** Opens the folder of a run whose controller was killed. */
    public static RunDirectory reopen(Path folder) throws IOException {
        return new RunDirectory(folder, new ScratchFolder(folder.resolve(CONTROL)), null);
    }

    private static Set<Path> entries(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Set.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.collect(Collectors.toSet());
        }
    }

    private static void removeOwn(Path folder, Set<Path> foreign) throws IOException {
        for (Path each : entries(folder)) {
            if (!foreign.contains(each)) {
                FolderTree.delete(each);
            }
        }
    }

    /** Gives up a new run in which nothing was measured: when it is closed, nothing of it is left. */
    public void abandon() {
        abandoned = true;
    }

    /** Leaves what must not outlive the run, so that it can be resumed. */
    public void leaveControl() {
        controlStays = true;
    }

    /** Removes them after all, because the run is concluded. */
    public void dropControl() {
        controlStays = false;
    }

    /** Reads {@code run.json}. */
    public static RunRecord read(Path folder) throws IOException {
        return RunJson.read(folder.resolve(RunFiles.RUN));
    }

    /** Holds everything of the run. */
    public Path folder() {
        return folder;
    }

    /** Holds what must not outlive the run, such as tickets; only its owner can read it. */
    public Path control() {
        return control.path();
    }

    /** Returns what tells how its controllers ended. */
    public EarlyExits endings() {
        return endings(folder);
    }

    /** Returns what tells how the controllers of a run ended. */
    public static EarlyExits endings(Path folder) {
        return new EarlyExits(folder.resolve(CONTROL).resolve("endings"));
    }

    public Path samples() {
        return folder.resolve("samples");
    }

    /** Holds what monitors saw. */
    public Path monitors() {
        return folder.resolve("monitors");
    }

    public Path clockCsv() {
        return folder.resolve("clock.csv");
    }

    /** Holds what testers wrote to their standard output and error. */
    public Path testerLogs() throws IOException {
        return Files.createDirectories(folder.resolve("logs"));
    }

    /** Writes {@code run.json}, durably, so that a reader sees the old one or the new one; the old one after a failure. */
    public void write(RunRecord record) throws IOException {
        Path file = folder.resolve(RunFiles.RUN);
        byte[] old = Files.exists(file) ? Files.readAllBytes(file) : null;
        RunJson.write(file, record);
        try {
            DurableFiles.names(folder);
        } catch (IOException e) {
            if (old != null) {
                putBack(old, file, e);
            }
            throw e;
        }
    }

    /** The new one has its name, which could not be made durable: it must not speak of an end that has not come. */
    private static void putBack(byte[] old, Path file, IOException failure) {
        try {
            AtomicFile.write(file, old);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Appends a line to {@code run.log}, with the global time in UTC. */
    public synchronized void log(Instant at, String line) {
        try {
            log.write(String.format(Locale.ROOT, "%s  %s%n", TIME.format(at), line));
            log.flush();
        } catch (IOException e) {
            // A full disk stops the run by its samples; a line of the log is not worth it.
            if (!logFailed) {
                logFailed = true;
                LOG.warn("run.log cannot be written: {}", e.getMessage());
            }
        }
    }

    /** Closes the log and removes what must not outlive the run. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            try {
                log.close();
            } catch (IOException e) {
                LOG.debug("run.log cannot be closed", e);
            }
        }
        lock.close();
        if (!controlStays) {
            control.close();
        }
        if (abandoned && foreign != null) {
            removeOwn(folder, foreign);
        }
    }
}
