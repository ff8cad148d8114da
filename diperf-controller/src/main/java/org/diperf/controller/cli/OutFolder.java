package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a run: made and tried before anything starts.
 *
 * @param path where the run goes
 * @param usual whether it is one of {@code runs/}, where {@code latest} points to the last
 */
record OutFolder(Path path, boolean usual) {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String LATEST = "latest";

    /**
     * Makes the folder.
     *
     * @param wanted from {@code --out}; {@code null}: {@code runs/NAME-UTCTIME}
     */
    static OutFolder prepare(@Nullable Path wanted, Path runs, String name, Instant now)
            throws UsageException {
        Path path = wanted == null ? free(runs.resolve(name + "-" + TIME.format(now))) : wanted;
        try {
            if (Files.exists(path) && !Files.isDirectory(path)) {
                throw new UsageException("--out wanted a folder, found the file " + path + "; choose another name");
            }
            Files.createDirectories(path);
            if (!isEmpty(path)) {
                throw new UsageException("--out wanted a new or empty folder, found " + path
                        + " with files in it; choose another one, so that no run is mixed with an earlier one");
            }
            Files.delete(Files.createTempFile(path, ".write", null));
            return new OutFolder(path, wanted == null);
        } catch (IOException e) {
            throw new UsageException("wanted to write to the folder " + path + ", found: " + reason(e)
                    + "; choose another one with --out");
        }
    }

    private static String reason(IOException e) {
        return e instanceof java.nio.file.AccessDeniedException ? "permission denied" : e.toString();
    }

    private static Path free(Path path) {
        Path free = path;
        for (int i = 2; Files.exists(free); i++) {
            free = path.resolveSibling(path.getFileName() + "-" + i);
        }
        return free;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            return !files.iterator().hasNext();
        }
    }

    /** Points {@code latest} to this run, or removes the folder if the run left nothing in it. */
    void finish(Terminal terminal) {
        try {
            if (isEmpty(path)) {
                Files.delete(path);
                return;
            }
            if (!usual) {
                return;
            }
            Path latest = path.resolveSibling(LATEST);
            if (Files.exists(latest) && !Files.isSymbolicLink(latest)) {
                terminal.err().println("warning: " + latest + " is no link and was left alone");
                return;
            }
            Path fresh = path.resolveSibling("." + path.getFileName() + ".link");
            Files.createSymbolicLink(fresh, path.getFileName());
            Files.move(fresh, latest, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | UnsupportedOperationException e) {
            terminal.err().println("warning: could not point " + LATEST + " to " + path + ": " + e);
        }
    }

    /** Gives the path to show: by {@code latest} where that is it. */
    Path shown() {
        Path latest = path.resolveSibling(LATEST);
        try {
            if (usual && Files.isSymbolicLink(latest) && Files.isSameFile(latest, path)) {
                return latest;
            }
        } catch (IOException e) {
            return path;
        }
        return path;
    }
}
