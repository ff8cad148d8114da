package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.ComparisonText;
import org.diperf.analyzer.compare.Contrast;
import org.diperf.analyzer.compare.MetricResult;
import org.diperf.analyzer.compare.RuleResult;
import org.diperf.analyzer.compare.Settings;

/** What a comparison is as cases of a test suite: one a rule, or one a judged metric where there are no rules. */
final class ComparisonCases {

    private ComparisonCases() {}

    /** @param seconds that the comparison took */
    static List<JUnitXml.Case> of(Comparison comparison, double seconds) {
        List<JUnitXml.Case> cases = new ArrayList<>();
        for (Contrast contrast : comparison.contrasts()) {
            String group = contrast.b().name() + " against " + contrast.a().name();
            contrast.rules().forEach(rule -> cases.add(of(group, contrast, rule, comparison.settings())));
            if (contrast.rules().isEmpty()) {
                contrast.results().stream()
                        .filter(MetricResult::isJudged)
                        .forEach(result -> cases.add(of(group, contrast, result, comparison.settings())));
            }
        }
        boolean decided = comparison.verdict() != Comparison.Verdict.UNDECIDABLE;
        cases.add(new JUnitXml.Case(
                "comparison",
                "can be decided",
                decided ? JUnitXml.Outcome.PASSED : JUnitXml.Outcome.ERROR,
                decided ? ComparisonText.finding(comparison) : String.join("; ", comparison.reasons()),
                0));
        return JUnitXml.sharing(seconds, cases);
    }

    private static JUnitXml.Case of(String group, Contrast contrast, RuleResult rule, Settings settings) {
        JUnitXml.Outcome outcome = switch (rule.outcome()) {
            case KEPT -> JUnitXml.Outcome.PASSED;
            case BROKEN -> JUnitXml.Outcome.FAILED;
            case UNDECIDED -> JUnitXml.Outcome.ERROR;
        };
        String detail = outcome == JUnitXml.Outcome.ERROR
                ? ComparisonText.undecided(contrast, rule, settings)
                : seen(rule.seen());
        return new JUnitXml.Case(group, rule.rule().text(), outcome, detail, 0);
    }

    private static JUnitXml.Case of(String group, Contrast contrast, MetricResult result, Settings settings) {
        boolean isOpen = result.isOpen(settings);
        JUnitXml.Outcome outcome = result.finding() == MetricResult.Finding.WORSE
                ? JUnitXml.Outcome.FAILED
                : isOpen ? JUnitXml.Outcome.ERROR : JUnitXml.Outcome.PASSED;
        String detail = isOpen ? ComparisonText.undecided(contrast, result, settings) : seen(result);
        return new JUnitXml.Case(group, result.metric().path() + " is not worse", outcome, detail, 0);
    }

    private static String seen(MetricResult result) {
        return ComparisonText.name(result.metric()) + " " + ComparisonText.value(result.metric(), result.valueA())
                + " then, " + ComparisonText.value(result.metric(), result.valueB()) + " now: "
                + ComparisonText.change(result.metric(), result.change()) + ", 95 % interval "
                + ComparisonText.interval(result.metric(), result.low(), result.high()) + ": "
                + ComparisonText.word(result.finding());
    }
}
