package org.diperf.analyzer.text;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.LevelRule;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.core.run.SearchRecord;
import org.jspecify.annotations.Nullable;

/** The levels of a run, probes of a search among them: which of them count, and how their values are written. */
public final class Levels {

    private Levels() {}

    /** Lists all levels in the order in which they were held. */
    public static List<StageSummary> of(Analysis analysis) {
        List<StageSummary> stages = analysis.summary().stages();
        return stages == null
                ? List.of()
                : stages.stream().filter(stage -> stage.level() != null).toList();
    }

    /** Returns the value of a level. */
    public static double value(StageSummary stage) {
        Double level = stage.level();
        return level == null ? Double.NaN : level;
    }

    /** Returns whether the generator was the limit at a level, or a tester was lost: no finding may rest on it. */
    public static boolean isDoubtful(StageSummary stage) {
        return LevelRule.isDoubtful(stage);
    }

    /** Returns whether a level's numbers count from its settling on. */
    public static boolean hasSettled(StageSummary stage) {
        return stage.settledSeconds() != null;
    }

    /** Returns the level that served most, of those that count; {@code null}: none does. */
    public static @Nullable StageSummary best(Analysis analysis) {
        return LevelRule.bestOf(of(analysis)).orElse(null);
    }

    /** Returns whether the levels are rates. */
    public static boolean areRates(Analysis analysis) {
        SearchSummary search = analysis.summary().search();
        return search == null ? RunText.isOpen(analysis) : search.of().equals("rate");
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
