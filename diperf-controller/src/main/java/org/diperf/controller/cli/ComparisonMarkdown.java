package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.ComparisonTable;
import org.diperf.analyzer.compare.ComparisonText;
import org.diperf.analyzer.compare.Contrast;
import org.diperf.analyzer.compare.Metric;
import org.diperf.analyzer.compare.MetricResult;
import org.diperf.analyzer.compare.RuleResult;

/** A comparison as a part of a page: the finding, the changes with their intervals, what was allowed. */
final class ComparisonMarkdown {

    private ComparisonMarkdown() {}

    static String of(Comparison comparison) {
        Markdown page = new Markdown()
                .heading(
                        switch (comparison.verdict()) {
                            case NOT_WORSE -> "✅ not worse";
                            case WORSE -> "❌ worse";
                            case UNDECIDABLE -> "❓ undecided";
                        });
        page.paragraph(Markdown.escaped(ComparisonText.finding(comparison)));
        List<List<String>> rules = new ArrayList<>();
        for (Contrast contrast : comparison.contrasts()) {
            contrast.rules().forEach(rule -> rules.add(rule(contrast, rule)));
        }
        if (!rules.isEmpty()) {
            page.table(List.of("at most", "", "change", "95 % interval", "of"), rules);
        }
        if (comparison.contrasts().size() == 1) {
            Contrast only = comparison.contrasts().get(0);
            page.table(
                    List.of(
                            "",
                            Markdown.escaped(only.a().name()),
                            Markdown.escaped(only.b().name()),
                            "change",
                            "95 % interval",
                            ""),
                    only.results().stream()
                            .filter(ComparisonText::isTold)
                            .map(ComparisonMarkdown::row)
                            .toList());
        } else if (!comparison.contrasts().isEmpty()) {
            page.texts(ComparisonTable.head(), ComparisonTable.rows(comparison));
        }
        List<String> remarks = new ArrayList<>();
        ComparisonText.reasonsBesides(comparison)
                .forEach(reason -> remarks.add("undecided: " + Markdown.escaped(reason)));
        comparison.allNotes().forEach(note -> remarks.add(Markdown.escaped(note)));
        return remarks.isEmpty() ? page.toString() : page.list(remarks).toString();
    }

    private static List<String> row(MetricResult result) {
        Metric metric = result.metric();
        return List.of(
                Markdown.escaped(ComparisonText.name(metric)),
                ComparisonText.value(metric, result.valueA()),
                ComparisonText.value(metric, result.valueB()),
                ComparisonText.change(metric, result.change()),
                ComparisonText.interval(metric, result.low(), result.high()),
                ComparisonText.word(result));
    }

    private static List<String> rule(Contrast contrast, RuleResult rule) {
        MetricResult seen = rule.seen();
        return List.of(
                Markdown.code(rule.rule().text()),
                switch (rule.outcome()) {
                    case KEPT -> "✅ kept";
                    case BROKEN -> "❌ broken";
                    case UNDECIDED -> "❓ undecided";
                },
                ComparisonText.change(seen.metric(), seen.change()),
                ComparisonText.interval(seen.metric(), seen.low(), seen.high()),
                Markdown.escaped(
                        contrast.b().name() + " against " + contrast.a().name()));
    }
}
