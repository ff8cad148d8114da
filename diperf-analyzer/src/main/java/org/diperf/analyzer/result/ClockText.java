package org.diperf.analyzer.result;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.result.Clocks.Note;
import org.diperf.core.clock.ClockEvent;

/** Says in words what happened to clocks. */
public final class ClockText {

    private static final double MIN_ROUTE_NANOS = 1e6;

    private ClockText() {}

    /**
     * Returns whether a reader of the result is to be told. A round trip that changed by less than a millisecond, as each does on a
     * machine that warms up, makes no number look different, and stands in the table of clocks alone.
     */
    public static boolean isWorthTelling(Note note) {
        return note.kind() != ClockEvent.Kind.ROUTE_CHANGE || Math.abs(note.amount()) >= MIN_ROUTE_NANOS;
    }

    /** Says what happened to a clock, and when: "was set forward by 3.000 s between 294.7 s and 303.6 s". */
    public static String of(Note note) {
        String when = note.toSeconds() - note.fromSeconds() < 0.05
                ? String.format(Locale.ROOT, "at %.1f s", note.fromSeconds())
                : String.format(Locale.ROOT, "between %.1f s and %.1f s", note.fromSeconds(), note.toSeconds());
        return what(note) + " " + when;
    }

    /** Says that routes changed, which happen on busy networks and machines, in one sentence. */
    public static String ofRoutes(List<Note> changes) {
        Note largest = changes.stream()
                .max(Comparator.comparingDouble(note -> Math.abs(note.amount())))
                .orElseThrow();
        if (changes.size() == 1) {
            return "the clock of tester " + largest.tester() + " " + of(largest);
        }
        long testers = changes.stream().mapToInt(Note::tester).distinct().count();
        return String.format(
                Locale.ROOT,
                "round-trip times to the time server changed %d times for %d tester%s, by up to %s for tester "
                        + "%d at %.1f s; their clock errors may have changed by half of that, within their bounds",
                changes.size(),
                testers,
                testers == 1 ? "" : "s",
                length(Math.abs(largest.amount())),
                largest.tester(),
                largest.fromSeconds());
    }

    private static String what(Note note) {
        double amount = note.amount();
        return switch (note.kind()) {
            case STEP ->
                amount > 0
                        ? "was set forward by " + length(amount)
                        : "was set back by, or paused for, " + length(-amount);
            case SUSPEND -> "paused for " + length(amount) + " while its machine's wall clock kept running (a suspend)";
            case SLEW ->
                String.format(
                        Locale.ROOT,
                        "was slewed to run %.0f ppm %s",
                        Math.abs(amount),
                        amount > 0 ? "faster" : "slower");
            case ROUTE_CHANGE ->
                "is reached over a route whose round-trip time " + (amount > 0 ? "grew" : "fell") + " by "
                        + length(Math.abs(amount))
                        + ", so its error may have changed by half of that, within the bound,";
            case SERVER_RESTART -> "used a time server whose machine was restarted";
        };
    }

    private static String length(double nanos) {
        return nanos >= 1e9
                ? String.format(Locale.ROOT, "%.3f s", nanos / 1e9)
                : nanos >= 1e6
                        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
                        : String.format(Locale.ROOT, "%.0f µs", nanos / 1e3);
    }
}
