package org.diperf.core.spi;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where a tester leaves samples that no controller took.
 *
 * @param tester its number
 * @param host the machine, as the testbed names it
 * @param path of the file there
 * @param copy the command by which a user copies the file to the current folder of the controller's machine
 */
public record SpoolLocation(int tester, String host, String path, String copy) {

    /**
     * Most bytes to take of a file that may be a tester's spool, which holds at most 64 MiB and a block, with a few bytes for each
     * block.
     */
    public static final long MAX_BYTES = 256 << 20;

    /**
     * Copies a tester's file from its machine.
     *
     * @param <E> what else may go wrong
     */
    @FunctionalInterface
    public interface Source<E extends Exception> {

        /**
         * Copies the file.
         *
         * @return whether there is one
         * @throws IOException when it does not come whole
         */
        boolean copy(OutputStream to) throws IOException, E;
    }

    public SpoolLocation {
        requireNonNull(host, "host");
        requireNonNull(path, "path");
        requireNonNull(copy, "copy");
        if (tester < 1) {
            throw new IllegalArgumentException("Expected a tester number of at least 1; got " + tester);
        }
    }

    /** Returns the name of the file of a tester. */
    public static String fileName(int tester) {
        return "tester-" + tester + ".spool";
    }

    /** Brings the file into a folder, as {@link Testbed#bring} is to: only its owner can read it, and it is there whole or not at all. */
    public <E extends Exception> void bring(Path into, Source<E> from) throws IOException, E {
        Path file = into.resolve(fileName(tester));
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            boolean found;
            try (OutputStream to = Files.newOutputStream(part)) {
                found = from.copy(to);
            }
            if (found) {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }

    @Override
    public String toString() {
        return "tester-" + tester + " on " + host + " in " + path;
    }
}
