package org.diperf.controller.cli;

import java.util.Locale;
import org.diperf.controller.run.LiveStatus;

/** Puts a look at the run into one line. */
final class StatusLine {

    private static final int CELLS = 11;

    private StatusLine() {}

    static String plain(LiveStatus status) {
        return times(status) + " " + rest(status);
    }

    static String withBar(LiveStatus status) {
        double share = status.totalSeconds() > 0 ? status.elapsedSeconds() / status.totalSeconds() : 0;
        int full = (int) Math.round(Math.max(0, Math.min(1, share)) * CELLS);
        return times(status) + " " + "█".repeat(full) + "░".repeat(CELLS - full) + " " + rest(status);
    }

    private static String times(LiveStatus status) {
        return Clocks.minutes(Math.min(status.elapsedSeconds(), status.totalSeconds())) + "/"
                + Clocks.minutes(status.totalSeconds());
    }

    private static String rest(LiveStatus status) {
        StringBuilder line = new StringBuilder(status.phase());
        line.append("  ").append(rate(status.perSecond())).append("/s");
        line.append("  in flight ").append(status.inFlight());
        if (!Double.isNaN(status.p50Ms())) {
            line.append("  p50 ").append(millis(status.p50Ms()));
            line.append(" p99 ").append(millis(status.p99Ms())).append(" ms");
        }
        line.append("  failed ").append(count(status.failed()));
        line.append("  dropped ").append(count(status.dropped()));
        line.append("  testers ").append(status.testersAlive()).append('/').append(status.testers());
        return line.toString();
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 && perSecond > 0 ? "%.1f" : "%,.0f", perSecond);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 1 ? "%.2f" : millis < 1000 ? "%.1f" : "%,.0f", millis);
    }

    private static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
