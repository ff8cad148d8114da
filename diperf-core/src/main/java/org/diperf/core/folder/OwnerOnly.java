package org.diperf.core.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The modes of what nobody but its owner may read: keys, tickets, spools, temporary folders. */
public final class OwnerOnly {

    /** For files that are made. */
    public static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** For folders that are made. */
    public static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private OwnerOnly() {}

    /**
     * Writes a file that must not exist yet.
     *
     * @return the file
     */
    public static Path write(Path file, String text) throws IOException {
        Files.createFile(file, FILE);
        return Files.writeString(file, text);
    }

    /** Returns whether this is a folder, and no link to one, with the mode of {@link #FOLDER}. */
    public static boolean isFolder(Path path) throws IOException {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                        .equals(FOLDER.value());
    }
}
