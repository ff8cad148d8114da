package org.diperf.core.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A machine of the testbed on which the controller runs programs other than testers. Used by one thread at a time. */
public interface Host {

    /** Returns its name in the experiment file. */
    String name();

    /** Returns whether it is in a network that the controller is not in, so that only itself can tell what answers there. */
    default boolean hasOwnNetwork() {
        return false;
    }

    /** Returns this run's folder there, in which programs start; made on first use, removed at the end. */
    String folder() throws IOException;

    /**
     * Copies a file, or a folder with its contents, into {@link #folder}, with permissions.
     *
     * @param path destination, relative to the folder
     */
    void put(Path local, String path) throws IOException;

    /**
     * Starts a POSIX shell command in {@link #folder}, in its own process group.
     *
     * @param environment added to the environment of a log-in there
     * @throws IOException if it cannot be started
     */
    Execution start(String command, Map<String, String> environment) throws IOException;

    /** A command running on a host. Thread-safe. */
    interface Execution {

        /** Returns whether it has ended; asks the host if necessary. */
        boolean ended() throws IOException;

        /**
         * Returns its exit code; 128 plus the signal number if a signal ended it.
         *
         * @throws IllegalStateException if it has not ended
         */
        int exitCode();

        /** Returns the last lines of its standard output and error, for people. */
        String lastWords();

        /**
         * Returns whether it has written a text to its standard output or error, however much it wrote after it; asks the host if
         * necessary. By default only {@link #lastWords} are looked at.
         */
        default boolean hasWritten(String text) throws IOException {
            return lastWords().contains(text);
        }

        /** Ends it and everything it started: SIGTERM, then SIGKILL after the grace period. Idempotent. */
        void end(long graceNanos) throws IOException;
    }
}
