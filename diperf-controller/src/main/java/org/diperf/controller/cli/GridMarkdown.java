package org.diperf.controller.cli;

import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.grid.GridText;

/** A sweep, variants or trials as a part of a page: what became of the runs, the numbers of the points. */
final class GridMarkdown {

    private GridMarkdown() {}

    static String of(GridAnalysis analysis) {
        GridSummary grid = analysis.summary();
        long broken = grid.runs().stream().filter(RunSummary::broken).count();
        long open = grid.runs().stream().filter(RunSummary::open).count();
        boolean good = grid.done() == grid.planned() && broken + open == 0;
        Markdown page = new Markdown()
                .heading((good ? "✅ " : "❌ ") + Markdown.escaped(grid.experiment()) + ": " + grid.done() + " of "
                        + grid.planned() + " runs done" + thresholds(broken, "failed")
                        + thresholds(open, "are undecided")
                        + " · numbers " + grid.verdict());
        page.paragraph(Markdown.escaped(GridText.plan(grid)));
        page.paragraph(Markdown.escaped(GridText.finding(analysis)));
        page.texts(GridText.pointHead(analysis), GridText.points(analysis));
        page.texts(
                GridText.runHead(analysis),
                grid.runs().stream().map(run -> GridText.run(analysis, run)).toList());
        if (!grid.warnings().isEmpty()) {
            page.list(grid.warnings().stream().map(Markdown::escaped).toList());
        }
        return page.toString();
    }

    private static String thresholds(long runs, String what) {
        return runs == 0 ? "" : ", thresholds " + what + " in " + runs + " of them";
    }
}
