package org.diperf.core.folder;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes files of which a reader finds the old one or the whole new one, never a part: the new one is written next to it, forced
 * to the disk and renamed. Where the disk is full or fails, the old one stays. The rename itself is durable after {@link
 * Durable#names}. What is no regular file, such as a pipe, is written to as it is.
 */
public final class AtomicFile {

    private static final int BUFFER = 1 << 16;
    private static final String DRAFT = ".new";

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
     * Writes what comes.
     *
     * @throws FileSystemException when it cannot be written: it names the file and the reason
     */
    public static void write(Path file, Content content) throws IOException {
        Path place = Files.exists(file) ? file.toRealPath() : file;
        if (Files.exists(place) && !Files.isRegularFile(place)) {
            try (OutputStream out =
                    new BufferedOutputStream(Files.newOutputStream(place, StandardOpenOption.WRITE), BUFFER)) {
                content.writeTo(out);
            }
            return;
        }
        Path draft = place.resolveSibling(place.getFileName() + DRAFT);
        boolean replaced = false;
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft), BUFFER)) {
                content.writeTo(out);
            }
            DurableFiles.contents(draft);
            Files.move(draft, place, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            replaced = true;
        } catch (FileSystemException e) {
            throw named(file, e, e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
        } catch (IOException e) {
            throw named(file, e, String.valueOf(e.getMessage()));
        } finally {
            if (!replaced) {
                remove(draft);
            }
        }
    }

    private static FileSystemException named(Path file, IOException cause, String reason) {
        FileSystemException named = new FileSystemException(file.toString(), null, reason);
        named.initCause(cause);
        return named;
    }

    private static void remove(Path draft) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            // Why it could not be written is what matters; the next one overwrites it.
        }
    }
}
