package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.grid.GridSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.grid.GridText;
import org.diperf.analyzer.report.GridReport;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.Verdict;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.experiment.ExperimentGrid;
import org.diperf.controller.grid.Axis;
import org.diperf.controller.grid.GridFolder;
import org.diperf.controller.grid.GridRuns;
import org.diperf.controller.grid.GridRuns.Outcome;
import org.diperf.controller.grid.PlannedRun;
import org.diperf.controller.page.LivePage;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.progress.ServiceStartException;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.AxisRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.diperf.core.run.GridRecord.TrialsRecord;
import org.diperf.core.run.RunRecord;
import org.jspecify.annotations.Nullable;

/** Carries out a grid of runs and reports on it. Used once, on one thread. */
final class GridSession implements GridRuns.Runner {

    private static final String SUSPECT = "suspect";
    private static final int MAX_NAMED = 3;

    /**
     * How it is shown.
     *
     * @param quiet print nothing but errors
     * @param noProgress print no live lines
     * @param debug timeouts and leases stand still
     * @param verdict how strict it is, and where it is written as JUnit XML
     * @param latest point {@code runs/latest} at the grid
     * @param withReport draw figures and reports
     * @param page where to add it as Markdown
     * @param live shows the runs while they are under way; {@code null}: nothing does
     */
    record Options(
            boolean quiet,
            boolean noProgress,
            boolean debug,
            VerdictOptions verdict,
            boolean latest,
            boolean withReport,
            StepSummary page,
            @Nullable LivePage live) {}

    private final ExperimentGrid grid;
    private final Path folder;
    private final PluginOptions.Loaded plugins;
    private final Options options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final GridProgress progress;
    private volatile @Nullable ExperimentRun underWay;
    private volatile boolean interrupted;

    GridSession(
            ExperimentGrid grid,
            Path folder,
            PluginOptions.Loaded plugins,
            Options options,
            PrintWriter out,
            PrintWriter err) {
        this.grid = grid;
        this.folder = folder;
        this.plugins = plugins;
        this.options = options;
        this.out = out;
        this.err = err;
        this.progress = new GridProgress(out, err, !options.quiet(), !options.quiet() && !options.noProgress());
    }

    /** Returns the planned length of all runs with the pauses between them; empty: nobody knows. */
    static OptionalLong longestNanos(ExperimentGrid grid) {
        List<PlannedRun> runs = grid.runs();
        long all = (runs.size() - 1L) * grid.grid().trials().pause().toNanos();
        for (PlannedRun run : runs) {
            OptionalLong longest =
                    grid.resolved().get(run.point().index()).experiment().load().longestNanos();
            if (longest.isEmpty()) {
                return OptionalLong.empty();
            }
            all += longest.getAsLong();
        }
        return OptionalLong.of(all);
    }

    /** Begins a grid in an empty folder. */
    int begin() throws IOException, RunFailedException, InterruptedException {
        List<RunEntry> runs = new ArrayList<>();
        for (PlannedRun run : grid.runs()) {
            runs.add(new RunEntry(run.number(), run.dir(), run.point().set(), run.trial(), State.PLANNED, null));
        }
        List<AxisRecord> axes = new ArrayList<>();
        for (Axis axis : grid.grid().axes()) {
            axes.add(new AxisRecord(axis.path(), axis.name(), axis.values()));
        }
        var trials = grid.grid().trials();
        GridRecord record = new GridRecord(
                GridRecord.FORMAT,
                grid.name(),
                grid.labels(),
                grid.seed(),
                Version.diperf(),
                Instant.now().toString(),
                axes,
                grid.grid().variants(),
                new TrialsRecord(trials.count(), trials.order(), trials.pause().toNanos()),
                grid.grid().shuffled() ? "shuffled" : "given",
                (int) (grid.grid().whole() - grid.points().size()),
                runs);
        new GridFolder(folder).writeExperiment(grid.yaml());
        return carryOut(record);
    }

    /** Goes on with a grid whose folder has a record already. */
    int resume() throws IOException, RunFailedException, InterruptedException, UsageException {
        GridRecord record = GridAnalyzer.read(folder);
        List<PlannedRun> runs = grid.runs();
        boolean same = record.runs().size() == runs.size();
        for (int i = 0; same && i < runs.size(); i++) {
            same = record.runs().get(i).dir().equals(runs.get(i).dir());
        }
        if (!same) {
            throw new UsageException("--resume: expected the runs in " + folder.resolve(GridRecord.FILE)
                    + ", got: " + folder.resolve("experiment.yml")
                    + " describes different runs, because it has changed since. Start again with: diperf run");
        }
        return carryOut(record);
    }

