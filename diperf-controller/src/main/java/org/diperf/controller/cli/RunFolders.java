package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.folder.DurableFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The folders of runs: those that the user named or means, and those that are made, which can be written before anything starts. */
final class RunFolders {

    /** Where runs are unless the user chose another place. */
    static final Path RUNS = Path.of("runs");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private RunFolders() {}

    /**
     * Returns the folder that a command is about, and says which it is where nobody named one.
     *
     * @param named by the user; {@code null}: the latest run is meant
     * @throws UsageException when it is no folder, or there is no latest run
     */
    static Path given(@Nullable Path named, CommandSpec command) throws UsageException, IOException {
        if (named != null) {
            check(named);
            return named;
        }
        Path latest = latest(RUNS, command.name());
        command.commandLine()
                .getErr()
                .println("run     " + latest + ", which is "
                        + latest.toRealPath().getFileName());
        command.commandLine().getErr().flush();
        return latest;
    }

    /**
     * Returns the link to the latest run.
     *
     * @param command that wants it
     * @throws UsageException when there is none
     */
    static Path latest(Path runs, String command) throws UsageException {
        Path latest = runs.resolve("latest");
        if (!Files.isDirectory(latest)) {
            throw new UsageException(command + ": no RUN_DIR was given, and there is no " + latest
                    + " here; specify a run folder, or create one with: diperf run");
        }
        return latest;
    }

    /** @throws UsageException when it is no folder */
    static void check(Path runDir) throws UsageException {
        if (!Files.isDirectory(runDir)) {
            throw new UsageException("Expected a run folder, got "
                    + (Files.exists(runDir) ? "a file" : "nothing") + " at " + runDir
                    + "; 'diperf runs' lists those in runs/");
        }
    }

    /**
     * Makes the folder of a run.
     *
     * @param out what the user chose, or {@code null} for {@code runs/NAME-TIME}
     * @throws UsageException when it holds something already, or cannot be written
     * @throws RunFailedException when its disk is full or fails
     */
    static Path make(@Nullable Path out, String name, Instant now) throws UsageException, RunFailedException {
        if (out != null) {
            return make(out);
        }
        Path base = RUNS.resolve(name + "-" + TIME.format(now));
        Path folder = base;
        for (int i = 2; Files.exists(folder); i++) {
            folder = RUNS.resolve(base.getFileName() + "-" + i);
        }
        return make(folder);
    }

    private static Path make(Path folder) throws UsageException, RunFailedException {
        try {
            // With its name on the disk: what a tester forgets because it is in this folder must be found there.
            DurableFiles.folder(folder);
            try (Stream<Path> entries = Files.list(folder)) {
                if (entries.findAny().isPresent()) {
                    throw new UsageException("--out: expected an empty or new folder, got files in " + folder
                            + "; nothing was overwritten. Choose a different folder");
                }
            }
            Path probe = Files.createTempFile(folder, "diperf", ".probe");
            Files.delete(probe);
            return folder;
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(
                    "--out: expected a folder for the run, got a file at " + e.getFile() + "; choose another");
        } catch (IOException e) {
            DiskFailure failure = DiskFailure.of(e, folder);
            if (failure.isOfDisk()) {
                removeIfEmpty(folder);
                throw new RunFailedException("Could not write to " + folder + ": " + failure.found()
                        + ". Nothing was started; " + failure.remedy()
                        + ", then run the same command again, or choose a different folder with --out");
            }
            throw new UsageException("--out: expected a writable folder, got " + folder + ": " + why(e)
                    + "; choose another with --out DIR");
        }
    }

    /** Removes the folder of a run that came to nothing; one with files stays. */
    static void removeIfEmpty(Path folder) {
        try {
            Files.delete(folder);
        } catch (IOException notEmpty) {
            // What was written is the user's.
        }
    }

    private static String why(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        if (e instanceof NoSuchFileException) {
            return "cannot create a folder there";
        }
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return reason == null ? "unknown reason" : reason;
    }

    /** Points {@code latest}, next to the run's folder, at it; a file of that name is left alone. */
    static Path linkLatest(Path folder) {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent == null) {
            return folder;
        }
        Path latest = parent.resolve("latest");
        try {
            if (Files.isSymbolicLink(latest)) {
                Files.delete(latest);
            }
            if (Files.exists(latest, LinkOption.NOFOLLOW_LINKS)) {
                return folder;
            }
            Files.createSymbolicLink(latest, folder.getFileName());
            Path shown = folder.getParent();
            return shown == null ? latest : shown.resolve("latest");
        } catch (IOException | UnsupportedOperationException e) {
            // A convenience: the run is where it is.
            return folder;
        }
    }
}
