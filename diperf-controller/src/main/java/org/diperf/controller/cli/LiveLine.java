package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.progress.Progress;
import org.diperf.core.spi.OneLine;

/**
 * Shows how a run goes: on a terminal one line that is redrawn, elsewhere a plain line every few seconds. Confined to the
 * run's thread, but for {@link #log}.
 */
final class LiveLine implements Progress {

    private static final int BAR = 12;
    private static final int LONGEST_REASON = 40;
    private static final double PLAIN_EVERY_SECONDS = 5;

    private final PrintWriter out;
    private final boolean redraw;
    private final int width;
    private String head = "";
    private double nextPlain;
    private boolean drawn;

    /** Shows lines as standard output can take them. */
    LiveLine(PrintWriter out) {
        this(out, Terminal.redraws(), Terminal.width());
    }

    /** @param width of the terminal, in characters: a line that is longer could not be redrawn */
    LiveLine(PrintWriter out, boolean redraw, int width) {
        this.out = out;
        this.redraw = redraw;
        this.width = width;
    }

    /** Says before all that is shown from now on what it is about, such as which run. */
    synchronized void head(String text) {
        head = text;
    }

    @Override
    public synchronized void phase(String text) {
        // Another run may follow, which counts from the start.
        nextPlain = 0;
        show((head.isEmpty() ? "" : head + ": ") + text + " ...");
    }

    @Override
    public synchronized void live(LiveStatus status) {
        if (redraw) {
            String whole = line(head, status, true);
            // Without its bar more of what is seen has room.
            show(TerminalFormat.length(whole) < width ? whole : line(head, status, false));
        } else if (status.elapsedSeconds() >= nextPlain && status.elapsedSeconds() > 0) {
            nextPlain = (Math.floor(status.elapsedSeconds() / PLAIN_EVERY_SECONDS) + 1) * PLAIN_EVERY_SECONDS;
            out.println(line(head, status, true));
            out.flush();
        }
    }

    @Override
    public synchronized void log(String line) {
        end();
        out.println(line);
        out.flush();
    }

    /** Leaves the line as it is and continues below it. */
    synchronized void end() {
        if (drawn) {
            out.print(Terminal.emptied());
            out.flush();
            drawn = false;
        }
    }

    private void show(String text) {
        if (redraw) {
            // In the last column some terminals begin a line of their own.
            out.print(Terminal.emptied() + TerminalFormat.cut(text, width - 1));
            out.flush();
            drawn = true;
        }
    }

    /** @param bar whether to draw how much of the time is over */
    static String line(String head, LiveStatus status, boolean bar) {
        StringBuilder line = new StringBuilder();
        line.append(clock(status.elapsedSeconds()));
        if (!Double.isNaN(status.totalSeconds())) {
            double share = Math.min(1, status.elapsedSeconds() / status.totalSeconds());
            int full = (int) Math.round(share * BAR);
            line.append('/').append(clock(status.totalSeconds()));
            if (bar) {
                line.append(' ').append("█".repeat(full)).append("░".repeat(BAR - full));
            }
        }
        line.append(head.isEmpty() ? "" : " " + head).append(' ').append(status.phase());
        line.append(String.format(Locale.ROOT, "  %s/s", rate(status.perSecond())));
        if (status.closed()) {
            line.append("  clients ").append(status.active());
        }
        line.append("  in flight ").append(status.inFlight());
        if (!Double.isNaN(status.p50Ms())) {
            line.append(
                    String.format(Locale.ROOT, "  p50 %s p99 %s ms", millis(status.p50Ms()), millis(status.p99Ms())));
        }
        line.append("  failed ").append(status.failed());
        if (status.failed() > 0 && !status.failure().isEmpty()) {
            line.append(" (")
                    .append(OneLine.of(status.failure(), LONGEST_REASON))
                    .append(')');
        }
        if (status.dropped() > 0 || !status.closed()) {
            line.append("  dropped ").append(status.dropped());
        }
        line.append("  testers ").append(status.testersAlive()).append('/').append(status.testers());
        if (status.seenShare() < 0.995) {
            line.append(String.format(Locale.ROOT, "  (from %.0f %% of the samples)", status.seenShare() * 100));
        }
        return line.toString();
    }

    static String clock(double seconds) {
        long whole = (long) seconds;
        return whole >= 3600
                ? String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f" : millis < 100 ? "%.1f" : "%.0f", millis);
    }
}
