package org.diperf.analyzer.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.folder.AtomicFile;

/** Writes {@code figures/} and {@code report.html}. */
public final class Report {

    /** No report is larger, bytes. */
    static final long MAX_BYTES = 5_000_000;

    /** What all that is not an image may take. Its rows and the lengths of its texts are bounded. */
    static final long TEXT_BYTES = 1_000_000;

    /** What is seen before "more" is read in a minute. */
    private static final int MAX_SHOWN = 8;

    /** More figures of the width of the page would make it too long. */
    private static final int MAX_FULL_WIDTH = 4;

    /** What the service did; figures of the load generator, its clocks and its network are behind "more", and so is what a table says. */
    private static final Pattern FIRST_RANK = Pattern.compile("search|levels|model|main|heat|percentiles|funnel|"
            + "load-throughput-response|failures|(custom|groups|server|client-server)-?.*");

    private static final String NAME = "report.html";
    private static final String PENDING = "<meta http-equiv=\"refresh\" content=\"1\">\n";

    private Report() {}

    /**
     * Writes the report of a run next to its other files.
     *
     * @param outDir exists; files of the same names are replaced
     */
    public static void write(Analysis analysis, Path outDir) throws IOException {
        write(analysis, outDir, "diperf run " + outDir.resolve("experiment.yml"));
    }

    /**
     * Writes the report of a run.
     *
     * @param outDir exists; files of the same names are replaced
     * @param againCommand that repeats the run
     */
    public static void write(Analysis analysis, Path outDir, String againCommand) throws IOException {
        write(analysis, outDir, againCommand, Figures.draw(analysis));
    }

    private static void write(Analysis analysis, Path outDir, String againCommand, Figures.Result figures)
            throws IOException {
        Figures.write(figures, outDir.resolve("figures"));
        AtomicFile.write(outDir.resolve(NAME), html(analysis, outDir, figures, againCommand));
    }

    /**
     * Writes a page in the report's place that asks for it again and again until {@link #complete} has written it.
     *
     * @param outDir exists; a report that is there is replaced
     * @param table what is known meanwhile
     * @param remedy command that writes the report, should nobody complete it
     */
    public static void begin(Analysis analysis, Path outDir, String table, String remedy) throws IOException {
        Html html = new Html();
        head(html, RunText.clean(analysis.run().experiment()), "", "", PENDING);
        html.open("main");
        html.element(
                "p",
                "The report is being made and appears here when it is complete. If it does not within a "
                        + "minute, create it with: " + RunText.clean(remedy));
        html.element("pre", table);
        html.close("main", "body", "html");
        AtomicFile.write(outDir.resolve(NAME), html.toString());
    }

    /**
     * Writes the report that {@link #begin} left open; one that somebody else has written meanwhile stays.
     *
     * @param againCommand that repeats the run
     */
    public static void complete(Analysis analysis, Path outDir, String againCommand) throws IOException {
        Figures.Result figures = Figures.draw(analysis);
        if (isPending(outDir)) {
            write(analysis, outDir, againCommand, figures);
        }
    }

    /** Returns whether the report of a folder is still to be completed. */
    private static boolean isPending(Path outDir) throws IOException {
        Path report = outDir.resolve(NAME);
        return Files.exists(report)
                && Files.size(report) < TEXT_BYTES
                && Files.readString(report).contains(PENDING);
    }

    static String html(Analysis analysis, Path outDir, Figures.Result figures, String againCommand) {
        Html html = new Html();
        head(
                html,
                RunText.clean(analysis.run().experiment()),
                "; script-src " + LiveChart.policy(),
                LiveChart.sheet(),
                "");

        Images images = new Images(MAX_BYTES - TEXT_BYTES);
        LiveChart chart = new LiveChart(analysis);
        OverviewSection first = new OverviewSection(analysis, html);
        first.header();
        html.open("main");
        List<Figures.Drawn> drawn = new ArrayList<>(figures.figures());
        Figures.Drawn opening = drawn.isEmpty() ? null : drawn.remove(0);
        List<Figures.Drawn> shown = drawn.stream()
                .filter(figure -> FIRST_RANK.matcher(figure.name()).matches())
                .limit(MAX_SHOWN - 1)
                .toList();
        drawn.removeAll(shown);
        Tables tables = new Tables(analysis, html);
        first.side(RunText.clean(againCommand));
        html.open("div", "id", "requests");
        tables.mainRequests();
        if (opening == null) {
            html.element("p", "No figures: " + figures.problem() + ".", "class", "note");
        } else {
            chart.figure(html, images, opening);
        }
        html.close("div", "section");
        tables.mainParts();
        html.open("div", "id", "figures", "class", shown.size() > MAX_FULL_WIDTH ? "pairs" : "wide");
        shown.forEach(figure -> chart.figure(html, images, figure));
        html.close("div");
        html.open("details", "class", "more")
                .element("summary", "More: all other figures and tables, testers, clocks, how it was measured");
        String problem = figures.problem();
        if (problem != null) {
            html.element("p", "Some figures are missing: " + problem + ".", "class", "note");
        }
        drawn.forEach(figure -> chart.figure(html, images, figure));
        CallSection.write(analysis, html);
        CapacitySection.write(analysis, html);
        ServerSection.write(analysis, html);
        AnnexSection.write(analysis, html);
        NetworkSection.write(analysis, html);
        tables.others();
        new MethodSection(analysis, html).write(outDir);
        html.close("details", "main");
        html.element(
                "footer",
                "Written by DiPerF " + RunText.clean(analysis.run().diperfVersion())
                        + ". This page is self-contained: it loads nothing and sends nothing; the chart at the top is "
                        + "drawn by uPlot (MIT licence).");
        chart.scripts(html);
        return html.close("body", "html").toString();
    }

    /** Begins a page that runs no scripts, up to its body. */
    static void head(Html html, String title) {
        head(html, title, "", "", "");
    }

    /** Begins a page, up to its body, with what it adds to the page's policy, its style sheet and what browsers do with it. */
    private static void head(Html html, String title, String policy, String sheet, String refresh) {
        html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head").raw("<meta charset=\"utf-8\">\n");
        // A second lock behind the escaping: whatever gets in, the page runs no script but ours and loads nothing.
        html.raw("<meta http-equiv=\"Content-Security-Policy\""
                + " content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'" + policy + "\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw(refresh).element("title", title + " · DiPerF");
        html.raw("<style>\n")
                .raw(Style.SHEET)
                .raw(sheet)
                .raw("\n</style>\n")
                .close("head")
                .open("body");
    }
}
