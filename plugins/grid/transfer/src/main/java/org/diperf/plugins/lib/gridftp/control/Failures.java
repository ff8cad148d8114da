package org.diperf.plugins.lib.gridftp.control;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;

/** Says in a few words, the same for equal causes, why a transfer failed, and whose fault it was. */
public final class Failures {

    /** Parts of what a disk of the tester says of a file, in lower case, and the words for each. */
    private static final List<Map.Entry<String, String>> OF_FILES = List.of(
            Map.entry("permission denied", "permission denied"),
            Map.entry("no such file or directory", "not there"),
            Map.entry("not a directory", "not a folder"),
            Map.entry("is a directory", "a folder, where a file is expected"),
            Map.entry("read-only file system", "read-only file system"),
            Map.entry("file name too long", "name too long"),
            Map.entry("file too large", "larger than its disk allows"),
            Map.entry("disk quota exceeded", "disk quota exceeded"),
            Map.entry("input/output error", "input/output error"),
            // In Netty's words, of a file that is sent.
            Map.entry("underlying file size", "truncated after it was opened"));

    private Failures() {}

    /** Names what went wrong with a server, or with a connection to it. */
    public static Failure of(Throwable thrown) {
        if (thrown instanceof ReplyReader.MalformedReplyException || thrown instanceof DataTransferException) {
            return Failure.ofService(String.valueOf(thrown.getMessage()));
        }
        return org.diperf.plugins.lib.netty.Failures.of(thrown);
    }

    /** As {@link #ofLocalFile(Throwable, String)}, of a file that the experiment does not name. */
    public static Failure ofLocalFile(Throwable thrown) {
        return ofLocalFile(thrown, "");
    }

    /**
     * Says what went wrong with a file of the tester: its disk is full, which is the generator's fault, or it is not as the experiment
     * wants it.
     *
     * @param thrown by what opened, read or wrote it
     * @param name as the experiment has it, with its key, such as {@code sink /data/out}, so that equal causes have equal words;
     *     empty where it has none
     */
    public static Failure ofLocalFile(Throwable thrown, String name) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        Optional<String> words = ofFile(cause);
        Failure why = words.isPresent() ? Failure.ofExperiment(words.get()) : of(cause);
        return why.fault() == Fault.GENERATOR
                ? why.in("local file")
                : Failure.ofExperiment("local file: " + (name.isEmpty() ? "" : name + ": ") + why.kind());
    }

    /** Returns whether a disk said this, and not a connection. */
    public static boolean isOfFile(Throwable thrown) {
        return ofFile(thrown).isPresent();
    }

    private static Optional<String> ofFile(Throwable thrown) {
        if (thrown instanceof NoSuchFileException) {
            return Optional.of("not there");
        }
        if (thrown instanceof AccessDeniedException) {
            return Optional.of("permission denied");
        }
        if (thrown instanceof NotDirectoryException || thrown instanceof FileAlreadyExistsException) {
            return Optional.of("not a folder"); // no other file is to be new
        }
        String message = String.valueOf(thrown instanceof FileSystemException of ? of.getReason() : thrown.getMessage())
                .toLowerCase(Locale.ROOT);
        return OF_FILES.stream()
                .filter(sign -> message.contains(sign.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
