package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.ThresholdResult;
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

    /** Returns what to look at in a folder of results. */
    static Path shown(Path folder, boolean withReport) {
        return folder.resolve(withReport ? "report.html" : "summary.json");
    }

    /** Says where the report is, or what makes it. */
    static String place(Path folder, boolean withReport) {
        return withReport ? Terminal.path(shown(folder, true)) : "none; to create one: diperf report " + folder;
    }

    /** Returns the command that repeats a run, or, of calls that were imported, that makes its report again. */
    static String again(Path runDir) {
        Path experiment = runDir.resolve("experiment.yml");
        return Files.isRegularFile(experiment) ? "diperf run " + experiment : "diperf report " + runDir;
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
                        + failure.remedy() + ", then create it with: diperf report " + folder,
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
                            + ". Nothing was lost; " + failure.remedy() + ", then write it with: diperf report "
                            + folder
                            + " --junit " + file + (options.strict ? " --strict" : ""),
                    e);
        }
    }

    /** Says in a line how a run ended, and the first reason to doubt it. */
    static String ending(Analysis analysis) {
        Verdict verdict = Verdict.of(analysis);
        return verdict.result()
                + Stream.concat(verdict.reasons().stream(), verdict.notes().stream())
                        .findFirst()
                        .map(reason -> ": " + reason)
                        .orElse("");
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
