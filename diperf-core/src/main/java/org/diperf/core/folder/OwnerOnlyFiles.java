package org.diperf.core.folder;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The modes of what nobody but its owner may read: keys, tickets, spools, temporary folders. */
public final class OwnerOnlyFiles {

    /** For files that are made. */
    public static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** For folders that are made. */
    public static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private OwnerOnlyFiles() {}

    /**
     * Writes a file that must not exist yet. It has its name only when it is whole: whoever waits for it, such as for a
     * ticket, never reads a part of it.
     *
     * @return the file
     */
    public static Path write(Path file, String text) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        try {
            Files.createFile(part, FILE);
            Files.writeString(part, text);
            return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Returns whether this is a folder, and no link to one, with the mode of {@link #FOLDER}. */
    public static boolean isFolder(Path path) throws IOException {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                        .equals(FOLDER.value());
    }
}
