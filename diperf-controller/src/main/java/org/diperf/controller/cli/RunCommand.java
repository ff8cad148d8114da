package org.diperf.controller.cli;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.table.FinalTable;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.experiment.ExperimentGrid;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.quickstart.Quickstart;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.controller.run.ResumedRun;
import org.diperf.controller.run.SpoolsRefusedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Carries out an experiment and reports on it. */
@Command(
        name = "run",
        description = {
            "Runs an experiment: starts its testers (load generators), runs its clients (virtual users), records every"
                    + " call, and reports. Without an argument, measures a built-in service for half a minute. With a"
                    + " URL, runs a quick experiment and leaves its experiment.yml as a starting point for your own.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf run",
            "  diperf run http://127.0.0.1:8080/ --clients 20 --for 30s",
            "  diperf run http://127.0.0.1:8080/ --rate 200/s --for 30s",
            "  diperf run orders.yml --set load.clients=200 --set testbed.testers=4 --out big",
            "  diperf run orders.yml --set trials.count=5        five trials, and one report on all of them",
            "  diperf run --resume runs/latest                   continue what was cut short",
            "  diperf run --resume runs/latest --spool tester-3.spool",
            "",
            "Exit codes: 0 done, every threshold holds (also for a suspect verdict, unless --strict); 2 bad usage",
            "or experiment file; 3 the run failed, was cut short, or no call succeeded; 99 a threshold failed;",
            "130 interrupted (Ctrl-C), 143 terminated: the load stops within 2 s and the report is still written.",
            "For a sweep, variants or trials, the worst of the runs: 3, then 99, then 0.",
        })
final class RunCommand implements Callable<Integer> {

