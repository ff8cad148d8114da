package org.diperf.controller.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.experiment.ExperimentGrid;
import org.diperf.controller.page.LivePage;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.quickstart.Quickstart;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.controller.run.directory.InvalidSpoolsException;
import org.diperf.controller.run.resume.ResumedRun;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.run.RunRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Carries out an experiment and reports on it. */
@Command(
        name = "run",
        description = {
            "Runs an experiment: starts its testers (load generators), runs its clients (virtual users), "
                    + "records every call, and reports the results. Without an argument, measures a built-in service "
                    + "for half a minute. With a URL, runs a quick experiment and saves its experiment.yml as a "
                    + "starting point for your own.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf run",
            "  diperf run localhost:8080 --clients 20 --for 30s",
            "  diperf run http://127.0.0.1:8080/ --rate 200 --for 30s        calls arrive at 200/s",
            "  diperf run https://127.0.0.1:8443/orders -c 5 -H 'Accept: text/plain' -b @order.json --insecure",
            "  diperf run orders.yml --set load.clients=200 --set testbed.testers=4 --out big",
            "  diperf run orders.yml --set trials.count=5        five trials, and one report on all of them",
            "  diperf run orders.yml --live                      watch it in a browser, and stop it from there",
            "  diperf run --resume runs/latest                   continue an interrupted run",
            "  diperf run --resume runs/latest --spool tester-3.spool",
            "",
            "Exit codes: 0 done, all thresholds met (also for a suspect verdict, unless --strict); 2 bad usage",
            "or experiment file; 3 the run failed or was interrupted, no call succeeded, a search found no",
            "value or a threshold is undecided; 99 a threshold failed;",
            "130 interrupted (Ctrl-C), 143 terminated: the load stops within 2 s and the report is still written.",
            "For a set of runs (sweep, variants or trials), the worst code of any run: 3, then 99, then 0.",
        })
final class RunCommand extends ResultCommand {

    private static final Duration ASK_BEFORE = Duration.ofHours(1);

    @Mixin
    ExperimentOptions asked;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Run folder to write, new or empty. Default: runs/NAME-TIME; runs/latest links to it.")
    @Nullable
    Path out;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print only errors.")
    boolean quiet;

    @Option(names = "--no-progress", description = "Print the result without progress.")
    boolean noProgress;

    @Option(
            names = "--no-report",
            description = "Skip report.html and its figures, which take a second or two; diperf report can create them "
                    + "from the run folder at any time.")
    boolean noReport;

    @Option(names = "--yes", description = "Do not ask for confirmation before a run of more than an hour.")
    boolean yes;

