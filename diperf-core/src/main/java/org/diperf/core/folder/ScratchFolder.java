package org.diperf.core.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A folder that only its owner can read and that goes, with all in it, when it is closed.
 *
 * @param path where it is
 */
public record ScratchFolder(Path path) implements AutoCloseable {

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final AtomicBoolean CLEANED = new AtomicBoolean();
    /** By path, of the temporary ones of this process. */
    private static final Map<Path, FolderInUse> IN_USE = new ConcurrentHashMap<>();

    /**
     * Makes one where the system keeps temporary files. The first time, those of processes that were killed are removed
     * meanwhile.
     */
    public static ScratchFolder temporary() throws IOException {
        Path path = Files.createTempDirectory(Abandoned.PREFIX, OWNER_ONLY);
        IN_USE.put(path, FolderInUse.take(path));
        if (CLEANED.compareAndSet(false, true)) {
            Abandoned.removeLater();
        }
        return new ScratchFolder(path);
    }

    /** Makes one at a path that does not exist yet. */
    public static ScratchFolder at(Path path) throws IOException {
        return new ScratchFolder(Files.createDirectory(path, OWNER_ONLY));
    }

    @Override
    public void close() throws IOException {
        FolderInUse held = IN_USE.remove(path);
        if (held != null) {
            held.close();
        }
        if (!Files.exists(path)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(path)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : deepestFirst) {
            Files.deleteIfExists(each);
        }
    }
}
