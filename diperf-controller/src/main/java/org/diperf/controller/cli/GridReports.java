package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.grid.GridText;
import org.diperf.analyzer.report.GridReport;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;

/** Analyses grids again. */
final class GridReports {

    private GridReports() {}

    /**
     * Analyses a grid again: from the summaries of its runs, or where these are to be made otherwise, from their samples.
     *
     * @param to where to write; {@code parent} itself, where the runs' own files are then made again as well
     */
    static GridAnalysis again(Path parent, Analyzer.Options options, Path to, PrintWriter print)
            throws IOException, UsageException {
        GridRecord grid = GridAnalyzer.read(parent);
        boolean asRecorded = options.equals(Analyzer.Options.AS_RECORDED);
        if (grid.order().equals(GridRecord.AS_FOUND) && !asRecorded) {
            throw new UsageException("report: expected a run or a sweep to analyse with these options, got " + parent
                    + ", which only compares runs from other folders; analyse those runs instead");
        }
        Path from = parent;
        if (!asRecorded) {
            for (RunEntry entry : grid.runs()) {
                Path run = parent.resolve(entry.dir());
                if (Files.isRegularFile(run.resolve(RunFiles.RUN))) {
                    Analysis analysis = Analyzer.analyze(run, options);
                    Reports.write(analysis, to.resolve(entry.dir()), Reports.again(run));
                }
            }
            from = to;
        }
        GridAnalysis analysis = GridAnalyzer.analyze(grid, from);
        Path experiment = parent.resolve("experiment.yml");
        write(analysis, to, Files.isRegularFile(experiment) ? Reports.again(parent) : "", print);
        return analysis;
    }

    /** Writes what an analysis leaves in a folder, and prints its table. */
    static void write(GridAnalysis analysis, Path to, String again, PrintWriter print) throws IOException {
        GridAnalyzer.write(analysis, to);
        GridReport.write(analysis, to, again);
        print.println(analysis.summary().experiment() + " · " + GridText.plan(analysis.summary()));
        print.println();
        print.print(GridText.render(analysis, Terminal.screen(), Terminal.path(to.resolve("report.html")), again));
        print.flush();
    }
}
