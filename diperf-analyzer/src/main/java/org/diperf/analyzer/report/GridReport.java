package org.diperf.analyzer.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.figure.GridFigures;
import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridNames;
import org.diperf.analyzer.grid.GridSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.grid.GridText;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.folder.AtomicFile;

/** Writes {@code figures/} and {@code report.html} of a grid, whose tables lead to the reports of its runs. */
public final class GridReport {

    /** More rows would make a page that nobody reads; all of them are in {@code runs.csv}. */
    private static final int MAX_RUNS = 1_000;

    private static final long TEXT_BYTES = 1_000_000;
    private static final int MAX_WARNINGS = 50;

    private final GridAnalysis analysis;
    private final GridSummary grid;
    private final Path folder;
    private final Html html = new Html();

    private GridReport(GridAnalysis analysis, Path folder) {
        this.analysis = analysis;
        this.grid = analysis.summary();
        this.folder = folder;
    }

    /**
     * Writes the report of a grid.
     *
     * @param folder exists; files of the same names are replaced; the runs' folders are looked for in it
     * @param againCommand that repeats the grid; {@code ""}: there is none
     */
    public static void write(GridAnalysis analysis, Path folder, String againCommand) throws IOException {
        Figures.Result figures = GridFigures.write(analysis, folder.resolve("figures"));
        AtomicFile.write(folder.resolve("report.html"), new GridReport(analysis, folder).html(figures, againCommand));
    }

    private String html(Figures.Result figures, String againCommand) {
        html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head").raw("<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\""
                + " content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.element("title", RunText.clean(grid.experiment()) + " · DiPerF");
        html.raw("<style>\n").raw(Style.SHEET).raw("</style>\n").close("head").open("body");
        header();
        html.open("main");
        html.element("p", GridText.finding(analysis), "class", "finding");
        String problem = figures.problem();
        if (problem != null) {
            html.element("p", "Some figures are missing: " + problem + ".", "class", "note");
        }
        Images images = new Images(Report.MAX_BYTES - TEXT_BYTES);
        figures.figures().stream().limit(1).forEach(figure -> images.figure(html, figure));
        points();
        warnings();
        figures.figures().stream().skip(1).forEach(figure -> images.figure(html, figure));
        runs();
        method(againCommand);
        html.close("main");
        html.element("footer", "Written by DiPerF. This page is self-contained: it loads nothing and runs no scripts.");
        return html.close("body", "html").toString();
    }

    private void header() {
        html.open("header").open("nav");
        html.element("a", "points", "href", "#points");
        html.element("a", "runs", "href", "#runs");
        html.element("a", "method", "href", "#method");
        html.close("nav");
        html.element("h1", RunText.clean(grid.experiment()));
        String colour = grid.verdict().equals("valid") ? "good" : grid.verdict().equals("suspect") ? "warn" : "bad";
        html.text(" ").element("span", grid.verdict(), "class", "badge " + colour);
        html.element(
                "p", GridText.plan(grid) + (grid.startedAt() == null ? "" : " · " + grid.startedAt()), "class", "meta");
        html.close("header");
    }

    private void points() {
        html.element("h2", "Points", "id", "points");
        html.table(
                (grid.trials().count() > 1
                                ? "Medians over the trials of each point, in the measured part of each run"
                                : "In the measured part")
                        + "; times are for ok calls, from their intended start"
                        + (grid.trials().count() > 1
                                ? ". The interval is for the mean throughput (95 %, Student's t, 3 or more trials)"
                                : "")
                        + (grid.points().stream().anyMatch(point -> point.saturation() != null)
                                ? ". Saturation is the number of clients beyond which throughput no longer grows"
                                : ""),
                GridText.textColumns(analysis),
                GridText.pointHead(analysis),
                GridText.points(analysis));
    }

    private void warnings() {
        if (grid.warnings().isEmpty()) {
            return;
        }
        List<String> shown = new ArrayList<>(
                grid.warnings().stream().limit(MAX_WARNINGS).map(RunText::clean).toList());
        if (grid.warnings().size() > MAX_WARNINGS) {
            shown.add((grid.warnings().size() - MAX_WARNINGS) + " more are in summary.json");
        }
        html.element("h3", "Worth knowing");
        html.list(shown, "class", "reasons");
    }