    /** Carries it out while nobody else does, or removes it. */
    private int carryOut(GridRecord record) throws IOException, RunFailedException, InterruptedException {
        FolderLock taken = FolderLock.takeIfFree(folder);
        if (taken == null) {
            throw new RunFailedException(
                    "Another process is already executing the runs in " + folder + "; stop it first");
        }
        try (taken) {
            try {
                return carryOutAlone(record);
            } finally {
                Files.deleteIfExists(folder.resolve(FolderLock.FILE));
            }
        }
    }

    private int carryOutAlone(GridRecord record) throws IOException, RunFailedException, InterruptedException {
        GridRuns runs = new GridRuns(
                new GridFolder(folder),
                run -> grid.resolved()
                        .get(run.point().index())
                        .experiment()
                        .load()
                        .lengthNanos(),
                grid.grid().trials().pause().toNanos(),
                NanoClock.SYSTEM,
                GridRuns.Pause.REAL);
        Runnable stop = () -> {
            interrupted = true;
            runs.stop();
            ExperimentRun run = underWay;
            if (run != null) {
                run.interrupt("by the user");
            }
        };
        try (StopSignals signals = new StopSignals(stop)) {
            GridRecord done = carryOut(runs, record);
            progress.phase("analysing");
            boolean strict = options.verdict().strict;
            Path shown = options.latest() ? RunFolders.linkLatest(folder) : folder;
            GridAnalysis analysis = GridAnalyzer.analyze(done, folder);
            String again = Reports.again(folder) + plugins.words();
            try {
                GridAnalyzer.write(analysis, folder);
                if (options.withReport()) {
                    GridReport.write(analysis, folder, again);
                }
            } catch (IOException e) {
                progress.end();
                throw Reports.notWritten("of the finished runs", folder, e);
            }
            LivePage live = options.live();
            if (live != null) {
                live.turnIntoReport(folder);
            }
            progress.end();
            if (!options.quiet()) {
                boolean whole = analysis.summary().done() == analysis.summary().planned();
                out.println();
                out.print(GridText.render(
                        analysis,
                        Terminal.screen(),
                        Reports.place(shown, options.withReport()),
                        whole ? again : Invocation.command("run", "--resume", folder)));
                out.flush();
            }
            Reports.writeVerdict(
                    "of the finished runs", folder, options.verdict(), RunTestCases.of(analysis.summary(), strict));
            options.page().append(GridMarkdown.of(analysis), err);
            int code = signals.exitCode() != 0 ? signals.exitCode() : exitCode(analysis, strict);
            if (options.quiet() && code != ExitCode.DONE) {
                err.println(analysis.summary().done() + " of "
                        + analysis.summary().planned()
                        + " runs were completed" + brokenRuns(analysis.summary())
                        + "; see " + Reports.shown(shown, options.withReport()));
            }
            return code;
        }
    }

    private static String brokenRuns(GridSummary grid) {
        List<String> broken = grid.runs().stream()
                .filter(RunSummary::broken)
                .map(RunSummary::dir)
                .toList();
        return broken.isEmpty()
                ? ""
                : ", and a threshold failed in "
                        + String.join(", ", broken.subList(0, Math.min(MAX_NAMED, broken.size())))
                        + (broken.size() > MAX_NAMED ? " and " + (broken.size() - MAX_NAMED) + " more" : "");
    }

    /** Carries out the runs; where the disk fails, those that are left need not be tried. */
    private GridRecord carryOut(GridRuns runs, GridRecord record)
            throws IOException, RunFailedException, InterruptedException {
        try {
            return runs.carryOut(record, grid.runs(), this, progress);
        } catch (IOException e) {
            progress.end();
            DiskFailure failure = DiskFailure.of(e, folder);
            if (!failure.isOfDisk()) {
                throw e;
            }
            throw new RunFailedException(
                    "Could not save the runs in " + folder + ": " + failure.found()
                            + ". What was measured so far is saved; " + failure.remedy()
                            + ", then continue with: " + Invocation.command("run", "--resume", folder),
                    e);
        }
    }

    @Override
    public Outcome run(PlannedRun planned) throws IOException, InterruptedException {
        Path runFolder = folder.resolve(planned.dir());
        LivePage shown = options.live();
        if (shown != null) {
            shown.place("run " + planned.number() + " of " + grid.runs().size());
        }
        try {
            ExperimentFile.Resolved resolved = grid.of(planned, plugins.plugins());
            ExperimentRun run = new ExperimentRun(
                    resolved,
                    new ExperimentRun.Options(
                            runFolder,
                            plugins.plugins(),
                            plugins.jars(),
                            options.debug(),
                            Version.diperf(),
                            progress.ofRun(),
                            new ExperimentRun.Extras(CalibrationFolder.files(), LiveOption.onlooker(options.live()))),
                    NanoClock.SYSTEM);
            underWay = run;
            if (interrupted) {
                run.interrupt("by the user");
            }
            RunRecord record = run.carryOut();
            progress.phase("analysing");
            return report(record, runFolder);
        } catch (ServiceStartException e) {
            boolean more = planned.trial() < grid.grid().trials().count();
            return new Outcome(
                    State.FAILED, e.getMessage() + (more ? "; its remaining trials were not started" : ""), false);
        } catch (RunFailedException | ExperimentException e) {
            if (e.getCause() instanceof IOException cause
                    && DiskFailure.of(cause, runFolder).isOfDisk()) {
                throw cause;
            }
            boolean mine = interrupted;
            return new Outcome(
                    mine ? State.INTERRUPTED : State.FAILED, mine ? "interrupted by the user" : e.getMessage());
        } finally {
            underWay = null;
            progress.end();
        }
    }

