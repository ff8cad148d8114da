package org.diperf.core.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Makes files survive a failure of the machine. A file does so when its contents were forced to the disk, and also the
 * names in the folder that it is in; a renamed one when its contents were forced before.
 */
public final class DurableFiles {

    private DurableFiles() {}

    /** Forces the contents of a file to the disk. */
    public static void contents(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /**
     * Forces the names in a folder to the disk, where the file system can: Windows cannot open a folder, and some file systems
     * of networks and virtual machines refuse to force one.
     */
    public static void names(Path folder) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder, StandardOpenOption.READ);
        } catch (AccessDeniedException e) {
            if (Files.isDirectory(folder)) {
                return;
            }
            throw e;
        }
        try (channel) {
            channel.force(true);
        } catch (IOException e) {
            if (!refusesFolders(folder)) {
                throw e;
            }
        }
    }

    /**
     * Returns whether the file system forces files and no folders, as tried with fresh ones. What it says when it fails to is in
     * the user's language, and so no help.
     */
    private static boolean refusesFolders(Path folder) {
        try {
            Path fresh = Files.createTempDirectory(folder, ".diperf-");
            Path file = fresh.resolve("file");
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.READ)) {
                contents(Files.writeString(file, "forced"));
                return !isForced(channel);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(fresh);
            }
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isForced(FileChannel channel) {
        try {
            channel.force(true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes a folder, and the ones that it is in where they do not exist, with their names forced to the disk. */
    public static Path folder(Path folder) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder) && parent != null) {
            folder(parent);
            Files.createDirectories(folder);
            names(parent);
        }
        return folder;
    }

    /** Replaces a file by a draft next to it: at any instant, and after a failure at any instant, one of them is there whole. */
    public static void replace(Path draft, Path file) throws IOException {
        contents(draft);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            names(folder);
        }
    }
}
