package org.diperf.core.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says that a folder is in use, until it is closed or this process ends, however it ends: a lock on a file in it. Unlike a
 * process ID, the lock is also seen from another container, and is never somebody else's. Thread-safe.
 */
public final class FolderLock implements AutoCloseable {

    /** Name of the file. */
    public static final String FILE = ".in-use";

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes a folder.
     *
     * @throws IOException when somebody else has it, or it cannot be written to
     */
    public static FolderLock take(Path folder) throws IOException {
        FolderLock taken = takeIfFree(folder);
        if (taken == null) {
            throw new IOException(
                    "Expected a folder that is not in use, got " + folder + ", which is used by another process");
        }
        return taken;
    }

    /**
     * Takes a folder; {@code null} where somebody else has it.
     *
     * @throws IOException when it cannot be written to
     */
    public static @Nullable FolderLock takeIfFree(Path folder) throws IOException {
        return lock(folder, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Returns whether somebody has a folder. Changes nothing, so that it may be one that others alone can write to; of a folder whose
     * file cannot be read nobody can tell, and then it says no.
     */
    public static boolean isTaken(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return channel.tryLock(0, Long.MAX_VALUE, true) == null;
        } catch (OverlappingFileLockException e) {
            // This process has it.
            return true;
        } catch (AccessDeniedException | NoSuchFileException e) {
            return false;
        }
    }

    /** Takes a folder whose user is gone; {@code null} where it is in use, or never was. */
    static @Nullable FolderLock takeOver(Path folder) {
        if (!Files.isRegularFile(folder.resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try {
            return lock(folder, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable FolderLock lock(Path folder, Set<? extends OpenOption> options) throws IOException {
        FileChannel channel = FileChannel.open(folder.resolve(FILE), options, OwnerOnlyFiles.FILE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new FolderLock(channel);
            }
        } catch (OverlappingFileLockException e) {
            // This process has it.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