    private Outcome report(RunRecord record, Path runFolder) throws IOException {
        Analysis analysis = Analyzer.analyze(runFolder, Analyzer.Options.AS_RECORDED);
        Reports.write(analysis, runFolder, Reports.again(runFolder), options.withReport());
        progress.numbers(analysis.summary());
        if (record.end() == RunRecord.End.INTERRUPTED) {
            return new Outcome(State.INTERRUPTED, "interrupted by the user");
        }
        if (analysis.summary().verdict().equals("failed")) {
            return new Outcome(State.FAILED, "no call succeeded, or the run ended early: see its report");
        }
        if (Verdict.isWithoutResult(analysis)) {
            return new Outcome(State.FAILED, "its search found no value: see its report");
        }
        boolean thresholdsHold = analysis.summary().thresholds().stream().noneMatch(ThresholdResult::fails);
        return record.end() == RunRecord.End.ABORTED && thresholdsHold
                ? new Outcome(State.FAILED, "cut short by a failed call (on-failure: abort)")
                : new Outcome(State.DONE, record.end() == RunRecord.End.ABORTED ? "cut short by a threshold" : null);
    }

    /**
     * Returns the worst of the runs' exit codes: 3 where one could not be carried out, was cut short, had no call that
     * succeeded or searched in vain; otherwise 99 where a threshold of one failed; otherwise 3 where one is undecided.
     *
     * @param strict whether a suspect verdict and an undecided threshold count as a failed one
     */
    static int exitCode(GridAnalysis analysis, boolean strict) {
        if (analysis.summary().done() < analysis.summary().planned()) {
            return ExitCode.NOT_CARRIED_OUT;
        }
        for (RunSummary run : analysis.summary().runs()) {
            if (run.broken() || strict && (run.open() || SUSPECT.equals(run.verdict()))) {
                return ExitCode.THRESHOLD;
            }
        }
        return analysis.summary().runs().stream().anyMatch(RunSummary::open) ? ExitCode.NOT_CARRIED_OUT : ExitCode.DONE;
    }

    /** Lists which runs there are, for {@code check}. */
    static Map<String, String> describe(ExperimentGrid grid) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (Axis axis : grid.grid().axes()) {
            List<String> values = axis.values().stream().map(String::valueOf).toList();
            rows.put("axis " + axis.name(), String.join(", ", values) + " (" + axis.path() + ")");
        }
        grid.grid().variants().forEach((name, sets) -> rows.put("variant " + name, CheckCommand.words(sets)));
        long left = grid.grid().whole() - grid.points().size();
        List<PlannedRun> runs = grid.runs();
        var trials = grid.grid().trials();
        rows.put(
                "grid",
                Numbers.count(grid.points().size(), "point") + (left == 0 ? "" : " (" + left + " excluded by except)")
                        + " x "
                        + Numbers.count(trials.count(), "trial") + (trials.count() == 1 ? "" : ", " + trials.order())
                        + " = "
                        + Numbers.count(runs.size(), "run") + ", order "
                        + (grid.grid().shuffled() ? "shuffled" : "given"));
        rows.put("total", total(grid, runs));
        return rows;
    }

    private static String total(ExperimentGrid grid, List<PlannedRun> runs) {
        OptionalLong all = longestNanos(grid);
        if (all.isEmpty()) {
            return Numbers.count(runs.size(), "run") + "; the duration depends on the service";
        }
        long pause = grid.grid().trials().pause().toNanos();
        long[] lengths = grid.resolved().stream()
                .mapToLong(run -> run.experiment().load().longestNanos().orElse(0))
                .distinct()
                .sorted()
                .toArray();
        boolean known = grid.resolved().stream()
                .allMatch(run -> run.experiment().load().lengthNanos().isPresent());
        String each = clock(lengths[0]) + (lengths.length == 1 ? "" : " to " + clock(lengths[lengths.length - 1]));
        return Numbers.count(runs.size(), "run") + " x " + (known ? "" : "at most ") + each
                + (pause == 0 ? "" : +(runs.size() - 1) + " pauses of " + clock(pause)) + " = "
                + clock(all.getAsLong()) + ", plus time for start-up and reporting";
    }

    private static String clock(long nanos) {
        return LiveLine.clock(nanos / 1e9);
    }
}
