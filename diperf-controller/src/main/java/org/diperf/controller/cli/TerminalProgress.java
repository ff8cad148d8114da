package org.diperf.controller.cli;

import java.io.PrintStream;
import org.diperf.controller.run.LiveStatus;
import org.diperf.controller.run.Progress;

/** Shows a run on a line that is drawn again and again. Locked by itself: signals log from a thread of their own. */
final class TerminalProgress implements Progress {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final int columns;
    private boolean drawn;

    TerminalProgress(PrintStream out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    @Override
    public synchronized void phase(String text) {
        draw(text);
    }

    @Override
    public synchronized void live(LiveStatus status) {
        draw(StatusLine.withBar(status));
    }

    @Override
    public synchronized void log(String line) {
        clear();
        out.println(line);
    }

    /** Removes the line, before something else is printed. */
    synchronized void clear() {
        if (drawn) {
            out.print(CLEAR);
            out.flush();
            drawn = false;
        }
    }

    private void draw(String line) {
        // A line that wraps could not be drawn over.
        String cut = line.length() < columns ? line : line.substring(0, Math.max(0, columns - 1));
        out.print(CLEAR + cut);
        out.flush();
        drawn = true;
    }
}
