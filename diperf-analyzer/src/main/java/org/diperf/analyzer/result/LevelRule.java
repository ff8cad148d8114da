package org.diperf.analyzer.result;

import java.util.List;
import java.util.Optional;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;

/**
 * Which levels of a run count: the one rule for the peak, the capacity, what a call costs the service, and all findings. A level at
 * which the generator was the limit or a tester was lost carries nothing; of the others those count that settled, if any did.
 */
public final class LevelRule {

    /** Levels that serve so nearly the same are told apart by their load: the least is the best. */
    private static final double SAME = 0.01;

    private LevelRule() {}

    /**
     * A level as the rule sees it.
     *
     * @param stage its number
     * @param value of the load
     * @param perSecond ok calls; {@code NaN}: it served nothing that could be compared
     * @param settled whether its numbers count from its settling on
     * @param doubtful whether no finding may rest on it
     */
    public record Level(int stage, double value, double perSecond, boolean settled, boolean doubtful) {

        private static Level of(StageSummary stage) {
            Double value = stage.level();
            Throughput throughput = stage.throughput();
            return new Level(
                    stage.number(),
                    value == null ? Double.NaN : value,
                    throughput == null || stage.calls().ok() == 0 ? Double.NaN : throughput.mean(),
                    stage.settledSeconds() != null,
                    isDoubtful(stage));
        }
    }

    /** Returns whether the generator was the limit at a stage, or a tester was lost: no finding may rest on it. */
    public static boolean isDoubtful(StageSummary stage) {
        return stage.warnings() != null;
    }

    /** Lists the levels that count, in their order. */
    public static List<Level> counting(List<Level> levels) {
        List<Level> sound = levels.stream().filter(level -> !level.doubtful()).toList();
        boolean anySettled = sound.stream().anyMatch(Level::settled);
        return sound.stream().filter(level -> level.settled() || !anySettled).toList();
    }

    /** Returns the level that served most, the lowest of several that served the same, of those that count. */
    public static Optional<Level> best(List<Level> levels) {
        Level best = null;
        double most = 0;
        for (Level level : counting(levels)) {
            if (Double.isNaN(level.perSecond())) {
                continue;
            }
            boolean same = Math.abs(level.perSecond() - most) <= SAME * most;
            if (best == null || (same ? level.value() < best.value() : level.perSecond() > most)) {
                best = level;
                most = Math.max(most, level.perSecond());
            }
        }
        return Optional.ofNullable(best);
    }

    /** Lists those stages of a summary that are levels and count. */
    public static List<StageSummary> countingOf(List<StageSummary> stages) {
        List<Integer> counting =
                counting(levels(stages)).stream().map(Level::stage).toList();
        return stages.stream()
                .filter(stage -> counting.contains(stage.number()))
                .toList();
    }

    /** Returns the stage of a summary that is the best level. */
    public static Optional<StageSummary> bestOf(List<StageSummary> stages) {
        return best(levels(stages))
                .flatMap(best -> stages.stream()
                        .filter(stage -> stage.number() == best.stage())
                        .findFirst());
    }

    private static List<Level> levels(List<StageSummary> stages) {
        return stages.stream()
                .filter(stage -> stage.level() != null)
                .map(Level::of)
                .toList();
    }
}