    private static final Duration ASK_BEFORE = Duration.ofHours(1);

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE.yml|URL",
            description = "An experiment file, or the URL of a service. Default: the quickstart.")
    @Nullable
    String what;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Run folder to write, new or empty. Default: runs/NAME-TIME; runs/latest links to it.")
    @Nullable
    Path out;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Override any key of the file, such as load.clients=50; repeatable.")
    List<String> sets = new ArrayList<>();

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "With a URL: number of clients. Default: 10, unless --rate is given.")
    @Nullable
    String clients;

    @Option(names = "--rate", paramLabel = "R", description = "With a URL: calls that arrive, such as 200/s.")
    @Nullable
    String rate;

    @Option(names = "--for", paramLabel = "D", description = "With a URL: duration, such as 30s. Default: 10s.")
    @Nullable
    String forDuration;

    @Option(names = "--quiet", description = "Print nothing but errors.")
    boolean quiet;

    @Option(names = "--no-progress", description = "Print the result without progress.")
    boolean noProgress;

    @Option(names = "--yes", description = "Do not ask before a run of more than an hour.")
    boolean yes;

    @Option(
            names = "--debug",
            description = "Suspend timeouts and leases, for a debugger; the verdict says so. Default: on if the JVM was"
                    + " started with a debugger.")
    boolean debug;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "Continue what was cut short in DIR: a run whose controller was killed, with its testers and all"
                            + " they measured; or the missing runs of a sweep, variants or trials.")
    @Nullable
    Path resume;

    @Option(
            names = "--spool",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "With --resume: samples that a tester has left (tester-N.spool), copied from its machine by hand."
                            + " --resume itself brings those that it can reach.")
    List<Path> spools = new ArrayList<>();

    @Option(
            names = "--without-spools",
            description = "With --resume: end the run without samples that testers may have left where they cannot be"
                    + " reached.")
    boolean withoutSpools;

    @Mixin
    VerdictOptions verdict;

    @Mixin
    PluginOptions pluginOptions;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        try (PluginOptions.Loaded plugins = pluginOptions.load();
                Quickstart quickstart = what == null && resume == null ? new Quickstart() : null) {
            for (var broken : plugins.plugins().broken()) {
                spec.commandLine()
                        .getErr()
                        .println("warning: plugin " + broken.source() + " is broken: " + broken.reason());
            }
            return resume == null
                    ? run(Commands.hidden(resolve(plugins, quickstart), spec), plugins)
                    : resume(resume, plugins);
        }
    }

    private ExperimentFile.Content resolve(PluginOptions.Loaded plugins, @Nullable Quickstart quickstart)
            throws UsageException, ExperimentException {
        if (!spools.isEmpty() || withoutSpools) {
            throw new UsageException("--spool and --without-spools go with --resume RUN_DIR, found none");
        }
        boolean url = what != null && what.matches("[A-Za-z][A-Za-z0-9+.-]*://.*");
        if (!url && (clients != null || rate != null || forDuration != null)) {
            throw new UsageException("--clients, --rate and --for go with a URL, found "
                    + (what == null ? "none" : "'" + what + "'") + "; for a file use --set load.clients=N");
        }
        if (quickstart != null) {
            return quickstart.experiment(sets, plugins.plugins());
        }
        String given = requireNonNull(what, "what");
        return url
                ? ExperimentFile.open(quick(given), nameOf(given), sets, plugins.plugins())
                : ExperimentFile.open(Path.of(given), sets, plugins.plugins());
    }

    /** Writes the experiment of {@code run URL}. */
    private String quick(String url) throws UsageException {
        if (clients != null && rate != null) {
            throw new UsageException("Wanted --clients (closed load) or --rate (open load), found both; choose one");
        }
        check("--for", forDuration, Quantity::duration);
        check("--rate", rate, Quantity::rate);
        if (clients != null && !clients.matches("[0-9]{1,9}")) {
            throw new UsageException("--clients: wanted a whole number, found '" + clients + "'");
        }
        String length = forDuration == null ? "10s" : forDuration;
        String load = rate != null
                ? "load: { open: { rate: " + quote(rate) + ", for: " + quote(length) + " } }\n"
                : "load: { clients: " + quote(clients == null ? "10" : clients) + ", run-for: " + quote(length)
                        + " }\n";
        return "target: " + quote(url) + "\n" + load;
    }

    /** Names the option, where the file it becomes part of would name its key. */
    private static void check(String option, @Nullable String value, Consumer<String> read) throws UsageException {
        try {
            if (value != null) {
                read.accept(value);
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + ": " + e.getMessage());
        }
    }

    private static String quote(String value) {
        return value.matches("[0-9]+")
                ? value
                : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String nameOf(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? "quick" : host.replaceAll("[^A-Za-z0-9.-]", "-");
        } catch (IllegalArgumentException e) {
            return "quick";
        }
    }

    private int run(ExperimentFile.Content content, PluginOptions.Loaded plugins) throws Exception {
        ExperimentGrid grid = content.grid();
        if (grid != null) {
            askAboutLength(
                    GridSession.longestNanos(grid), true, spec.commandLine().getOut());
            Path folder = RunFolders.make(out, grid.name(), Instant.now());
            return session(grid, folder, plugins).begin();
        }
        ExperimentFile.Resolved resolved = content.first();
        Experiment experiment = resolved.experiment();
        PrintWriter print = spec.commandLine().getOut();
        boolean isKnown = experiment.load().lengthNanos().isPresent();
        askAboutLength(experiment.load().longestNanos(), isKnown, print);
        Path folder = RunFolders.make(out, experiment.name(), Instant.now());
        LiveLine line = new LiveLine(print, Terminal.redraws());
        if (!quiet) {
            print.println(Headline.of(experiment));
        }
        ExperimentRun run = new ExperimentRun(
                resolved,
                new ExperimentRun.Options(
                        folder, plugins.plugins(), plugins.jars(), debug, Version.diperf(), shown(line)),
                NanoClock.SYSTEM);
        try (StopSignals signals = new StopSignals(() -> run.interrupt("by the user"))) {
            RunRecord record = carryOut(run, line, signals);
            if (record == null) {
                return signals.exitCode();
            }
            return report(folder, print, line, signals);
        } finally {
            RunFolders.removeIfEmpty(folder);
        }
    }

    /** Resumes a run or a grid that was cut short. */
    private int resume(Path folder, PluginOptions.Loaded plugins) throws Exception {
        if (what != null || out != null || !sets.isEmpty()) {
            throw new UsageException("--resume continues as " + folder.resolve("experiment.yml") + " says; leave out "
                    + (what != null ? "'" + what + "'" : out != null ? "--out" : "--set"));
        }
        if (GridAnalyzer.isGrid(folder) && (!spools.isEmpty() || withoutSpools)) {
            throw new UsageException(
                    "--spool and --without-spools go with the folder of one run, found that of several: name"
                            + " the folder of the run whose testers left them");
        }
        if (!GridAnalyzer.isGrid(folder)) {
            return resumeRun(folder, plugins);
        }
        ExperimentGrid grid = Commands.hidden(
                        ExperimentFile.open(folder.resolve("experiment.yml"), sets, plugins.plugins()), spec)
                .grid();
        if (grid == null) {
            throw new UsageException("--resume: wanted a sweep, variants or trials in "
                    + folder.resolve("experiment.yml") + ", found none");
        }
        return session(grid, folder, plugins).resume();
    }

    /** Resumes one run. */
    private int resumeRun(Path folder, PluginOptions.Loaded plugins) throws Exception {
        PrintWriter print = spec.commandLine().getOut();
        LiveLine line = new LiveLine(print, Terminal.redraws());
        if (ResumedRun.finishRecorded(folder) && spools.isEmpty()) {
            try (StopSignals signals = new StopSignals(() -> {})) {
                return report(folder, print, line, signals);
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
            } catch (SpoolsRefusedException e) {
                throw new UsageException(String.valueOf(e.getMessage()));
            } finally {
                line.end();
            }
            return report(folder, print, line, signals);
        }
    }

    private Progress shown(LiveLine line) {
        return quiet || noProgress ? new UrgentLines(spec.commandLine().getErr()) : line;
    }

    private GridSession session(ExperimentGrid grid, Path folder, PluginOptions.Loaded plugins) {
        PrintWriter print = spec.commandLine().getOut();
        if (!quiet) {
            print.println(grid.name() + " · " + grid.points().size() + " points · "
                    + grid.runs().size() + " runs · seed " + grid.seed());
        }
        return new GridSession(
                grid,
                folder,
                plugins,
                new GridSession.Manner(
                        quiet, noProgress, debug, verdict.strict, out == null && resume == null, verdict.junit),
                print,
                spec.commandLine().getErr());
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

    private int report(Path folder, PrintWriter print, LiveLine line, StopSignals signals)
            throws IOException, RunFailedException {
        if (!quiet && !noProgress) {
            line.phase("analysing");
        }
        Analysis analysis = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED);
        Path latest = out == null && resume == null ? RunFolders.linkLatest(folder) : folder;
        String again = "diperf run " + latest.resolve("experiment.yml");
        try {
            Reports.write(analysis, folder, again);
        } catch (IOException e) {
            line.end();
            throw Reports.notWritten("of a run that is complete", folder, e);
        }
        if (verdict.junit != null) {
            writeJUnit(verdict.junit, analysis, folder);
        }
        line.end();
        int code = signals.exitCode() != 0 ? signals.exitCode() : Reports.exitCode(analysis, verdict.strict);
        String report = latest.resolve("report.html").toString();
        if (!quiet) {
            print.println();
            print.print(FinalTable.render(analysis, Terminal.colours(), report, again));
            print.flush();
        } else if (code != ExitCode.DONE) {
            spec.commandLine().getErr().println(Reports.ending(analysis) + "; see " + report);
        }
        return code;
    }

    private void writeJUnit(Path file, Analysis analysis, Path folder) throws RunFailedException {
        try {
            JUnitXml.write(
                    file,
                    "diperf run",
                    analysis.summary().durationSeconds(),
                    RunCases.of(analysis.summary(), verdict.strict));
        } catch (IOException e) {
            DiskFailure failure = DiskFailure.of(e, file);
            throw new RunFailedException(
                    "Wanted to write the verdict of a run that is complete with its report, found: " + failure.found()
                            + ". Nothing was lost: " + failure.remedy() + ", and write it with: diperf report " + folder
                            + junitOptions(),
                    e);
        }
    }

    private String junitOptions() {
        return " --junit " + verdict.junit + (verdict.strict ? " --strict" : "");
    }

    private void askAboutLength(OptionalLong longest, boolean isKnown, PrintWriter print)
            throws UsageException, IOException {
        Duration length = Duration.ofNanos(longest.orElse(0));
        if (yes || length.compareTo(ASK_BEFORE) <= 0 || !Terminal.answers()) {
            return;
        }
        String most = isKnown ? "" : "up to ";
        print.print("This takes " + most + LiveLine.clock(length.toSeconds()) + ". Go on? [y/N] ");
        print.flush();
        // The terminal's own stream; closing it would close standard input.
        String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
            throw new UsageException("Not started; use --yes to start without being asked");
        }
    }
}
