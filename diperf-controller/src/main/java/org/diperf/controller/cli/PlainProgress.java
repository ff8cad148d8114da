package org.diperf.controller.cli;

import java.io.PrintStream;
import org.diperf.controller.run.LiveStatus;
import org.diperf.controller.run.Progress;

/** Shows a run by one line every few seconds. Locked by itself: signals log from a thread of their own. */
final class PlainProgress implements Progress {

    private static final double EVERY_SECONDS = 5;

    private final PrintStream out;
    private double nextSeconds = EVERY_SECONDS;

    PlainProgress(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void phase(String text) {
        out.println(text);
    }

    @Override
    public synchronized void live(LiveStatus status) {
        if (status.elapsedSeconds() >= nextSeconds) {
            nextSeconds = (Math.floor(status.elapsedSeconds() / EVERY_SECONDS) + 1) * EVERY_SECONDS;
            out.println(StatusLine.plain(status));
        }
    }

    @Override
    public synchronized void log(String line) {
        out.println(line);
    }
}
