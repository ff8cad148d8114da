package org.diperf.core.folder;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    /**
     * Copies a file, or a folder with all in it, into a run's folder. What is there by the same name is replaced.
     *
     * @param folder that exists
     * @param path within the folder
     * @throws IOException also where the path leads out of the folder
     */
    public static void put(Path from, Path folder, String path) throws IOException {
        Path to = folder.resolve(path).normalize();
        if (!to.startsWith(folder)) {
            throw new IOException("Expected a path within the run's folder, got '" + path + "'");
        }
        Files.createDirectories(requireNonNull(to.getParent()));
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.toList();
        }
        for (Path each : all) {
            Path copy = to.resolve(from.relativize(each).toString());
            if (!Files.isDirectory(each) || !Files.isDirectory(copy)) {
                Files.copy(each, copy, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Deletes the folder and all in it; of a link the link alone; nothing where there is no such folder. */
    public static void delete(Path folder) throws IOException {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            for (Path each : deepestFirst(folder)) {
                Files.deleteIfExists(each);
            }
        }
    }
}
