package org.diperf.controller.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the commands read from and write to.
 *
 * @param in standard input
 * @param out for results
 * @param err for errors
 * @param asks whether somebody can answer a question
 * @param redraws whether a line may be drawn again
 * @param colour whether colours are wanted and understood
 * @param columns width of a line
 */
record Terminal(
        InputStream in, PrintStream out, PrintStream err, boolean asks, boolean redraws, boolean colour, int columns) {

    private static final int USUAL_COLUMNS = 100;

    /** Gives one that is no terminal, such as a file or a test. */
    static Terminal plain(InputStream in, PrintStream out, PrintStream err) {
        return new Terminal(in, out, err, false, false, false, USUAL_COLUMNS);
    }

    /** Gives that of this process. Text is UTF-8 whatever the locale says: under {@code LC_ALL=C} Java 17 writes ASCII. */
    static Terminal ofThisProcess(Function<String, @Nullable String> environment) {
        boolean terminal = isTerminal(1);
        boolean smart = terminal && !"dumb".equals(environment.apply("TERM"));
        String noColour = environment.apply("NO_COLOR");
        return new Terminal(
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                terminal && isTerminal(0),
                smart,
                smart && (noColour == null || noColour.isEmpty()),
                smart ? width(environment.apply("COLUMNS")) : USUAL_COLUMNS);
    }

    /** Looks at one descriptor alone; {@code System.console()} wants both and answers differently from Java 22 on. */
    private static boolean isTerminal(int descriptor) {
        try {
            String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException noSuchSystem) {
            return System.console() != null;
        }
    }

    private static int width(@Nullable String columns) {
        if (columns != null && columns.matches("[1-9][0-9]{1,3}")) {
            return Integer.parseInt(columns);
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (stty.waitFor(1, TimeUnit.SECONDS)) {
                String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                        .strip()
                        .split(" ");
                return size.length == 2 && size[1].matches("[1-9][0-9]{1,3}")
                        ? Integer.parseInt(size[1])
                        : USUAL_COLUMNS;
            }
            stty.destroy();
        } catch (IOException noStty) {
            return USUAL_COLUMNS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return USUAL_COLUMNS;
    }
}
