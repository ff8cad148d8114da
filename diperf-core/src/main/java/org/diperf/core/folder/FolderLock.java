package org.diperf.core.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says that a folder is in use, until it is closed or this process ends, however it ends: a lock on a file in it. Unlike a
 * process ID, the lock is also seen from another container, and is never somebody else's. Thread-safe.
 */
public final class FolderLock implements AutoCloseable {

    /** Name of the file. */
    public static final String FILE = ".in-use";

    /** What the file says, so that nobody else's file of this name is taken for it. */
    private static final byte[] MARK = "DiPerF: in use while this file is locked\n".getBytes(StandardCharsets.US_ASCII);

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

    /** Returns whether DiPerF has, or had, a folder in use, by what the file in it says. */
    public static boolean isMarked(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return PlainFile.is(file) && Arrays.equals(PlainFile.head(file, MARK.length), MARK);
    }

    /** Takes a folder whose user is gone; {@code null} where it is in use, or never was. */
    static @Nullable FolderLock takeOver(Path folder) {
        try {
            return isMarked(folder) ? lock(folder, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable FolderLock lock(Path folder, Set<? extends OpenOption> options) throws IOException {
        FileChannel channel = FileChannel.open(folder.resolve(FILE), options, OwnerOnlyFiles.FILE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                channel.write(ByteBuffer.wrap(MARK), 0);
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
