package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.diperf.analyzer.stats.Range;
import org.diperf.core.run.Warning;

/**
 * One side of a comparison: a run, or trials of one and the same experiment.
 *
 * @param name for people
 * @param runs those that count
 * @param leftOut why other ones do not, one line each
 * @param obstacle why nothing can be decided on these numbers; empty: nothing is in the way
 */
public record Side(String name, List<MeasuredRun> runs, List<String> leftOut, Optional<String> obstacle) {

    private static final long FEWEST_CALLS = 100;

    public Side {
        runs = List.copyOf(runs);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Makes a side of those runs whose numbers can be trusted. Where there are none it is of all, and says why nothing can
     * be decided.
     *
     * @param allowSuspect whether suspect runs count too
     */
    public static Side of(String name, List<MeasuredRun> all, boolean allowSuspect) {
        List<MeasuredRun> good = new ArrayList<>();
        List<String> bad = new ArrayList<>();
        for (MeasuredRun run : all) {
            Optional<String> reason = reason(run, allowSuspect);
            reason.ifPresentOrElse(why -> bad.add(run.name() + " " + why), () -> good.add(run));
        }
        if (!good.isEmpty()) {
            return new Side(name, good, bad, Optional.empty());
        }
        List<MeasuredRun> measured =
                all.stream().filter(run -> run.batches() != null).toList();
        return new Side(name, measured, List.of(), Optional.of(String.join("; ", bad)));
    }

    private static Optional<String> reason(MeasuredRun run, boolean allowSuspect) {
        if (run.batches() == null) {
            return Optional.of("has no measurements");
        }
        boolean suspect = run.verdict().equals("suspect");
        if (run.verdict().equals("failed") || suspect && !allowSuspect) {
            return Optional.of("is " + run.verdict()
                    + gravest(run.warnings())
                            .map(warning -> " (" + warning.text() + ")")
                            .orElse(""));
        }
        if (run.okCalls() < FEWEST_CALLS) {
            return Optional.of(String.format(
                    Locale.ROOT, "has %,d ok calls, but at least %,d are required", run.okCalls(), FEWEST_CALLS));
        }
        return Optional.empty();
    }

    /** Returns the first warning that puts the numbers in doubt, else the first of all. */
    private static Optional<Warning> gravest(List<Warning> warnings) {
        return warnings.stream()
                .filter(Warning::isSuspect)
                .findFirst()
                .or(() -> warnings.stream().findFirst());
    }

    /** Returns between which multiples of a metric all its runs would lie without what the load generator may have added. */
    Range withoutGenerator(Metric metric) {
        List<Range> ranges =
                runs.stream().map(run -> run.withoutGenerator(metric)).toList();
        return new Range(
                ranges.stream().mapToDouble(Range::low).min().orElse(1),
                ranges.stream().mapToDouble(Range::high).max().orElse(1));
    }

    /** Returns whether any of its runs was of open load, whose throughput is planned. */
    boolean isOpen() {
        return runs.stream().anyMatch(run -> {
            var summary = run.summary();
            return summary != null && summary.load().model().equals("open");
        });
    }
}
