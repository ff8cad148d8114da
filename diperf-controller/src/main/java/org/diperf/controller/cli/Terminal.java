package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What can be shown where the output goes. */
final class Terminal {

    private Terminal() {}

    /** Returns whether standard output is a terminal that can redraw a line. */
    static boolean redraws() {
        return isTerminal(1) && !"dumb".equals(System.getenv("TERM"));
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
