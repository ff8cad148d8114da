package org.diperf.analyzer.text;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.core.run.SearchRecord;
import org.jspecify.annotations.Nullable;

/** The levels of a run, probes of a search among them: which of them count, and how their values are written. */
public final class Levels {

    /** Levels that serve so nearly the same are told apart by their load: the least is the best. */
    private static final double SAME = 0.01;

    private Levels() {}

    /** Lists all levels in the order in which they were held. */
    public static List<StageSummary> of(Analysis analysis) {
        List<StageSummary> stages = analysis.summary().stages();
        return stages == null
                ? List.of()
                : stages.stream().filter(stage -> stage.level() != null).toList();
    }

    /** Gives the value of a level. */
    public static double value(StageSummary stage) {
        Double level = stage.level();
        return level == null ? Double.NaN : level;
    }

    /** Says whether the generator was the limit at a level, or a tester was lost: no finding may rest on it. */
    public static boolean isDoubtful(StageSummary stage) {
        return stage.warnings() != null;
    }

    /** Says whether a level's numbers count from its settling on. */
    public static boolean hasSettled(StageSummary stage) {
        return stage.settledSeconds() != null;
    }

    /**
     * Gives the level that served most, the lowest of several that served the same: of those that are not doubtful, and that
     * settled if any did.
     */
    public static @Nullable StageSummary best(Analysis analysis) {
        List<StageSummary> sound =
                of(analysis).stream().filter(stage -> !isDoubtful(stage)).toList();
        boolean anySettled = sound.stream().anyMatch(Levels::hasSettled);
        StageSummary best = null;
        double most = 0;
        for (StageSummary stage : sound) {
            Throughput throughput = stage.throughput();
            if (throughput == null || stage.calls().ok() == 0 || anySettled && !hasSettled(stage)) {
                continue;
            }
            boolean same = Math.abs(throughput.mean() - most) <= SAME * most;
            if (best == null || (same ? value(stage) < value(best) : throughput.mean() > most)) {
                best = stage;
                most = Math.max(most, throughput.mean());
            }
        }
        return best;
    }

    /** Says whether the levels are rates. */
    public static boolean areRates(Analysis analysis) {
        SearchSummary search = analysis.summary().search();
        return search == null ? Words.isOpen(analysis) : search.of().equals("rate");
    }

    /** Writes a value with its unit: {@code 16 clients}, {@code 830 calls/s}. */
    public static String write(Analysis analysis, double value) {
        if (!areRates(analysis)) {
            return Numbers.count(Math.round(value), "client");
        }
        RateUnit unit = RateUnit.of(analysis.run());
        return Numbers.level(value * unit.factor()) + " calls" + unit.symbol();
    }

    /** Writes a value without its unit. */
    static String writeBare(Analysis analysis, double value) {
        return areRates(analysis)
                ? Numbers.level(value * RateUnit.of(analysis.run()).factor())
                : Numbers.count(Math.round(value));
    }

    /** Says in a few words what was searched for. */
    static String search(SearchRecord search) {
        String unit = search.of().equals("rate") ? "/s" : " clients";
        return "search for the highest " + (search.of().equals("rate") ? "rate" : "number of clients") + " from "
                + Numbers.level(search.from()) + " to " + Numbers.level(search.to()) + unit;
    }
}
