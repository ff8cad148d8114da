package org.diperf.controller.testbed;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.diperf.core.folder.OwnerOnlyFiles;
import org.diperf.core.folder.ScratchFolder;

/**
 * Keeps the tester's jar, and the archives of classes made for it, in a folder of this user alone: {@code
 * $XDG_CACHE_HOME/diperf}, or {@code ~/.cache/diperf}. A JVM takes an archive only for the very jar that it was made
 * with, at the same path, so the jar has to stay. What is kept is named by the jar's digest; a folder that somebody
 * else owns or may write to is not used. Stateless.
 */
public final class TesterCache {

    private static final String JAR = "diperf-tester.jar";
    /** Digits of its digest that name a tester: enough that no two are mixed up. */
    private static final int NAME_DIGITS = 32;

    private static final Duration UNUSED = Duration.ofDays(30);

    private TesterCache() {}

    /**
     * Returns the kept copy of a tester's jar, made now where there is none.
     *
     * @param mine a folder that this user has made, to compare owners with
     * @return empty where nothing can be kept
     */
    public static Optional<Path> jar(EmbeddedTesterJar carried, Path mine) {
        return jar(carried, mine, home());
    }

    static Optional<Path> jar(EmbeddedTesterJar carried, Path mine, Optional<Path> home) {
        try {
            if (home.isEmpty()) {
                return Optional.empty();
            }
            Path folder = home.get()
                    .resolve(carried.sha256()
                            .substring(0, Math.min(NAME_DIGITS, carried.sha256().length())));
            if (!isPrivate(home.get(), mine) || !isPrivate(folder, mine)) {
                return Optional.empty();
            }
            Path jar = folder.resolve(JAR);
            if (!Files.exists(jar) || Files.size(jar) != carried.size()) {
                make(carried, jar);
                forgetUnused(home.get());
            }
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
            return Optional.of(jar);
        } catch (IOException | UnsupportedOperationException e) {
            // A full disk or a home that cannot be written to only makes the start slower.
            return Optional.empty();
        }
    }

    static Optional<Path> home() {
        String caches = System.getenv("XDG_CACHE_HOME");
        Path folder = caches == null || caches.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(caches);
        return folder.isAbsolute() ? Optional.of(folder.resolve("diperf")) : Optional.empty();
    }

    /** Makes the folder where it is missing; says whether it is this user's and nobody else's. */
    static boolean isPrivate(Path folder, Path mine) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder.getParent());
            try {
                Files.createDirectory(folder, OwnerOnlyFiles.FOLDER);
            } catch (FileAlreadyExistsException e) {
                // Another controller of this user was quicker.
            }
        }
        return OwnerOnlyFiles.isFolder(folder) && Files.getOwner(folder).equals(Files.getOwner(mine));
    }

    private static void make(EmbeddedTesterJar carried, Path jar) throws IOException {
        Path draft = Files.createTempFile(jar.getParent(), "new-", ".jar");
        try {
            carried.writeTo(draft);
            Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static void forgetUnused(Path home) throws IOException {
        Instant before = Instant.now().minus(UNUSED);
        List<Path> versions;
        try (Stream<Path> all = Files.list(home)) {
            versions = all.toList();
        }
        for (Path version : versions) {
            if (Files.getLastModifiedTime(version).toInstant().isBefore(before)) {
                new ScratchFolder(version).close();
            }
        }
    }
}
