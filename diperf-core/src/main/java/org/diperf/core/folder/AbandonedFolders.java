package org.diperf.core.folder;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * Folders for temporary files whose process was killed: nobody removes them but the next process of the same kind and user.
 * One goes when its name and mode are those that DiPerF gives, it is the user's, its {@link FolderLock} is free, and so
 * is that of each folder in it; a folder in which samples were left stays.
 */
public final class AbandonedFolders {

    /** Begin of the names of all of them. */
    public static final String PREFIX = "diperf-";

    /** Between the making of a folder and that of its lock may pass some time. */
    private static final long YOUNG_MILLIS = 60_000;

    private AbandonedFolders() {}

    /** Removes those below the system's folder for temporary files, on a thread of its own that holds up nobody. */
    public static void removeLater() {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        Thread thread = new Thread(
                () -> {
                    try {
                        remove(parent, (long) (WallClock.SYSTEM.unixSeconds() * 1e3));
                    } catch (IOException e) {
                        // The next process tries again.
                    }
                },
                "diperf-abandoned");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Removes those in a folder.
     *
     * @param nowMillis of the wall clock, since 1970
     * @return what was removed
     */
    static List<Path> remove(Path parent, long nowMillis) throws IOException {
        List<Path> removed = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : found) {
                try {
                    if (isOurs(folder) && isRemoved(folder, nowMillis)) {
                        removed.add(folder);
                    }
                } catch (IOException e) {
                    // Somebody else is at it, or it holds what cannot be removed.
                }
            }
        }
        return removed;
    }

    private static boolean isOurs(Path folder) throws IOException {
        return OwnerOnlyFiles.isFolder(folder)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName().equals(System.getProperty("user.name"));
    }

    private static boolean isRemoved(Path folder, long nowMillis) throws IOException {
        List<FolderLock> taken = new ArrayList<>();
        try {
            List<Path> all = FolderTree.deepestFirst(folder);
            for (Path each : all) {
                boolean isLock = each.endsWith(FolderLock.FILE);
                boolean isYoung =
                        isLock && nowMillis - Files.getLastModifiedTime(each).toMillis() < YOUNG_MILLIS;
                FolderLock free = isLock && !isYoung ? takeOver(each) : null;
                if (free != null) {
                    taken.add(free);
                }
                if (isLock && free == null || each.toString().endsWith(".spool")) {
                    return false;
                }
            }
            if (!Files.exists(folder.resolve(FolderLock.FILE), LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            for (Path each : all) {
                Files.deleteIfExists(each);
            }
            return true;
        } finally {
            for (FolderLock each : taken) {
                each.close();
            }
        }
    }

    private static @Nullable FolderLock takeOver(Path lock) throws NoSuchFileException {
        Path folder = lock.getParent();
        if (folder == null) {
            throw new NoSuchFileException(lock.toString());
        }
        return FolderLock.takeOver(folder);
    }
}
