package org.diperf.plugins.lib.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** A program that could not be started; the message is a failure kind. */
public final class CannotStartException extends IOException {

    // By their numbers, which are the same on Linux and macOS except for EAGAIN.
    private static final Map<Integer, String> ERRORS = Map.of(
            2, "no such file",
            7, "too many or too long arguments",
            8, "not an executable",
            11, "too many processes",
            12, "not enough memory",
            13, "permission denied",
            20, "no such folder",
            24, "too many open files");

    private static final int NO_FILE = 2;
    private static final int ACCESS = 13;

    private CannotStartException(String message) {
        super(message);
    }

    /** Makes one with a message such as {@code cannot start curlx: no such file}. */
    static CannotStartException of(Program program, String reason) {
        return new CannotStartException("cannot start " + program.command().get(0) + ": " + reason);
    }

    /**
     * Makes one for an error of the system.
     *
     * @param error its number, errno
     * @param words for an error that is not known here
     */
    static CannotStartException of(Program program, int error, String words) {
        int told = error == ACCESS && isNowhere(program.command().get(0)) ? NO_FILE : error;
        return of(program, ERRORS.getOrDefault(told, words));
    }

    /**
     * Says whether a name without a path is in no folder of the PATH. The system says "permission denied" for such a
     * name as soon as it may not look into one of these folders.
     */
    private static boolean isNowhere(String name) {
        String path = System.getenv("PATH");
        return !name.contains("/")
                && path != null
                && Arrays.stream(path.split(":"))
                        .noneMatch(folder -> Files.exists(Path.of(folder.isEmpty() ? "." : folder, name)));
    }
}
