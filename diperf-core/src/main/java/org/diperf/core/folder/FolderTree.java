package org.diperf.core.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder with all that is in it; links are not followed. */
public final class FolderTree {

    private FolderTree() {}

    /** Lists the folder and all in it, each before the folder that it is in. */
    public static List<Path> deepestFirst(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }

    /** Deletes the folder and all in it; nothing where there is no such folder. */
    public static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            for (Path each : deepestFirst(folder)) {
                Files.deleteIfExists(each);
            }
        }
    }
}
