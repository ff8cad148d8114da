package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.diperf.core.folder.FolderTree;

/**
 * What a process forces below a folder, by a library that is loaded before all others ({@code disk.c}): it fails on order, and
 * remembers what a failure of the machine would leave. The files themselves are real ones.
 */
final class FailingDisk {

    private static final String NAMES = ".names";

    private final Path library;
    private final Path root;
    private final Path notes;
    private final Path held;

    /** What can happen to a force. */
    enum Order {
        /** It fails, and the system takes what was not forced for clean. */
        FAIL,
        /** The process is killed before it. */
        BEFORE,
        /** The process is killed after it. */
        AFTER
    }

    /**
     * @param library from {@link #library}
     * @param root the folder, which need not be there yet
     * @param notes an empty folder on any disk
     */
    FailingDisk(Path library, Path root, Path notes) throws IOException {
        this.library = library;
        this.root = Objects.requireNonNull(root.getParent()).toRealPath().resolve(root.getFileName());
        this.notes = notes;
        this.held = Files.createDirectory(this.root.resolveSibling("held"));
    }

    /** Compiles the library. */
    static Path library(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("disk.c");
        try (InputStream packed = FailingDisk.class.getResourceAsStream("/disk.c")) {
            Files.copy(Objects.requireNonNull(packed), source);
        }
        Path library = folder.resolve("disk.so");
        try (Command cc = Command.start(
                folder, List.of("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl"))) {
            if (cc.exitCode() != 0) {
                throw new IllegalStateException("disk.c does not compile:\n" + cc.output());
            }
        }
        return library;
    }

    /** Returns the words before a command whose process has this disk. */
    List<String> command() {
        return List.of("env", "LD_PRELOAD=" + library, "DISK_ROOT=" + root, "DISK_NOTES=" + notes, "DISK_HELD=" + held);
    }

    /**
     * Orders something for a force to come.
     *
     * @param where only forces count whose path has this in it
     * @param after so many of them
     * @param millis that the disk takes before
     */
    void order(Order order, String where, int after, int millis) throws IOException {
        Path draft = notes.resolve("order.draft");
        Files.writeString(
                draft, order.name().toLowerCase(Locale.ROOT) + " " + after + " " + millis + " " + where + "\n");
        Files.move(draft, notes.resolve("order"));
    }

    /** Lists what was done on order: what, and where below the folder. */
    List<String> done() throws IOException {
        Path done = notes.resolve("done");
        return Files.exists(done) ? Files.readAllLines(done) : List.of();
    }

    /** Copies what is durable of the files in a folder. */
    void copyDurable(String folder, Path to) throws IOException {
        for (Map.Entry<String, String> each : durableNames(folder).entrySet()) {
            Path kept = notes.resolve(each.getValue());
            if (Files.exists(kept)) {
                Files.copy(kept, to.resolve(each.getKey()));
            }
        }
    }

    /**
     * Leaves in the folder what a failure of the machine may: what was forced, and any part of what came later, as is drawn. No
     * process has anything in it open.
     *
     * @return how many bytes are gone
     */
    long cutPower(Random random) throws IOException {
        long before = bytes(root);
        Path image = root.resolveSibling("image");
        leave("", root, image, random);
        Path old = Files.move(root, root.resolveSibling("old"));
        Files.move(image, root);
        FolderTree.delete(old);
        FolderTree.delete(held);
        Files.createDirectory(held);
        try (Stream<Path> all = Files.list(notes)) {
            for (Path each : all.filter(path -> !path.endsWith("done")).toList()) {
                Files.delete(each);
            }
        }
        noteAll("", root);
        return before - bytes(root);
    }

    private static long bytes(Path folder) throws IOException {
        long bytes = 0;
        for (Path each : FolderTree.deepestFirst(folder)) {
            bytes += Files.isRegularFile(each) ? Files.size(each) : 0;
        }
        return bytes;
    }

    private static String inode(Path path) throws IOException {
        return String.valueOf(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS));
    }

    private Path namesOf(String folder) {
        return notes.resolve(folder.replace('/', '+') + NAMES);
    }

    /** Returns the inodes of a folder by the names that are durable. */
    private Map<String, String> durableNames(String folder) throws IOException {
        Map<String, String> names = new HashMap<>();
        if (Files.exists(namesOf(folder))) {
            for (String line : Files.readAllLines(namesOf(folder))) {
                names.put(line.substring(line.indexOf(' ') + 1), line.substring(0, line.indexOf(' ')));
            }
        }
        return names;
    }

    private static Map<String, String> names(Path folder) throws IOException {
        Map<String, String> names = new HashMap<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                names.put(each.getFileName().toString(), inode(each));
            }
        }
        return names;
    }

    /** Leaves a folder, with its names as they were forced or as they are, whichever is drawn. */
    private void leave(String name, Path now, Path image, Random random) throws IOException {
        Files.createDirectory(image, PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(now)));
        Map<String, String> present = names(now);
        Map<String, Path> files = new HashMap<>();
        for (Map.Entry<String, String> each : present.entrySet()) {
            files.put(each.getValue(), now.resolve(each.getKey()));
        }
        Map<String, String> left = random.nextBoolean() ? durableNames(name) : present;
        for (Map.Entry<String, String> each : left.entrySet()) {
            String path = name.isEmpty() ? each.getKey() : name + "/" + each.getKey();
            Path to = image.resolve(each.getKey());
            Path link = held.resolve(each.getValue());
            Path file = Files.exists(link) ? link : files.get(each.getValue());
            if (file != null && Files.isDirectory(file)) {
                leave(path, file, to, random);
            } else if (file != null) {
                Files.createFile(to, PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(file)));
                Files.write(to, contents(each.getValue(), Files.readAllBytes(file), random));
            }
        }
    }

    /** Returns what is left of a file, of which this is what processes saw. */
    private byte[] contents(String inode, byte[] seen, Random random) throws IOException {
        Path kept = notes.resolve(inode);
        byte[] durable = Files.exists(kept) ? Files.readAllBytes(kept) : new byte[0];
        if (Files.exists(notes.resolve(inode + ".dropped"))) {
            return durable;
        }
        boolean hasGrown =
                seen.length >= durable.length && Arrays.equals(seen, 0, durable.length, durable, 0, durable.length);
        if (!hasGrown) {
            return random.nextBoolean() ? durable : seen;
        }
        int more = seen.length - durable.length;
        return Arrays.copyOf(seen, durable.length + (random.nextBoolean() ? 0 : random.nextInt(more + 1)));
    }

    /** Notes that all that was left is durable. */
    private void noteAll(String name, Path folder) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> each : names(folder).entrySet()) {
            Path path = folder.resolve(each.getKey());
            lines.append(each.getValue()).append(' ').append(each.getKey()).append('\n');
            if (Files.isDirectory(path)) {
                noteAll(name.isEmpty() ? each.getKey() : name + "/" + each.getKey(), path);
            } else {
                Files.copy(path, notes.resolve(each.getValue()));
                Files.createLink(held.resolve(each.getValue()), path);
            }
        }
        Files.writeString(namesOf(name), lines);
    }
}
