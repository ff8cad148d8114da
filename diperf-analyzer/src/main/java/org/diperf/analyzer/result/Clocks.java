package org.diperf.analyzer.result;

import java.util.List;
import org.diperf.core.clock.ClockEvent;

/**
 * What is known of the testers' clocks beyond their rows.
 *
 * @param tracks how well single clocks are known over the run; of at most 12 testers, those with the largest bounds
 * @param notes what happened to clocks, by tester and time
 */
public record Clocks(List<Track> tracks, List<Note> notes) {

    /** Nothing is known. */
    public static final Clocks NONE = new Clocks(List.of(), List.of());

    public Clocks {
        tracks = List.copyOf(tracks);
        notes = List.copyOf(notes);
    }

    /**
     * One clock over the run: its offset to global time less the straight line that fits it best, after each step a new one.
     *
     * @param tester from 1
     * @param host its name for the machine
     * @param seconds after the start of the run
     * @param estimate of the offset, us
     * @param lower bound of the offset, us
     * @param upper bound of the offset, us
     * @param probes single exchanges that were made to ask for the time
     * @param frames those that came with other messages
     */
    public record Track(
            int tester,
            String host,
            double[] seconds,
            double[] estimate,
            double[] lower,
            double[] upper,
            Dots probes,
            Dots frames) {}

    /**
     * Single exchanges: the offset is not above, and not below.
     *
     * @param seconds after the start of the run
     * @param lower us
     * @param upper us
     */
    public record Dots(double[] seconds, double[] lower, double[] upper) {}

    /**
     * Something that happened to a clock or the way to it.
     *
     * @param tester from 1
     * @param kind what
     * @param fromSeconds after the start of the run, not earlier
     * @param toSeconds after the start of the run, not later
     * @param amount as in {@link ClockEvent}
     */
    public record Note(int tester, ClockEvent.Kind kind, double fromSeconds, double toSeconds, double amount) {}

    /** Counts what happened to a tester's clock. */
    public long count(int tester, ClockEvent.Kind kind) {
        return notes.stream()
                .filter(note -> note.tester() == tester && note.kind() == kind)
                .count();
    }
}
