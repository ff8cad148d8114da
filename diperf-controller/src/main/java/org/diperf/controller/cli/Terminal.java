package org.diperf.controller.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.experiment.SecretMask;

/** What can be shown where the output goes. */
final class Terminal {

    private static final int USUAL_WIDTH = 80;

    private Terminal() {}

    /** Returns whether standard output is a terminal that can redraw a line. */
    static boolean redraws() {
        return isTerminal(1) && !"dumb".equals(System.getenv("TERM"));
    }

    /** Returns whether somebody sees standard output at once. */
    static boolean isOutput() {
        return isTerminal(1);
    }

    /** Returns whether a question on standard output would be answered on standard input. */
    static boolean answers() {
        return isTerminal(0) && isTerminal(1);
    }

    /** Returns whether colours are wanted; see no-color.org. */
    static boolean colours() {
        String noColour = System.getenv("NO_COLOR");
        return redraws() && (noColour == null || noColour.isEmpty());
    }

    /** Returns what standard output can take. */
    static TerminalFormat screen() {
        return new TerminalFormat(colours(), width());
    }

    /**
     * Returns how many characters a line of standard output has room for; where it is no terminal, as many as there are.
     */
    static int width() {
        if (!isTerminal(1)) {
            return Integer.MAX_VALUE;
        }
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(columns) : widthBySystem();
    }

    private static int widthBySystem() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return size.matches("[0-9]+ [1-9][0-9]{1,3}")
                    ? Integer.parseInt(size.replaceFirst(".* ", ""))
                    : USUAL_WIDTH;
        } catch (IOException e) {
            return USUAL_WIDTH;
        }
    }

    /**
     * Writes the path of a file so that it can be opened: on a terminal that understands links (OSC 8) as one, elsewhere,
     * such as in a log, as an absolute path.
     */
    static String path(Path file) {
        return colours() ? link(file) : file.toAbsolutePath().toString();
    }

    /** Writes the path as a link to the file. */
    static String link(Path file) {
        String end = SecretMask.ESCAPE + "\\";
        return SecretMask.ESCAPE + "]8;;" + file.toAbsolutePath().toUri() + end + file + SecretMask.ESCAPE + "]8;;"
                + end;
    }

    /** Returns what makes a line that is redrawn empty again, from its start. */
    static String emptied() {
        return "\r" + SecretMask.ESCAPE + "[K";
    }

    /** Asks on standard output, and returns whether the answer on standard input is yes. */
    static boolean confirms(String question, PrintWriter print) throws IOException {
        print.print(question);
        print.flush();
        // The terminal's own stream; closing it would close standard input.
        String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            // No Linux: the console is there when both ends are a terminal.
            return System.console() != null;
        }
    }
}
