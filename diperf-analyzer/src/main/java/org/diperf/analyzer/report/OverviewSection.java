package org.diperf.analyzer.report;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.table.StageTable;
import org.diperf.analyzer.text.Finding;
import org.diperf.analyzer.text.MeasuredPart;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RangeText;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.Verdict;

/** What is said first: finding, verdict, thresholds, causes of failure, the command. */
final class OverviewSection {

    private static final int MAX_SHOWN = 6;

    private final Analysis analysis;
    private final Html html;

    OverviewSection(Analysis analysis, Html html) {
        this.analysis = analysis;
        this.html = html;
    }

    void header() {
        html.open("header").open("nav", "aria-label", "sections");
        Breakdown breakdown = analysis.breakdown();
        if (breakdown != null) {
            html.element(
                    "a",
                    breakdown.by().equals("group") ? "Groups" : "By " + RunText.clean(breakdown.by()),
                    "href",
                    "#groups");
        }
        if (analysis.summary().stages() != null) {
            html.element("a", Tables.title(StageTable.head(analysis)), "href", "#stages");
        }
        for (String[] link : new String[][] {
            {"#figures", "Figures"},
            {"#requests", "Requests"},
            {"#testers", "Testers"},
            {"#clients", "Clients"},
            {"#measured", "How it was measured"},
            {"#events", "Events"}
        }) {
            html.element("a", link[1], "href", link[0]);
        }
        if (CallSection.isNeeded(analysis)) {
            html.element("a", "Single calls", "href", "#calls");
        }
        analysis.annexes()
                .forEach(annex ->
                        html.element("a", RunText.clean(annex.annex().title()), "href", AnnexSection.link(annex)));
        if (NetworkSection.isNeeded(analysis)) {
            html.element("a", "Network", "href", "#network");
        }
        html.close("nav");
        Verdict verdict = Verdict.of(analysis);
        html.element("h1", RunText.clean(analysis.run().experiment())).text(" ");
        html.element("span", verdict.result(), "class", "badge " + (verdict.good() ? "good" : "bad"))
                .text(" ");
        html.element(
                "span",
                switch (verdict.trust()) {
                    case VALID -> "numbers valid";
                    case SUSPECT -> "numbers suspect";
                    case ABSENT -> "no numbers";
                },
                "class",
                "badge "
                        + switch (verdict.trust()) {
                            case VALID -> "good";
                            case SUSPECT -> "warn";
                            case ABSENT -> "bad";
                        });
        String startedAt = analysis.run().startedAt();
        html.element(
                "p",
                RunText.targets(analysis.run()) + " · " + RunText.load(analysis.run()) + " · "
                        + Numbers.count(analysis.summary().testers().requested(), "tester") + " · "
                        + (analysis.run().cameByImport()
                                ? ""
                                : "seed " + analysis.run().seed() + " · ")
                        + (startedAt == null
                                ? "never started"
                                : RunText.clean(startedAt).replaceFirst("\\.[0-9]+Z$", "Z"))
                        + " · "
                        + Numbers.clock(analysis.summary().durationSeconds()) + " long",
                "class",
                "meta");
        html.element("p", Finding.sentence(analysis), "class", "finding");
        html.close("header");
    }

    /** Opens the first section, and writes what stands next to its table and chart. */
    void side(String againCommand) {
        html.open("section", "class", "first", "aria-label", "result").open("div", "class", "side");
        verdict();
        html.element("h3", "Again").element("code", againCommand);
        html.close("div");
    }

    private void verdict() {
        Verdict verdict = Verdict.of(analysis);
        List<ThresholdResult> thresholds = analysis.summary().thresholds();
        html.element("h3", thresholds.isEmpty() ? "No thresholds were set" : "Thresholds");
        html.open("ul");
        for (ThresholdResult threshold : thresholds) {
            html.open("li", "class", "threshold");
            html.element(
                    "span",
                    threshold.holds() ? "✓" : threshold.open() ? "?" : "✗",
                    "class",
                    threshold.holds() ? "mark good" : threshold.open() ? "mark" : "mark bad",
                    "role",
                    "img",
                    "aria-label",
                    threshold.holds() ? "holds" : threshold.open() ? "undecided" : "failed");
            html.element("span", RunText.clean(threshold.expression()));
            html.element(
                            "span",
                            MeasuredPart.observed(analysis.summary(), threshold)
                                    + RangeText.behind(analysis.summary(), threshold),
                            "class",
                            "seen")
                    .close("li");
        }
        html.close("ul");
        html.element(
                "h3",
                switch (verdict.trust()) {
                    case VALID ->
                        analysis.run().cameByImport()
                                ? "There is no reason to doubt the numbers; what the file does not contain cannot be checked"
                                : "The numbers can be trusted";
                    case SUSPECT -> "Why the numbers are suspect";
                    case ABSENT -> "There are no numbers";
                });
        sentences(verdict.reasons());
        if (!verdict.reasons().isEmpty() && !verdict.notes().isEmpty()) {
            html.element("h3", "Also worth knowing");
        }
        sentences(verdict.notes());
        html.element("p", String.join(" · ", verdict.facts()), "class", "meta");
        failures();
    }

    private void sentences(List<String> all) {
        if (!all.isEmpty()) {
            List<String> shown = new ArrayList<>(all.subList(0, Math.min(MAX_SHOWN, all.size())));
            if (all.size() > MAX_SHOWN) {
                shown.add("and " + (all.size() - MAX_SHOWN) + " more, below");
            }
            html.list(shown, "class", "reasons");
        }
    }

    private void failures() {
        List<FailureCause> causes = analysis.failures();
        html.element("h3", causes.isEmpty() ? "No call failed" : "Failures");
        if (!causes.isEmpty()) {
            List<String> lines = new ArrayList<>();
            causes.stream().limit(MAX_SHOWN).forEach(c -> lines.add(line(analysis, c)));
            if (causes.size() > MAX_SHOWN) {
                lines.add("and " + (causes.size() - MAX_SHOWN) + " more causes, below");
            }
            html.list(lines);
            if (CallSection.showsFailures(analysis)) {
                html.element("a", "the first ones in full", "href", "#calls");
            }
        }
        long dropped = analysis.summary().calls().dropped();
        if (dropped > 0) {
            html.element(
                    "p",
                    Numbers.count(dropped, "call") + " dropped: due while max-in-flight was reached, never sent",
                    "class",
                    "meta");
        }
    }

    static String line(Analysis analysis, FailureCause cause) {
        return Numbers.count(cause.count()) + " × " + RunText.cause(analysis.run(), cause) + ", " + RunText.first(cause)
                + switch (cause.fault()) {
                    case SERVICE -> "";
                    case GENERATOR -> " (a limit of the load generator)";
                    case EXPERIMENT -> " (a fault in the experiment)";
                }
                + (cause.remedy().isEmpty() ? "" : "; " + RunText.remedy(cause));
    }
}
