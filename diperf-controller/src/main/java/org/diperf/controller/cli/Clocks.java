package org.diperf.controller.cli;

import java.time.Duration;
import java.util.Locale;

/** Writes times of a run for people. */
final class Clocks {

    private Clocks() {}

    /** Writes {@code 0:41}, {@code 12:05} or {@code 1:00:00}. */
    static String minutes(double seconds) {
        long whole = (long) Math.max(0, Math.floor(seconds));
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** Writes a duration that is no whole number of seconds with its decimals. */
    static String minutes(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return duration.toSeconds() < 10 && seconds != Math.rint(seconds)
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : minutes(seconds);
    }
}
