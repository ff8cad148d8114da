package org.diperf.core.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A machine of the testbed on which the controller runs programs that are no testers. Used by one thread at a time. */
public interface Host {

    /** Names it as the file does. */
    String name();

    /** Gives the folder of this run there, in which programs start; made when it is first asked for, removed at the end. */
    String folder() throws IOException;

    /**
     * Copies a file or a folder with all in it into {@link #folder}, with its permissions.
     *
     * @param path relative, where it is to be
     */
    void put(Path local, String path) throws IOException;

    /**
     * Starts a command of the POSIX shell in {@link #folder}, in a process group of its own.
     *
     * @param environment added to what a log-in there has
     * @throws IOException when it cannot be started
     */
    Execution start(String command, Map<String, String> environment) throws IOException;

    /** A command under way on a host. Thread-safe. */
    interface Execution {

        /** Says whether it has ended; asks the host where need be. */
        boolean ended() throws IOException;

        /**
         * Gives its exit code, 128 and the signal's number for one that a signal ended.
         *
         * @throws IllegalStateException when it has not ended
         */
        int exitCode();

        /** Gives the last lines that it wrote to its standard output and error, for people. */
        String lastWords();

        /** Ends it and all that it started: asks (SIGTERM), and after the grace forces (SIGKILL). Idempotent. */
        void end(long graceNanos) throws IOException;
    }
}
