package org.diperf.core.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A folder that only its owner can read and that goes, with all in it, when it is closed.
 *
 * @param path where it is
 */
public record ScratchFolder(Path path) implements AutoCloseable {

    private static final AtomicBoolean CLEANED = new AtomicBoolean();
    /** By path, of the temporary ones of this process. */
    private static final Map<Path, FolderLock> IN_USE = new ConcurrentHashMap<>();

    /**
     * Makes one where the system keeps temporary files. The first time, those of processes that were killed are removed
     * meanwhile.
     */
    public static ScratchFolder temporary() throws IOException {
        Path path = Files.createTempDirectory(AbandonedFolders.PREFIX, OwnerOnlyFiles.FOLDER);
        IN_USE.put(path, FolderLock.take(path));
        if (CLEANED.compareAndSet(false, true)) {
            AbandonedFolders.removeLater();
        }
        return new ScratchFolder(path);
    }

    /** Makes one at a path that does not exist yet. */
    public static ScratchFolder at(Path path) throws IOException {
        return new ScratchFolder(Files.createDirectory(path, OwnerOnlyFiles.FOLDER));
    }

    @Override
    public void close() throws IOException {
        FolderLock held = IN_USE.remove(path);
        if (held != null) {
            held.close();
        }
        FolderTree.delete(path);
    }
}
