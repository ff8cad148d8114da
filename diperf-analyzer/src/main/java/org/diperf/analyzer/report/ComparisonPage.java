package org.diperf.analyzer.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.ComparisonTable;
import org.diperf.analyzer.compare.ComparisonText;
import org.diperf.analyzer.compare.Contrast;
import org.diperf.analyzer.compare.MeasuredRun;
import org.diperf.analyzer.compare.Metric;
import org.diperf.analyzer.compare.MetricResult;
import org.diperf.analyzer.compare.RuleResult;
import org.diperf.analyzer.compare.Side;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.spi.OneLine;

/** Writes {@code compare.html} and its {@code figures/}. */
public final class ComparisonPage {

    private static final int MAX_RUNS = 200;
    /** Of more than these the table of all has to do; {@code comparison.json} has the rest. */
    private static final int MAX_CONTRASTS = 40;

    private static final int MAX_NOTES = 30;
    /** Characters of what is said in sentences, which name runs by their folders. */
    private static final int MAX_SENTENCES = 4_000;

    private static final String OVERVIEW = "compare-all";
    private static final String EFFECTS = "compare-effects";

    private ComparisonPage() {}

    /**
     * Writes the page.
     *
     * @param outDir exists; files of the same names are replaced
     */
    public static void write(Comparison comparison, Path outDir) throws IOException {
        Figures.Result figures = Figures.write(comparison, outDir.resolve("figures"));
        AtomicFile.write(outDir.resolve("compare.html"), html(comparison, figures));
    }

    static String html(Comparison comparison, Figures.Result figures) {
        Html html = new Html();
        Report.head(html, RunText.clean(title(comparison)));
        html.open("header");
        html.element("h1", RunText.clean(title(comparison))).text(" ");
        html.element(
                "span",
                switch (comparison.verdict()) {
                    case NOT_WORSE -> "not worse";
                    case WORSE -> "worse";
                    case UNDECIDABLE -> "undecidable";
                },
                "class",
                "badge "
                        + switch (comparison.verdict()) {
                            case NOT_WORSE -> "good";
                            case WORSE -> "bad";
                            case UNDECIDABLE -> "warn";
                        });
        html.element("p", OneLine.of(ComparisonText.finding(comparison), MAX_SENTENCES), "class", "finding");
        html.close("header").open("main");
        List<String> reasons = ComparisonText.reasonsBesides(comparison);
        if (!reasons.isEmpty()) {
            html.element("h3", "What else is undecided");
            html.list(cleaned(reasons), "class", "reasons");
        }
        Images images = new Images(Report.MAX_BYTES - Report.TEXT_BYTES);
        if (comparison.contrasts().size() > 1) {
            html.element("h2", "All comparisons");
            html.table(
                    "Values of the baseline, followed by how the others differ from it; * statistically certain and "
                            + "large enough to matter",
                    1,
                    ComparisonTable.head(),
                    ComparisonTable.rows(comparison).stream()
                            .limit(MAX_RUNS)
                            .map(ComparisonPage::cleaned)
                            .toList());
            figures.figures().stream()
                    .filter(figure -> figure.name().equals(OVERVIEW))
                    .forEach(figure -> images.figure(html, figure));
        }
        List<Figures.Drawn> effects = figures.figures().stream()
                .filter(figure -> figure.name().startsWith(EFFECTS))
                .toList();
        for (int i = 0; i < Math.min(MAX_CONTRASTS, comparison.contrasts().size()); i++) {
            contrast(comparison.contrasts().get(i), html);
            if (i < effects.size()) {
                images.figure(html, effects.get(i));
            }
        }
        List<String> notes = comparison.allNotes();
        if (!notes.isEmpty()) {
            List<String> shown = new ArrayList<>(cleaned(notes).subList(0, Math.min(MAX_NOTES, notes.size())));
            if (notes.size() > MAX_NOTES) {
                shown.add((notes.size() - MAX_NOTES) + " more are in comparison.json");
            }
            html.element("h2", "Caveats to keep in mind").list(shown);
        }
        html.element("h2", "Side by side");
        String problem = figures.problem();
        if (problem != null) {
            html.element("p", "Some figures are missing: " + problem + ".", "class", "note");
        }
        figures.figures().stream()
                .filter(figure ->
                        !figure.name().startsWith(EFFECTS) && !figure.name().equals(OVERVIEW))
                .forEach(figure -> images.figure(html, figure));
        runs(comparison, html);
        method(comparison, html);
        html.close("main");
        html.element("footer", "Written by DiPerF. This page is self-contained: it loads nothing and runs no scripts.");
        return html.close("body", "html").toString();
    }

    private static String title(Comparison comparison) {
        List<Side> sides = comparison.sides();
        List<Side> baselines = comparison.baselines();
        return sides.size() == 2
                ? sides.get(1).name() + " against " + sides.get(0).name()
                : baselines.size() > 1
                        ? comparison.contrasts().size() + " comparisons of " + sides.size() + " sets of runs"
                        : (sides.size() - 1) + " sets of runs against "
                                + sides.get(0).name();
    }

    private static List<String> cleaned(List<String> lines) {
        return lines.stream().map(line -> OneLine.of(line, MAX_SENTENCES)).toList();
    }

