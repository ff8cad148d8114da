package org.diperf.core.folder;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes files of which a reader finds the old one or the whole new one, never a part: the new one is written next to it, forced
 * to the disk and renamed. Where the disk is full or fails, the old one stays. The rename itself is durable after {@link
 * DurableFiles#names}.
 */
public final class AtomicFile {

    private static final int BUFFER = 1 << 16;
    private static final int MAX_LINKS = 40;
    /** This process's open files, on Linux. */
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Writes the contents of a file. */
    @FunctionalInterface
    public interface Content {
        /** @param out need not be closed */
        void writeTo(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /** Writes a text, in UTF-8. */
    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes. */
    public static void write(Path file, byte[] bytes) throws IOException {
        write(file, out -> out.write(bytes));
    }

    /**
     * Writes what comes. A link of this name is replaced and not followed, as it may lead out of the folder.
     *
     * @throws FileSystemException when it cannot be written: it names the file and the reason
     */
    public static void write(Path file, Content content) throws IOException {
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !PlainFile.is(file) && !Files.isSymbolicLink(file)) {
                throw new FileSystemException(file.toString(), null, "it is there, and no regular file");
            }
            replace(file, content, null);
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    /**
     * Writes to a file that the user named. Where it is a link, that stays, and what it leads to is replaced, with the mode that it had;
     * what is no regular file, such as a pipe or standard output, is written to as it is.
     *
     * @throws FileSystemException when it cannot be written: it names the file and the reason
     */
    public static void writeThrough(Path file, Content content) throws IOException {
        try {
            Path place = file;
            for (int links = 0; Files.isSymbolicLink(place) && !isDescriptor(place); links++) {
                if (links == MAX_LINKS) {
                    throw new FileSystemException(file.toString(), null, "too many links");
                }
                place = place.resolveSibling(Files.readSymbolicLink(place));
            }
            if (Files.exists(place) && (!Files.isRegularFile(place) || isDescriptor(place))) {
                try (OutputStream out = new BufferedOutputStream(open(place), BUFFER)) {
                    content.writeTo(out);
                }
            } else {
                PosixFileAttributeView old =
                        Files.exists(place) ? Files.getFileAttributeView(place, PosixFileAttributeView.class) : null;
                replace(
                        place,
                        content,
                        old == null ? null : old.readAttributes().permissions());
            }
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    private static void replace(Path place, Content content, @Nullable Set<PosixFilePermission> mode)
            throws IOException {
        // A name that nobody has: a file of the user next to it stays.
        Path draft = place.resolveSibling(place.getFileName() + "."
                + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".new");
        boolean replaced = false;
        try {
            try (OutputStream out = new BufferedOutputStream(
                    Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), BUFFER)) {
                if (mode != null) {
                    Files.setPosixFilePermissions(draft, mode);
                }
                content.writeTo(out);
            }
            DurableFiles.contents(draft);
            Files.move(draft, place, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            replaced = true;
        } finally {
            if (!replaced) {
                remove(draft);
            }
        }
    }

    /** Returns whether this is a name of an open file of this process, as /dev/stdout leads to: another file in its place would not be it. */
    private static boolean isDescriptor(Path place) throws IOException {
        Path folder = place.toAbsolutePath().getParent();
        return folder != null
                && Files.isDirectory(folder)
                && Files.isDirectory(DESCRIPTORS)
                && folder.toRealPath().equals(DESCRIPTORS.toRealPath());
    }

    private static OutputStream open(Path place) throws IOException {
        String name = isDescriptor(place) ? place.getFileName().toString() : "";
        return switch (name) {
            case "1" -> new StandardOutput(FileDescriptor.out);
            case "2" -> new StandardOutput(FileDescriptor.err);
            default -> Files.newOutputStream(place, StandardOpenOption.WRITE);
        };
    }

    /** Stays open for all that follows. */
    private static final class StandardOutput extends FileOutputStream {
        StandardOutput(FileDescriptor descriptor) {
            super(descriptor);
        }

        @Override
        public void close() {}
    }

    private static FileSystemException named(Path file, IOException cause) {
        FileSystemException named = new FileSystemException(file.toString(), null, DiskFailure.reason(cause));
        named.initCause(cause);
        return named;
    }

    private static void remove(Path draft) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            // Why it could not be written is what matters; nothing takes it for a file of the run.
        }
    }
}