    /** Writes the table by hand: its first column leads to the run's own report. */
    private void runs() {
        html.element("h2", "Runs", "id", "runs");
        String caption = "In order of execution; the number links to the run's own report";
        html.open("div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", caption);
        html.open("table").element("caption", caption).open("thead").open("tr");
        int text = 1 + GridText.settingColumns(grid);
        List<String> head = GridText.runHead(analysis);
        for (int i = 0; i < head.size(); i++) {
            html.element("th", head.get(i), "scope", "col", "class", kind(i, text, head.size()));
        }
        html.close("tr", "thead").open("tbody");
        for (RunSummary run :
                grid.runs().subList(0, Math.min(MAX_RUNS, grid.runs().size()))) {
            List<String> row = GridText.run(analysis, run);
            html.open("tr").open("th", "scope", "row", "class", "t");
            if (Files.exists(folder.resolve(run.dir()).resolve("report.html"))) {
                html.element("a", row.get(0), "href", link(run.dir()) + "/report.html", "title", run.dir());
            } else {
                html.text(row.get(0));
            }
            html.close("th");
            for (int i = 1; i < row.size(); i++) {
                html.element("td", row.get(i), "class", kind(i, text, row.size()));
            }
            html.close("tr");
        }
        html.close("tbody", "table", "div");
        if (grid.runs().size() > MAX_RUNS) {
            html.element("p", (grid.runs().size() - MAX_RUNS) + " more are in runs.csv", "class", "note");
        }
    }

    private static String kind(int column, int text, int columns) {
        return column < text || column == columns - 1 ? "t" : "n";
    }

    /** Escapes what would end a path within an address; folders that DiPerF names have nothing of that kind. */
    private static String link(String dir) {
        return dir.replace("%", "%25").replace("?", "%3F").replace("#", "%23");
    }

    private void method(String againCommand) {
        html.element("h2", "Method", "id", "method");
        List<List<String>> rows = new ArrayList<>();
        GridNames names = GridNames.of(grid);
        grid.axes()
                .forEach(axis -> rows.add(List.of(
                        names.name(axis.path()),
                        RunText.clean(axis.path()) + ": "
                                + RunText.clean(String.join(
                                        ", ",
                                        axis.values().stream()
                                                .map(GridNames::text)
                                                .toList())))));
        grid.variants().forEach((name, sets) -> rows.add(List.of("variant " + name, sets(sets))));
        if (!GridText.isAsFound(grid)) {
            rows.add(List.of("trials", trials()));
        }
        rows.add(List.of("order", order()));
        if (grid.excluded() > 0) {
            rows.add(List.of("excluded", grid.excluded() + " combinations, by 'except'"));
        }
        rows.add(
                List.of(
                        "statistics",
                        "Medians and quartiles are computed from the results of the individual trials."
                                + (grid.finding() == null
                                        ? ""
                                        : " The best point is compared with the next best by the means of their trials (Welch), corrected "
                                                + "for all pairs of points (Holm), because the two best are selected from the same trials.")));
        if (!againCommand.isEmpty()) {
            rows.add(List.of("again", RunText.clean(againCommand)));
        }
        html.definitions(rows);
    }

    private static String sets(Map<String, Object> sets) {
        List<String> words = new ArrayList<>();
        sets.forEach((path, value) -> words.add(path + ": " + GridNames.text(value)));
        return words.isEmpty() ? "the experiment unchanged" : RunText.clean(String.join(", ", words));
    }

    private String trials() {
        int count = grid.trials().count();
        return count == 1
                ? "one per point, so the scatter between trials is not known"
                : count + " per point, "
                        + (grid.trials().order().equals("interleaved")
                                ? "every point runs once before any is repeated"
                                : "all trials of a point in a row: drift in the machine would look like an effect");
    }

    private String order() {
        return switch (grid.order()) {
            case "shuffled" -> "shuffled with seed " + grid.seed() + ", to keep drift from looking like an effect";
            case "given" -> "as in the file: drift in the machine would look like an effect";
            default -> "earlier runs, shown side by side";
        };
    }
}
