package org.diperf.controller.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A folder that only its owner can read and that goes, with all in it, when it is closed.
 *
 * @param path where it is
 */
public record ScratchFolder(Path path) implements AutoCloseable {

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Makes one where the system keeps temporary files. */
    public static ScratchFolder temporary() throws IOException {
        return new ScratchFolder(Files.createTempDirectory("diperf-", OWNER_ONLY));
    }

    /** Makes one at a path that does not exist yet. */
    public static ScratchFolder at(Path path) throws IOException {
        return new ScratchFolder(Files.createDirectory(path, OWNER_ONLY));
    }

    @Override
    public void close() throws IOException {
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
