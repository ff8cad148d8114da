package org.diperf.plugins.lib.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Text;

/** A program that could not be started: by the experiment's fault, which names it, or for want of something on this machine. */
public final class ProgramStartException extends FailedCallException {

    // By their numbers, which are the same on Linux and macOS except for EAGAIN.
    private static final Map<Integer, Failure> ERRORS = Map.of(
            2, Failure.ofExperiment("no such file"),
            7, Failure.ofExperiment("too many or too long arguments"),
            8, Failure.ofExperiment("not an executable"),
            11, Failure.ofGenerator("too many processes"),
            12, Failure.ofGenerator("not enough memory"),
            13, Failure.ofExperiment("permission denied"),
            20, Failure.ofExperiment("no such folder"),
            23, Failure.ofGenerator("too many open files"),
            24, Failure.ofGenerator("too many open files"));

    private static final int NO_FILE = 2;
    private static final int ACCESS = 13;

    private ProgramStartException(Failure failure) {
        super(failure);
    }

    /** Makes one with a message such as {@code cannot start curlx: no such file}. */
    static ProgramStartException of(Program program, Failure reason) {
        return new ProgramStartException(
                reason.in("cannot start " + program.command().get(0)));
    }

    /**
     * Makes one for an error of the system.
     *
     * @param error its number, errno
     * @param words for an error that is not known here, which is then this machine's
     */
    static ProgramStartException of(Program program, int error, String words) {
        int told = error == ACCESS && isNowhere(program.command().get(0)) ? NO_FILE : error;
        Failure known = ERRORS.get(told);
        return of(program, known == null ? Failure.ofGenerator(words) : known);
    }

    /**
     * Looks whether the program of a {@code command} is there, without starting it; one that changes from call to call is not looked for.
     *
     * @throws IOException where there is none, with what to do
     */
    public static void requireProgram(Text program) throws IOException {
        String name = program.isConstant() ? program.fixed() : "/";
        if (name.contains("/") ? !Files.exists(Path.of(name)) : isNowhere(name)) {
            throw new IOException("command: expected a program on the tester, got none named '" + name
                    + "'; install it there, or correct the command");
        }
    }

    /**
     * Returns whether a name without a path is in no folder of the PATH. The system says "permission denied" for such a
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