    @Option(
            names = "--debug",
            description = "Suspend timeouts and leases while debugging; the verdict notes this. Default: on if the JVM "
                    + "was started with a debugger.")
    boolean debug;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue what was interrupted in DIR: a run whose controller was killed, with its testers "
                    + "and everything they measured; or the missing runs of a set (sweep, variants or trials).")
    @Nullable
    Path resume;

    @Option(
            names = "--spool",
            paramLabel = "FILE",
            arity = "1..*",
            description = "With --resume: sample file that a tester left behind (tester-N.spool), copied from its "
                    + "machine by hand. Files on reachable machines are fetched automatically.")
    List<Path> spools = new ArrayList<>();

    @Option(
            names = "--without-spools",
            description = "With --resume: finish the run without samples that testers may have left on unreachable "
                    + "machines.")
    boolean withoutSpools;

    @Mixin
    LiveOption live;

    @Mixin
    VerdictOptions verdict;

    @Mixin
    SummaryOption summary;

    @Mixin
    PluginOptions pluginOptions;

    private StepSummary page = StepSummary.NONE;

    @Override
    public Integer call() throws Exception {
        // A job whose summary has no place is told before the load, not after it.
        page = summary.page();
        if (asked.isEmpty() && resume == null && (verdict.junit != null || verdict.strict)) {
            throw new UsageException(
                    "--junit and --strict require an experiment: expected a file or a URL, got none; to run the "
                            + "quickstart, drop these options");
        }
        if (verdict.junit != null) {
            outdate(verdict.junit);
        }
        if (noReport && live.isAsked()) {
            throw new UsageException(
                    "the live page becomes the report at the end, so --live cannot be combined with --no-report; "
                            + "drop one of "
                            + "them");
        }
        try (PluginOptions.Loaded plugins = pluginOptions.load(file());
                Quickstart quickstart = asked.isEmpty() && resume == null ? new Quickstart() : null) {
            warnOfBroken(plugins.plugins());
            int code = resume == null
                    ? run(Commands.hidden(resolve(plugins, quickstart), spec), plugins)
                    : resume(resume, plugins);
            FastStart.keepClasses();
            return code;
        }
    }

    /** Replaces a verdict that an earlier run left: it would pass for that of this run, should this one end without. */
    private static void outdate(Path file) throws UsageException {
        if (Files.isDirectory(file)) {
            throw new UsageException("--junit: expected a file, got the folder " + file);
        }
        try {
            if (JUnitXml.isOurs(file)) {
                JUnitXml.write(
                        file,
                        "diperf run",
                        RunTestCases.of("diperf", "the run has not ended, or ended before it had a verdict"));
            }
        } catch (IOException e) {
            // Who writes the verdict there says so, after the load: then nothing is lost.
            return;
        }
    }

    /** Returns what the experiment is in, of a run that is resumed too. */
    private @Nullable String file() {
        return resume == null ? asked.what : resume.resolve("experiment.yml").toString();
    }

    private ExperimentFile.Content resolve(PluginOptions.Loaded plugins, @Nullable Quickstart quickstart)
            throws UsageException, ExperimentException {
        if (!spools.isEmpty() || withoutSpools) {
            throw new UsageException("--spool and --without-spools require --resume RUN_DIR, got none");
        }
        String what = asked.what;
        if (what != null) {
            return asked.open(what, plugins.plugins());
        }
        asked.refuseQuick("none: diperf run URL");
        return requireNonNull(quickstart, "quickstart").experiment(asked.sets, plugins.plugins());
    }

    private int run(ExperimentFile.Content content, PluginOptions.Loaded plugins) throws Exception {
        ExperimentGrid grid = content.grid();
        if (grid != null) {
            askAboutLength(GridSession.longestNanos(grid), true, stdout());
            OptionalInt elsewhere = elsewhere(content.first().experiment(), plugins);
            if (elsewhere.isPresent()) {
                return elsewhere.getAsInt();
            }
            try (LivePage shown = openPage()) {
                Path folder = RunFolders.make(out, grid.name(), Instant.now());
                return result(folder, session(grid, folder, plugins, shown).begin());
            }
        }
        ExperimentFile.Resolved resolved = content.first();
        Experiment experiment = resolved.experiment();
        PrintWriter print = stdout();
        boolean isKnown = experiment.load().lengthNanos().isPresent();
        askAboutLength(experiment.load().longestNanos(), isKnown, print);
        OptionalInt elsewhere = elsewhere(experiment, plugins);
        if (elsewhere.isPresent()) {
            return elsewhere.getAsInt();
        }
        try (LivePage shown = openPage()) {
            return run(resolved, plugins, shown);
        }
    }

    private int run(ExperimentFile.Resolved resolved, PluginOptions.Loaded plugins, @Nullable LivePage shown)
            throws Exception {
        Experiment experiment = resolved.experiment();
        PrintWriter print = stdout();
        Path folder = RunFolders.make(out, experiment.name(), Instant.now());
        LiveLine line = new LiveLine(print);
        ExperimentRun run = new ExperimentRun(
                resolved,
                new ExperimentRun.Options(
                        folder,
                        plugins.plugins(),
                        plugins.jars(),
                        debug,
                        Version.diperf(),
                        shown(line),
                        new ExperimentRun.Extras(CalibrationFolder.files(), LiveOption.onlooker(shown))),
                NanoClock.SYSTEM);
        try (StopSignals signals = new StopSignals(() -> run.interrupt("by the user"))) {
            // A signal from now on ends the run in order.
            if (!quiet) {
                print.println(Headline.of(experiment));
            }
            RunRecord record;
            try {
                record = carryOut(run, line, signals);
            } catch (RunFailedException e) {
                writeProblem(experiment.name(), e);
                throw e;
            }
            if (record == null) {
                return signals.exitCode();
            }
            return report(folder, print, line, signals, shown);
        } finally {
            RunFolders.removeIfEmpty(folder);
        }
    }

    private @Nullable LivePage openPage() throws UsageException, RunFailedException {
        PrintWriter err = stderr();
        return live.open(quiet ? err : stdout(), err);
    }

    /** Resumes a run or a grid that was cut short. */
    private int resume(Path folder, PluginOptions.Loaded plugins) throws Exception {
        if (!asked.isEmpty() || out != null || !asked.sets.isEmpty()) {
            throw new UsageException("--resume uses " + folder.resolve("experiment.yml") + " unchanged; drop "
                    + (!asked.isEmpty() ? "'" + asked.what + "'" : out != null ? "--out" : "--set"));
        }
        asked.refuseQuick("--resume");
        if (live.isAsked()) {
            throw new UsageException(
                    "--live shows a run from its start, so it cannot be combined with --resume; drop it, and open "
                            + "the report");
        }
        if (GridAnalyzer.isGrid(folder) && (!spools.isEmpty() || withoutSpools)) {
            throw new UsageException(
                    "--spool and --without-spools require the folder of a single run, got one with several runs: "
                            + "specify the folder of the run whose testers left the samples");
        }
        if (!GridAnalyzer.isGrid(folder)) {
            return resumeRun(folder, plugins);
        }
        ExperimentGrid grid = Commands.hidden(
                        ExperimentFile.open(folder.resolve("experiment.yml"), List.of(), plugins.plugins()), spec)
                .grid();
        if (grid == null) {
            throw new UsageException("--resume: expected a set of runs (sweep, variants or trials) in "
                    + folder.resolve("experiment.yml") + ", got none");
        }
        OptionalInt elsewhere = elsewhere(grid.resolved().get(0).experiment(), plugins);
        return elsewhere.isPresent()
                ? elsewhere.getAsInt()
                : result(folder, session(grid, folder, plugins, null).resume());
    }

    private OptionalInt elsewhere(Experiment experiment, PluginOptions.Loaded plugins)
            throws IOException, InterruptedException {
        return ControllerRelauncher.carryOut(
                experiment,
                plugins.plugins(),
                spec.root().commandLine().getParseResult().originalArgs());
    }

    /** Resumes one run. */
    private int resumeRun(Path folder, PluginOptions.Loaded plugins) throws Exception {
        PrintWriter print = stdout();
        LiveLine line = new LiveLine(print);
        if (ResumedRun.finishRecorded(folder, shown(line), NanoClock.SYSTEM) && spools.isEmpty()) {
            try (StopSignals signals = new StopSignals(() -> {})) {
                return report(folder, print, line, signals, null);
            }
        }
        ResumedRun run;
        try {
            run = ResumedRun.open(folder, shown(line), NanoClock.SYSTEM);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        run.take(new ResumedRun.Sources(plugins.plugins(), spools, withoutSpools));
        try (StopSignals signals = new StopSignals(() -> run.interrupt("by the user"))) {
            try {
                run.carryOut();
            } catch (InvalidSpoolsException e) {
                throw new UsageException(String.valueOf(e.getMessage()));
            } finally {
                line.end();
            }
            return report(folder, print, line, signals, null);
        }
    }

    private Progress shown(LiveLine line) {
        return quiet || noProgress ? new ActionNotices(stderr()) : line;
    }

    private GridSession session(
            ExperimentGrid grid, Path folder, PluginOptions.Loaded plugins, @Nullable LivePage shown) {
        PrintWriter print = stdout();
        if (!quiet) {
            print.println(grid.name() + " · " + Numbers.count(grid.points().size(), "point") + " · "
                    + Numbers.count(grid.runs().size(), "run"));
        }
        return new GridSession(
                grid,
                folder,
                plugins,
                new GridSession.Options(
                        quiet, noProgress, debug, verdict, out == null && resume == null, !noReport, page, shown),
                print,
                stderr());
    }

    /** Writes why a run was not carried out where its verdict would be: a CI job that finds no file says nothing of it. */
    private void writeProblem(String name, RunFailedException why) {
        Path file = verdict.junit;
        if (file == null) {
            return;
        }
        try {
            JUnitXml.write(file, "diperf run", RunTestCases.of(name, String.valueOf(why.getMessage())));
        } catch (IOException e) {
            stderr().println("warning: " + DiskFailure.of(e, file).found());
        }
    }

    /** Carries out the run; gives {@code null} when it was interrupted before it began. */
    private static @Nullable RunRecord carryOut(ExperimentRun run, LiveLine line, StopSignals signals)
            throws RunFailedException, InterruptedException {
        try {
            return run.carryOut();
        } catch (RunFailedException e) {
            if (signals.exitCode() != 0) {
                return null;
            }
            throw e;
        } finally {
            line.end();
        }
    }

    private int report(Path folder, PrintWriter print, LiveLine line, StopSignals signals, @Nullable LivePage shown)
            throws IOException, RunFailedException, InterruptedException {
        if (!quiet && !noProgress) {
            line.phase("analysing");
        }
        long begunNanos = NanoClock.SYSTEM.nanoTime();
        Analysis analysis = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED);
        boolean later =
                !noReport && shown == null && BackgroundReport.isPossible(NanoClock.SYSTEM.nanoTime() - begunNanos);
        Path latest = out == null && resume == null ? RunFolders.linkLatest(folder) : folder;
        // The next run takes the name 'latest' away, and this line may be read, and repeated, after it.
        String again = Reports.again(folder) + pluginOptions.words();
        IOException problem = null;
        try {
            Reports.write(analysis, folder, again, !noReport && !later);
            if (later) {
                // Nobody who waits for the numbers waits for the figures.
                BackgroundReport.begin(analysis, folder.toAbsolutePath(), again);
            }
        } catch (IOException e) {
            problem = e;
        }
        line.end();
        if (!quiet) {
            print.println();
            print.print(Reports.screen(
                    analysis,
                    Reports.place(problem == null ? latest : folder, !noReport && problem == null),
                    folder,
                    pluginOptions.words(),
                    verdict.explain));
            print.flush();
        }
        if (problem != null) {
            throw Reports.notWritten("of the completed run", folder, problem);
        }
        if (shown != null) {
            shown.turnIntoReport(folder);
        }
        Reports.writeVerdict(
                "of the completed run", folder, verdict, RunTestCases.of(analysis.summary(), verdict.strict));
        page.append(RunMarkdown.of(analysis, again, !noReport), stderr());
        int code = signals.exitCode() != 0 ? signals.exitCode() : Reports.exitCode(analysis, verdict.strict);
        if (code == ExitCode.DONE && analysis.run().end() == RunRecord.End.INTERRUPTED) {
            // Somebody stopped it from its page.
            code = ExitCode.NOT_CARRIED_OUT;
        }
        if (quiet && code != ExitCode.DONE) {
            stderr().println(Reports.ending(analysis) + "; see "
                    + Reports.shown(latest, !noReport).toAbsolutePath());
        }
        return result(folder, code);
    }

    private void askAboutLength(OptionalLong longest, boolean isKnown, PrintWriter print)
            throws UsageException, IOException {
        Duration length = Duration.ofNanos(longest.orElse(0));
        if (yes || length.compareTo(ASK_BEFORE) <= 0 || !Terminal.answers()) {
            return;
        }
        String most = isKnown ? "" : "up to ";
        String question = "This takes " + most + LiveLine.clock(length.toSeconds()) + ". Go on? [y/N] ";
        if (!Terminal.confirms(question, print)) {
            throw new UsageException("Not started; use --yes to start without confirmation");
        }
    }
}
