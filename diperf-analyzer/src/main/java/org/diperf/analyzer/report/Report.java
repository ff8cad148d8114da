package org.diperf.analyzer.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private Report() {}

    /**
     * Writes the report of a run beside its other files.
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
        Figures.Result figures = Figures.write(analysis, outDir.resolve("figures"));
        AtomicFile.write(outDir.resolve("report.html"), html(analysis, outDir, figures, againCommand));
    }

    /** Returns what makes all of a report in memory, in small steps, each to be taken once and in this order. */
    public static List<Runnable> rehearsal(Analysis analysis, Path outDir) {
        List<Figures.Drawn> drawn = new ArrayList<>();
        List<Runnable> steps = new ArrayList<>();
        Figures.drawings(analysis).forEach(drawing -> steps.add(() -> drawn.add(drawing.get())));
        steps.add(() -> html(analysis, outDir, new Figures.Result(drawn, null), ""));
        return steps;
    }

    static String html(Analysis analysis, Path outDir, Figures.Result figures, String againCommand) {
        Html html = new Html();
        head(html, RunText.clean(analysis.run().experiment()), "; script-src " + LiveChart.policy(), LiveChart.sheet());

        Images images = new Images(MAX_BYTES - TEXT_BYTES);
        LiveChart chart = new LiveChart(analysis);
        OverviewSection first = new OverviewSection(analysis, html);
        first.header();
        html.open("main");
        first.body(figures, images, chart, RunText.clean(againCommand));
        html.element("h2", "Figures", "id", "figures");
        String problem = figures.problem();
        if (problem != null) {
            html.element("p", "Some figures are missing: " + problem + ".", "class", "note");
        }
        List<Figures.Drawn> drawn = figures.figures();
        // The first one is on the first screen.
        for (Figures.Drawn figure : drawn.subList(Math.min(1, drawn.size()), drawn.size())) {
            chart.figure(html, images, figure);
        }
        CallSection.write(analysis, html);
        CapacitySection.write(analysis, html);
        ServerSection.write(analysis, html);
        AnnexSection.write(analysis, html);
        NetworkSection.write(analysis, html);
        new Tables(analysis, html).all();
        new MethodSection(analysis, html).write(outDir);
        html.close("main");
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
        head(html, title, "", "");
    }

    /** Begins a page, up to its body, with what it adds to the page's policy and to its style sheet. */
    private static void head(Html html, String title, String policy, String sheet) {
        html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head").raw("<meta charset=\"utf-8\">\n");
        // A second lock behind the escaping: whatever gets in, the page runs no script but ours and loads nothing.
        html.raw("<meta http-equiv=\"Content-Security-Policy\""
                + " content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'" + policy + "\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.element("title", title + " · DiPerF");
        html.raw("<style>\n")
                .raw(Style.SHEET)
                .raw(sheet)
                .raw("\n</style>\n")
                .close("head")
                .open("body");
    }
}
