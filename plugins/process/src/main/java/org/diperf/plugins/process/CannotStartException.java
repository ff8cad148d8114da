package org.diperf.plugins.process;

import java.io.IOException;
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
        return of(program, ERRORS.getOrDefault(error, words));
    }
}
