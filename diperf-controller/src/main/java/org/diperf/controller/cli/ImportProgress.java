package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.diperf.analyzer.imports.RunImport;
import org.diperf.core.clock.NanoClock;

/**
 * Shows how far an import is: on a terminal a line that is redrawn, elsewhere a plain line every five seconds. Confined to
 * one thread.
 */
final class ImportProgress implements RunImport.Progress {

    private static final long REDRAWN_EVERY_NANOS = Duration.ofMillis(200).toNanos();
    private static final long PLAIN_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final PrintWriter out;
    private final boolean redraws;
    private final NanoClock clock;
    private final long begin;
    private long last;
    private boolean drawn;

    ImportProgress(PrintWriter out, boolean redraws, NanoClock clock) {
        this.out = out;
        this.redraws = redraws;
        this.clock = clock;
        this.begin = clock.nanoTime();
        this.last = begin;
    }

    @Override
    public void at(long rows, long bytes, long of) {
        long now = clock.nanoTime();
        if (now - last < (redraws ? REDRAWN_EVERY_NANOS : PLAIN_EVERY_NANOS)) {
            return;
        }
        last = now;
        double seconds = Math.max(1e-9, (now - begin) / 1e9);
        String line = String.format(
                Locale.ROOT,
                "%s  %,d rows read, %.0f %%, %,.0f/s",
                LiveLine.clock(seconds),
                rows,
                100.0 * bytes / Math.max(1, of),
                rows / seconds);
        show(line);
    }

    /** Says what is under way now. */
    void phase(String text) {
        if (redraws) {
            show(text + " ...");
        }
    }

    /** Removes the line. */
    void end() {
        if (drawn) {
            out.print(Terminal.emptied());
            out.flush();
            drawn = false;
        }
    }

    private void show(String line) {
        if (redraws) {
            out.print(Terminal.emptied() + line);
            drawn = true;
        } else {
            out.println(line);
        }
        out.flush();
    }
}
