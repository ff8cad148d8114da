package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Analyses a finished run again. */
@Command(
        name = "report",
        description = {
            "Analyses a run again from its samples and writes summary.json, CSV files, figures and report.html. Also"
                    + " works on an interrupted run. For several runs, or sweeps, prints one table.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf report --quantum 5s                     for runs/latest",
            "  diperf report runs/latest --window 20s..50s --out closer-look",
            "  diperf report runs/latest --group-by host",
            "  diperf report runs/small runs/medium runs/large --out table     one table over several runs",
            "",
            "Exit codes: 0 done, all thresholds met; 2 bad usage; 3 no such run, no call succeeded, or a",
            "search found no value; 99 a threshold failed.",
        })
final class ReportCommand extends ResultCommand {

    @Parameters(
            paramLabel = "RUN_DIR",
            arity = "0..*",
            description = "A run folder; several are shown side by side. Default: runs/latest.")
    List<Path> runDirs = List.of();

    @Option(
            names = "--quantum",
            paramLabel = "DURATION",
            description = "Time per point of a series, such as 500ms or 5s.")
    @Nullable
    String quantum;

    @Option(
            names = "--smooth",
            paramLabel = "DURATION|POINTS",
            description = "Width of the moving average, such as 60s, or 60 (points).")
    @Nullable
    String smooth;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description = "Part of the run to analyse: whole, peak, or FROM..TO after the start, such as 20s..50s.")
    @Nullable
    String window;

    @Option(
            names = "--group-by",
            paramLabel = "WHAT",
            description = "Split the run by host, tester, request, or a node label such as site. Default: the run's "
                    + "groups, if any.")
    @Nullable
    String groupBy;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Output folder. Default: RUN_DIR. For several runs, nothing is written by default.")
    @Nullable
    Path out;

    @Mixin
    VerdictOptions verdict;

    @Mixin
    SummaryOption summary;

    @Override
    public Integer call() throws Exception {
        Analyzer.Options options = options();
        StepSummary page = summary.page();
        if (runDirs.size() > 1) {
            if (verdict.junit != null || verdict.strict || summary.isWanted()) {
                throw new UsageException(
                        "report: --junit, --strict and --github-summary require a single run or sweep, got "
                                + runDirs.size());
            }
            if (!options.equals(Analyzer.Options.AS_RECORDED)) {
                throw new UsageException(
                        "report: --quantum, --smooth, --window and --group-by require a single run, got "
                                + runDirs.size()
                                + "; report on each run separately first, with a separate --out folder for each");
            }
            GridAnalysis table = SideBySideTable.report(runDirs, out, stdout());
            result(Map.of("summary", table.summary()));
            return GridSession.exitCode(table, false);
        }
        Path runDir = RunFolders.given(runDirs.isEmpty() ? null : runDirs.get(0), spec);
        Path to = out == null ? runDir : out;
        if (GridAnalyzer.isGrid(runDir)) {
            GridAnalysis analysis = GridReports.again(runDir, options, to, stdout());
            if (verdict.junit != null) {
                JUnitXml.write(verdict.junit, "diperf run", RunTestCases.of(analysis.summary(), verdict.strict));
            }
            page.append(GridMarkdown.of(analysis), stderr());
            return result(to, GridSession.exitCode(analysis, verdict.strict));
        }
        Analysis analysis = Analyzer.analyze(runDir, options);
        requireWindow(options.window(), analysis.summary().durationSeconds());
        String again = Reports.again(runDir);
        Reports.write(analysis, to, again);
        if (verdict.junit != null) {
            JUnitXml.write(verdict.junit, "diperf run", RunTestCases.of(analysis.summary(), verdict.strict));
        }
        page.append(RunMarkdown.of(analysis, again, true), stderr());
        PrintWriter print = stdout();
        print.println(RunText.header(analysis.run()));
        print.println();
        print.print(Reports.screen(analysis, Terminal.path(to.resolve("report.html")), runDir, "", verdict.explain));
        return result(to, Reports.exitCode(analysis, verdict.strict));
    }

    private Analyzer.Options options() throws UsageException {
        String width = smooth == null ? "" : smooth;
        boolean points = width.matches("[0-9]+");
        if (points && !width.matches("[1-9][0-9]{0,5}")) {
            throw new UsageException("--smooth: expected 1 to 999999 points, got '" + width + "'");
        }
        return new Analyzer.Options(
                quantum == null ? null : positive("--quantum", quantum),
                width.isEmpty() || points ? null : positive("--smooth", width),
                points ? Integer.parseInt(width) : 0,
                window == null ? null : window(window),
                groupBy);
    }

    private static Duration positive(String option, String text) throws UsageException {
        Duration duration = duration(option, text);
        if (duration.isZero()) {
            throw new UsageException(option + ": expected more than zero, got '" + text + "'");
        }
        return duration;
    }

    private static Duration duration(String option, String text) throws UsageException {
        return UsageException.reading(option, () -> Quantity.duration(text));
    }

    /** Refuses a part of a run that begins when the run has ended: the report would be of something else. */
    private static void requireWindow(@Nullable MeasureRecord window, double runSeconds) throws UsageException {
        if (window != null && window.fromNanos() / 1e9 >= runSeconds) {
            throw new UsageException(String.format(
                    Locale.ROOT,
                    "--window: expected a part of the run, which lasted %.3f s; got one that starts at %.3f s",
                    runSeconds,
                    window.fromNanos() / 1e9));
        }
    }

    /** Reads what {@code --window} says. */
    static MeasureRecord window(String text) throws UsageException {
        if (text.equals("whole") || text.equals("peak")) {
            return new MeasureRecord(text, 0, 0, 0);
        }
        String[] ends = text.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw new UsageException("--window: expected whole, peak or FROM..TO, e.g. 20s..50s, got '" + text + "'");
        }
        long from = duration("--window", ends[0]).toNanos();
        long to = duration("--window", ends[1]).toNanos();
        if (from >= to) {
            throw new UsageException("--window: expected FROM before TO, got '" + text + "'");
        }
        return new MeasureRecord("range", from, to, 0);
    }
}
