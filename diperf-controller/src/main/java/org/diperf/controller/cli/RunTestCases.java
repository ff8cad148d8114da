package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.diperf.analyzer.grid.GridSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.text.RangeText;
import org.diperf.controller.cli.JUnitXml.Case;
import org.diperf.controller.cli.JUnitXml.Outcome;
import org.diperf.core.run.Warning;
import org.jspecify.annotations.Nullable;

/** What a run is as cases of a test suite: one a threshold, one for its verdict, and one for a search without result; of a grid one a run. */
final class RunTestCases {

    private static final String VALID = "valid";

    private RunTestCases() {}

    /** @param strict whether a suspect verdict and an undecided threshold count as a failed one */
    static List<Case> of(Summary summary, boolean strict) {
        String name = summary.experiment();
        List<Case> cases = new ArrayList<>();
        for (ThresholdResult threshold : summary.thresholds()) {
            cases.add(new Case(
                    name,
                    threshold.expression(),
                    threshold.holds() ? Outcome.PASSED : threshold.fails() || strict ? Outcome.FAILED : Outcome.ERROR,
                    "seen: " + threshold.observed() + RangeText.behind(summary, threshold)
                            + (threshold.open()
                                    ? ", which leaves it undecided; what would settle it: " + threshold.settle()
                                    : ""),
                    0));
        }
        String why = summary.warnings().stream().map(Warning::text).collect(Collectors.joining("; "));
        cases.add(new Case(
                name,
                "produced numbers that can be trusted",
                verdict(summary.verdict(), strict),
                summary.verdict() + (why.isEmpty() ? "" : ": " + why),
                0));
        Summary.SearchSummary search = summary.search();
        if (search != null && search.found() == null) {
            cases.add(new Case(name, "the search found a value", Outcome.ERROR, search.conclusion(), 0));
        }
        return JUnitXml.sharing(summary.durationSeconds(), cases);
    }

    /** Makes the case of a run that was not carried out. */
    static List<Case> of(String name, String problem) {
        return List.of(new Case(name, "was run", Outcome.ERROR, problem, 0));
    }

    static List<Case> of(GridSummary grid, boolean strict) {
        List<Case> cases = new ArrayList<>();
        for (RunSummary run : grid.runs()) {
            boolean broken = run.broken() || strict && run.open();
            boolean done = run.state().equals("done");
            String problem = run.problem();
            cases.add(new Case(
                    grid.experiment(),
                    run.dir(),
                    !done || run.open() && !broken
                            ? Outcome.ERROR
                            : broken ? Outcome.FAILED : verdict(run.verdict(), strict),
                    run.state()
                            + (run.verdict() == null ? "" : ", " + run.verdict())
                            + (run.broken()
                                    ? ", a threshold failed: see its report"
                                    : run.open() ? ", a threshold is undecided: see its report" : "")
                            + (problem == null ? "" : ": " + problem),
                    run.durationSeconds() == null ? 0 : run.durationSeconds()));
        }
        return cases;
    }

    private static Outcome verdict(@Nullable String verdict, boolean strict) {
        return VALID.equals(verdict)
                ? Outcome.PASSED
                : "suspect".equals(verdict) ? strict ? Outcome.FAILED : Outcome.PASSED : Outcome.ERROR;
    }
}
