package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.text.Finding;
import org.diperf.analyzer.text.MeasuredPart;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RangeText;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.Verdict;
import org.diperf.analyzer.text.Verdict.Trust;

/** A run as a part of a page: the verdict, numbers with their ranges, thresholds. */
final class RunMarkdown {

    private static final List<String> NUMBERS = List.of(
            "throughput",
            "response.mean",
            "response.p50",
            "response.p95",
            "response.p99",
            "response.p99.9",
            "response.max");

    private RunMarkdown() {}

    /**
     * @param again the command that repeats the run
     * @param hasReport whether the run folder has one
     */
    static String of(Analysis analysis, String again, boolean hasReport) {
        Summary summary = analysis.summary();
        Verdict verdict = Verdict.of(analysis);
        String trust = switch (verdict.trust()) {
            case VALID -> "numbers valid";
            case SUSPECT -> "numbers suspect";
            case ABSENT -> "no numbers";
        };
        Markdown page = new Markdown();
        page.heading((verdict.good() ? "✅ " : "❌ ") + Markdown.escaped(summary.experiment()) + ": "
                + Markdown.escaped(verdict.result()) + " · " + trust);
        page.paragraph(Markdown.escaped(RunText.header(analysis.run())));
        page.paragraph(Markdown.escaped(Finding.sentence(analysis)));
        if (!summary.thresholds().isEmpty()) {
            page.table(
                    List.of("threshold", "", "seen", "range"),
                    summary.thresholds().stream()
                            .map(threshold -> threshold(summary, threshold))
                            .toList());
        }
        if (summary.calls().total() > 0) {
            String part = MeasuredPart.of(summary);
            page.table(List.of(part == null ? "whole run" : "measured " + part, "", "range"), numbers(summary));
        }
        if (verdict.trust() != Trust.VALID && !verdict.reasons().isEmpty()) {
            page.paragraph("Reasons not to trust the numbers:");
            page.list(verdict.reasons().stream().map(Markdown::escaped).toList());
        }
        String report = hasReport
                ? "The report is <code>report.html</code> in the run folder, which the job can upload as an artifact. "
                : "";
        return page.paragraph(report + "Again: " + Markdown.code(again)).toString();
    }

    private static List<String> threshold(Summary summary, ThresholdResult threshold) {
        return List.of(
                Markdown.code(threshold.expression()),
                threshold.holds() ? "✅ holds" : threshold.open() ? "❓ undecided" : "❌ failed",
                Markdown.escaped(MeasuredPart.observed(summary, threshold)),
                Markdown.escaped(RangeText.of(summary, threshold)));
    }

    private static List<List<String>> numbers(Summary summary) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(count(summary, "total"));
        rows.add(count(summary, "failed"));
        for (String path : NUMBERS) {
            Measure measure = Measures.of(path);
            if (measure.of(summary) instanceof Amount amount) {
                String unit = amount.unit().isEmpty() ? "" : " " + amount.unit();
                rows.add(List.of(
                        measure.words(),
                        Numbers.plain(amount.number()) + unit,
                        Markdown.escaped(RangeText.of(amount))));
            }
        }
        return rows;
    }

    private static List<String> count(Summary summary, String path) {
        Measure measure = Measures.of(path);
        Value value = measure.of(summary);
        return List.of(
                measure.words(),
                value instanceof Amount amount ? Numbers.count(Math.round(amount.number())) : Numbers.NONE,
                "");
    }
}
