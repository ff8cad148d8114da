package org.diperf.core.folder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a file could not be written, in words for the user: which file, on which disk, and what to do about that disk.
 *
 * @param kind what is wrong with the disk
 * @param found what was found, such as {@code the disk of /x/run, on /x (tmpfs), is full: No space left on device}
 */
public record DiskFailure(Kind kind, String found) {

    /** What the C library says of ENOSPC and EDQUOT. */
    private static final Set<String> FULL = Set.of("No space left on device", "Disk quota exceeded");
    /** What it says of EIO and EROFS: Linux mounts a file system read-only when its disk fails. */
    private static final Set<String> FAILING = Set.of("Input/output error", "Read-only file system");
    /** Where the words of the C library are in another language, a disk with less room than this is full. */
    private static final long MIN_BYTES = 1 << 16;

    /** What is wrong. */
    public enum Kind {
        /** There is no room. */
        FULL("make room"),
        /** It cannot be read or written. */
        FAILING("check the system log (dmesg) for messages about that disk and repair it"),
        /** Something other than the disk. */
        OTHER("fix that");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }
    }

    /**
     * Looks at a failure.
     *
     * @param path of the file or folder, where the failure does not name one; the empty one: nobody knows
     */
    public static DiskFailure of(Throwable failure, Path path) {
        String message = message(failure);
        FileSystemException named = named(failure);
        Path place = named == null || named.getFile() == null
                ? path
                : path.getFileSystem().getPath(named.getFile());
        Kind kind = kind(message);
        if (kind == Kind.OTHER && isOfFiles(failure) && room(place) < MIN_BYTES) {
            kind = Kind.FULL;
        }
        if (kind == Kind.OTHER) {
            return new DiskFailure(kind, message);
        }
        String reason = named == failure ? reason(failure) : message;
        String disk = place.toString().isEmpty() ? "a disk" : "the disk holding " + place + store(place);
        return new DiskFailure(kind, disk + (kind == Kind.FULL ? " is full: " : " fails: ") + reason);
    }

    /** Returns the failure, or, where it is of the disk and names no file, one of the given file or folder. */
    public static IOException naming(Path path, IOException failure) {
        FileSystemException named = named(failure);
        if (named != null && named.getFile() != null || !of(failure, path).isOfDisk()) {
            return failure;
        }
        FileSystemException naming = new FileSystemException(path.toString(), null, failure.getMessage());
        naming.initCause(failure);
        return naming;
    }

    /** Says what failed and why: the system's own message of a file often is no more than its name. */
    public static String message(Throwable failure) {
        return failure instanceof FileSystemException named && named.getReason() == null
                ? named.getFile() + ": " + reason(named)
                : String.valueOf(failure.getMessage());
    }

    /** Says why, without the name of the file. */
    public static String reason(Throwable failure) {
        if (!(failure instanceof FileSystemException named)) {
            return String.valueOf(failure.getMessage());
        }
        String reason = named.getReason();
        if (reason != null) {
            return reason;
        }
        if (named instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        return named instanceof AccessDeniedException
                ? "permission denied"
                : named.getClass().getSimpleName();
    }

    /** Returns whether it is the disk, and not something else, that failed. */
    public boolean isOfDisk() {
        return kind != Kind.OTHER;
    }

    /** Says what to do first, such as {@code make room}. */
    public String remedy() {
        return kind.remedy;
    }

    private static Kind kind(String message) {
        return FULL.stream().anyMatch(message::contains)
                ? Kind.FULL
                : FAILING.stream().anyMatch(message::contains) ? Kind.FAILING : Kind.OTHER;
    }

    private static boolean isOfFiles(Throwable failure) {
        return failure.getClass() == IOException.class
                || failure.getClass() == FileSystemException.class
                || failure instanceof UncheckedIOException;
    }

    private static @Nullable FileSystemException named(Throwable failure) {
        Throwable each = failure;
        while (each != null) {
            if (each instanceof FileSystemException named) {
                return named;
            }
            each = each.getCause();
        }
        return null;
    }

    private static @Nullable FileStore storeOf(Path path) {
        Path there = path.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return there == null ? null : Files.getFileStore(there);
        } catch (IOException e) {
            return null;
        }
    }

    private static long room(Path path) {
        FileStore store = storeOf(path);
        try {
            return store == null ? Long.MAX_VALUE : store.getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Returns where the disk is mounted and what it is, which the system's own words have: {@code /x (tmpfs)}. */
    private static String store(Path path) {
        FileStore store = storeOf(path);
        return store == null ? "" : ", on " + store + ",";
    }
}