    private static void contrast(Contrast contrast, Html html) {
        String a = RunText.clean(contrast.a().name());
        String b = RunText.clean(contrast.b().name());
        html.element("h2", b + " against " + a);
        if (!contrast.rules().isEmpty()) {
            html.open("ul", "class", "side");
            for (RuleResult rule : contrast.rules()) {
                rule(rule, html);
            }
            html.close("ul");
        }
        List<List<String>> rows = new ArrayList<>();
        for (MetricResult result : contrast.results()) {
            Metric metric = result.metric();
            if (!ComparisonText.isTold(result)) {
                continue;
            }
            rows.add(List.of(
                    ComparisonText.name(metric),
                    ComparisonText.word(result),
                    ComparisonText.value(metric, result.valueA()),
                    ComparisonText.value(metric, result.valueB()),
                    ComparisonText.change(metric, result.change()),
                    ComparisonText.interval(metric, result.low(), result.high()),
                    ComparisonText.p(result.p()),
                    ComparisonText.p(result.pHolm()),
                    shift(result),
                    Double.isNaN(result.cliffsDelta())
                            ? Numbers.NONE
                            : String.format(Locale.ROOT, "%+.2f", result.cliffsDelta()),
                    Math.min(result.unitsA(), result.unitsB()) == 0
                            ? Numbers.NONE
                            : result.unitsA() + " / " + result.unitsB() + " " + result.units()));
        }
        html.table(
                "In the measured part of each run; based on " + ComparisonText.method(contrast),
                2,
                List.of(
                        "metric",
                        "finding",
                        a,
                        b,
                        "change",
                        "95 % interval",
                        "p",
                        "p (Holm)",
                        "shift",
                        "Cliff's delta",
                        "compared"),
                rows);
    }

    private static String shift(MetricResult result) {
        if (Double.isNaN(result.hodgesLehmann())) {
            return Numbers.NONE;
        }
        double shift = result.hodgesLehmann() * (result.metric().isShare() ? 100 : 1);
        return String.format(Locale.ROOT, "%+.3g", shift)
                + (result.metric().unit().isEmpty() ? "" : " ")
                + result.metric().unit();
    }

    private static void rule(RuleResult rule, Html html) {
        MetricResult seen = rule.seen();
        String[] mark = switch (rule.outcome()) {
            case KEPT -> new String[] {"✓", "good"};
            case BROKEN -> new String[] {"✗", "bad"};
            case UNDECIDED -> new String[] {"?", "warn"};
        };
        html.open("li", "class", "threshold").element("span", mark[0], "class", "mark " + mark[1]);
        html.element("span", RunText.clean(rule.rule().text()));
        html.element(
                "span",
                ComparisonText.change(seen.metric(), seen.change()) + " ("
                        + ComparisonText.interval(seen.metric(), seen.low(), seen.high()) + ")",
                "class",
                "seen");
        html.close("li");
    }

    private static void runs(Comparison comparison, Html html) {
        List<List<String>> rows = new ArrayList<>();
        for (Side side : comparison.sides()) {
            for (MeasuredRun run : side.runs()) {
                rows.add(row(side, run));
            }
            side.leftOut()
                    .forEach(line -> rows.add(List.of(
                            RunText.clean(side.name()), "excluded: " + RunText.clean(line), "", "", "", "", "", "")));
        }
        html.element("h2", "Runs");
        html.table(
                "What was compared" + (rows.size() > MAX_RUNS ? ", the first " + MAX_RUNS : ""),
                3,
                List.of("side", "run", "verdict", "started", "measured s", "ok calls", "mean ms", "lag p99 ms"),
                rows.stream().limit(MAX_RUNS).toList());
    }

    private static List<String> row(Side side, MeasuredRun run) {
        Summary summary = run.summary();
        Summary.Window measured = summary == null ? null : summary.measured();
        Statistics response = measured == null ? null : measured.responseTime();
        Statistics lag = measured == null ? null : measured.sendLag();
        String started = summary == null ? null : summary.startedAt();
        return List.of(
                RunText.clean(side.name()),
                RunText.clean(run.name()),
                run.verdict(),
                started == null ? Numbers.NONE : RunText.clean(started),
                measured == null
                        ? Numbers.NONE
                        : String.format(Locale.ROOT, "%.1f to %.1f", measured.fromSeconds(), measured.toSeconds()),
                measured == null ? Numbers.NONE : Numbers.count(measured.calls().ok()),
                response == null ? Numbers.NONE : Numbers.plain(response.mean()),
                lag == null ? Numbers.NONE : Numbers.plain(lag.p99()));
    }

    private static void method(Comparison comparison, Html html) {
        html.element("h2", "How it was compared");
        html.element(
                "p",
                String.format(
                        Locale.ROOT,
                        "Consecutive calls are correlated, so they are never treated as independent: with three "
                                + "or more runs per side, each run is one value; otherwise each block of time is one "
                                + "value, and blocks are long enough that neighbouring ones are no longer "
                                + "correlated. A metric changed if its 95 %% interval "
                                + "excludes zero, the change is above %s %% (for failed calls, 0.1 percentage points), and p, "
                                + "Holm-corrected for everything that was judged, is below %s. Values of several runs are "
                                + "geometric means. Shift is the Hodges-Lehmann estimate, the median of all differences; Cliff's "
                                + "delta shows how often one side's values exceed the other's, from -1 to 1. Random draws use "
                                + "seed %d: the same runs give the same numbers.",
                        Numbers.level(100 * comparison.settings().smallestEffect()),
                        comparison.settings().alpha(),
                        comparison.settings().seed()));
    }
}
