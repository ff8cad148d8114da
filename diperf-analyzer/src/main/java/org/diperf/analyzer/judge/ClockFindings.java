package org.diperf.analyzer.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Clocks.Note;
import org.diperf.analyzer.result.Clocks.Track;
import org.diperf.analyzer.result.Summary.ClockSummary;
import org.diperf.analyzer.result.Summary.StartSkew;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.core.clock.ClockEvent;
import org.diperf.core.clock.Corridor;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;
import org.jspecify.annotations.Nullable;

/** Says how well the clocks of a run are known, and what happened to them. */
public final class ClockFindings {

    private static final int MAX_TRACKS = 12;
    private static final int SECTIONS = 1_500;
    private static final int MAX_DOTS = 3_000;
    private static final double MICRO = 1e3;
    private static final double SECOND = 1e9;

    private final RunRecord run;
    private final ClockFile clocks;
    private final long duration;

    public ClockFindings(RunRecord run, ClockFile clocks, long duration) {
        this.run = run;
        this.clocks = clocks;
        this.duration = duration;
    }

    @Nullable
    public ClockSummary summary(List<TesterRow> testers, Clocks found) {
        double[] bounds =
                finite(testers.stream().mapToDouble(TesterRow::errorBoundMicros).toArray());
        if (bounds.length == 0) {
            return null;
        }
        double[] expected = finite(
                testers.stream().mapToDouble(TesterRow::expectedErrorMicros).toArray());
        double[] skews = finite(testers.stream()
                .mapToDouble(row -> Math.abs(row.startSkewMicros()))
                .toArray());
        long steps = found.notes().stream()
                .filter(note -> note.kind() == ClockEvent.Kind.STEP || note.kind() == ClockEvent.Kind.SUSPEND)
                .count();
        return new ClockSummary(
                max(bounds),
                mean(bounds),
                bounds.length,
                expected.length == 0 ? null : (Double) max(expected),
                skews.length == 0 ? null : new StartSkew(max(skews), mean(skews)),
                (int) steps);
    }

    private static double[] finite(double[] values) {
        return java.util.Arrays.stream(values).filter(Double::isFinite).toArray();
    }

    private static double max(double[] values) {
        return java.util.Arrays.stream(values).max().orElse(Double.NaN);
    }

    private static double mean(double[] values) {
        return java.util.Arrays.stream(values).average().orElse(Double.NaN);
    }

    public Clocks clocks(List<TesterRow> testers) {
        List<Note> notes = new ArrayList<>();
        for (TesterRecord tester : run.testers()) {
            Corridor corridor = clocks.corridor(tester.number());
            if (corridor != null) {
                for (ClockEvent event : corridor.events()) {
                    notes.add(new Note(
                            tester.number(),
                            event.kind(),
                            seconds(corridor.globalNanos(event.fromNanos())),
                            seconds(corridor.globalNanos(event.toNanos())),
                            event.amount()));
                }
            }
        }
        List<Track> tracks = testers.stream()
                .filter(row -> clocks.corridor(row.tester()) != null)
                .sorted(Comparator.comparingDouble(TesterRow::errorBoundMicros)
                        .reversed()
                        .thenComparingInt(TesterRow::tester))
                .limit(MAX_TRACKS)
                .sorted(Comparator.comparingInt(TesterRow::tester))
                .map(this::track)
                .toList();
        return new Clocks(tracks, notes);
    }

    private double seconds(long globalNanos) {
        return (globalNanos - run.startNanos()) / SECOND;
    }

    private Track track(TesterRow row) {
        Corridor corridor = clocks.corridor(row.tester());
        if (corridor == null) {
            throw new IllegalArgumentException("Expected a tester whose clock is known, got " + row.tester());
        }
        // Outside the run nothing was measured; where the clock was first and last asked is near enough to its ends.
        long from = Math.max(corridor.firstNanos(), local(corridor, run.startNanos()));
        long to = Math.max(from + 1, Math.min(corridor.lastNanos(), local(corridor, run.startNanos() + duration)));
        List<Corridor.Section> sections = new ArrayList<>(SECTIONS);
        for (int i = 0; i < SECTIONS; i++) {
            Corridor.Section section = corridor.section(from + Math.round(((double) to - from) * i / (SECTIONS - 1)));
            if (Double.isFinite(section.lower()) && Double.isFinite(section.upper())) {
                sections.add(section);
            }
        }
        List<Corridor.Dot> dots = corridor.dots().stream()
                .filter(dot ->
                        dot.globalNanos() >= run.startNanos() && dot.globalNanos() <= run.startNanos() + duration)
                .toList();
        return new Track(
                row.tester(),
                row.host(),
                sections.stream().mapToDouble(s -> seconds(s.globalNanos())).toArray(),
                sections.stream().mapToDouble(s -> s.estimate() / MICRO).toArray(),
                sections.stream().mapToDouble(s -> s.lower() / MICRO).toArray(),
                sections.stream().mapToDouble(s -> s.upper() / MICRO).toArray(),
                dots(dots.stream().filter(dot -> dot.source().isProbe()).toList()),
                dots(dots.stream().filter(dot -> !dot.source().isProbe()).toList()));
    }

    private Clocks.Dots dots(List<Corridor.Dot> all) {
        int every = Math.max(1, (all.size() + MAX_DOTS - 1) / MAX_DOTS);
        List<Corridor.Dot> some = new ArrayList<>();
        for (int i = 0; i < all.size(); i += every) {
            some.add(all.get(i));
        }
        return new Clocks.Dots(
                some.stream().mapToDouble(dot -> seconds(dot.globalNanos())).toArray(),
                some.stream().mapToDouble(dot -> dot.lower() / MICRO).toArray(),
                some.stream().mapToDouble(dot -> dot.upper() / MICRO).toArray());
    }

    /** Returns an instant on the client's clock; global time rises with it, so that it can be searched for. */
    private static long local(Corridor corridor, long global) {
        long low = corridor.firstNanos();
        long high = corridor.lastNanos();
        while (low < high) {
            // Half of what a tester says may be further from the other half than a long reaches.
            long middle = (low & high) + ((low ^ high) >> 1);
            if (corridor.globalNanos(middle) < global) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
