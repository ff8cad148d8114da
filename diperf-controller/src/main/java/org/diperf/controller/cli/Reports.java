package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.Verdict;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.run.RunRecord;

/** Writes what an analysis leaves in a folder, and says how its command ends. */
final class Reports {

    private Reports() {}

    static void write(Analysis analysis, Path folder, String again) throws IOException {
        write(analysis, folder, again, true);
    }

    /** @param withReport or the numbers alone */
    static void write(Analysis analysis, Path folder, String again, boolean withReport) throws IOException {
        Analyzer.write(analysis, folder);
        if (withReport) {
            Report.write(analysis, folder, again);
        }
    }

    /**
     * Returns what ends a run on a terminal.
     *
     * @param place of the report
     * @param more what else the commands that are shown need, with a blank before it; empty: nothing
     * @param explains whether to say what the verdict rests on
     */
    static String screen(Analysis analysis, String place, Path runDir, String more, boolean explains) {
        Path experiment = runDir.resolve("experiment.yml");
        CallCounts calls = analysis.summary().calls();
        boolean look = calls.total() > 0 && calls.ok() == 0 && Files.isRegularFile(experiment);
        return SummaryTable.render(analysis, Terminal.screen(), place, again(runDir) + more, explains)
                + (look
                        ? " look    " + Invocation.command("try", experiment) + more
                                + "   shows one call's request and response\n"
                        : "");
    }

    /** Returns what to look at in a folder of results. */
    static Path shown(Path folder, boolean withReport) {
        return folder.resolve(withReport ? "report.html" : "summary.json");
    }

    /** Says where the report is, or what makes it. */
    static String place(Path folder, boolean withReport) {
        return withReport
                ? Terminal.path(shown(folder, true))
                : "none; to create one: " + Invocation.command("report", folder);
    }

    /** Returns the command that repeats a run, or, of calls that were imported, that makes its report again. */
    static String again(Path runDir) {
        Path experiment = runDir.resolve("experiment.yml");
        return Files.isRegularFile(experiment)
                ? Invocation.command("run", experiment)
                : Invocation.command("report", runDir);
    }

    /**
     * Says what to do when a report could not be written whose samples are all there.
     *
     * @param what the report is of, such as {@code of a run that is complete}
     */
    static RunFailedException notWritten(String what, Path folder, IOException problem) {
        DiskFailure failure = DiskFailure.of(problem, folder);
        return new RunFailedException(
                "Could not write the report " + what + ": " + failure.found() + ". All samples are saved; "
                        + failure.remedy() + ", then create it with: " + Invocation.command("report", folder),
                problem);
    }

    /**
     * Writes a verdict as JUnit XML when all else is written; says what to do when it cannot be.
     *
     * @param what the verdict is of, such as {@code of a run that is complete}
     * @param folder of the results
     * @param options that say where it goes, and how strict it is
     */
    static void writeVerdict(String what, Path folder, VerdictOptions options, List<JUnitXml.Case> cases)
            throws RunFailedException {
        Path file = options.junit;
        if (file == null) {
            return;
        }
        try {
            JUnitXml.write(file, "diperf run", cases);
        } catch (IOException e) {
            DiskFailure failure = DiskFailure.of(e, file);
            throw new RunFailedException(
                    "Could not write the verdict " + what + " with its report: " + failure.found()
                            + ". Nothing was lost; " + failure.remedy() + ", then write it with: "
                            + Invocation.command("report", folder, "--junit", file)
                            + (options.strict ? " --strict" : ""),
                    e);
        }
    }

    /** Says in a line how a run ended: the thresholds that do not hold, or why no call succeeded, or the first reason to doubt it. */
    static String ending(Analysis analysis) {
        if (analysis.summary().calls().ok() == 0) {
            return Verdict.headline(analysis);
        }
        Verdict verdict = Verdict.of(analysis);
        String unmet = unmet(analysis.summary()).collect(Collectors.joining(" · "));
        String why = !unmet.isEmpty()
                ? unmet
                : Stream.concat(verdict.reasons().stream(), verdict.notes().stream())
                        .findFirst()
                        .orElse("");
        return verdict.result() + (why.isEmpty() ? "" : ": " + why);
    }

    /** Says of each threshold that does not hold what was seen. */
    static Stream<String> unmet(Summary summary) {
        return summary.thresholds().stream()
                .filter(threshold -> !threshold.holds())
                .map(threshold -> (threshold.open() ? "? " : "✗ ") + RunText.clean(threshold.expression()) + ": "
                        + RunText.clean(threshold.observed()));
    }

    /** @param strict whether a suspect verdict and an undecided threshold count as a failed one */
    static int exitCode(Analysis analysis, boolean strict) {
        String verdict = analysis.summary().verdict();
        if (verdict.equals("failed")) {
            return ExitCode.NOT_CARRIED_OUT;
        }
        List<ThresholdResult> thresholds = analysis.summary().thresholds();
        boolean broken = thresholds.stream().anyMatch(ThresholdResult::fails);
        boolean open = thresholds.stream().anyMatch(ThresholdResult::open);
        if (broken || strict && (open || verdict.equals("suspect"))) {
            return ExitCode.THRESHOLD;
        }
        return open || Verdict.isWithoutResult(analysis) || analysis.run().end() == RunRecord.End.ABORTED
                ? ExitCode.NOT_CARRIED_OUT
                : ExitCode.DONE;
    }
}
