package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.controller.collect.Testers;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.AwayTesters;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.monitor.Monitors;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.progress.RunObserver;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.controller.run.live.LiveView;
import org.diperf.controller.run.live.Outputs;
import org.diperf.controller.run.live.TesterReports;
import org.diperf.controller.service.RunService;
import org.diperf.controller.service.ServiceUnderTest;
import org.diperf.controller.testbed.EventsAfterLoad;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.machine.LocalMachine;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;

/**
 * One experiment being carried out: the target is there, the testers are started ({@link TesterStartup}), the load runs
 * ({@link RunningLoad}), and the run directory is complete. {@link #carryOut} runs on its caller's thread;
 * {@link #interrupt} may come from any.
 */
public final class ExperimentRun {

    private static final long PROBE_NANOS = 5_000_000_000L;

    /**
     * What a run needs besides its experiment.
     *
     * @param runDir to be filled; must be empty or not exist
     * @param plugins found before
     * @param pluginJars those that did not come with the tester
     * @param debug whether timeouts and leases stand still
     * @param diperfVersion for the record
     * @param progress is told how it goes
     */
    public record Options(
            Path runDir,
            Plugins plugins,
            List<Path> pluginJars,
            boolean debug,
            String diperfVersion,
            Progress progress,
            Extras extras) {

        public Options {
            pluginJars = List.copyOf(pluginJars);
        }
    }

    /**
     * What some runs have besides.
     *
     * @param calibrations of the testers' machines
     * @param onlooker may look at the run closely while it is in progress
     */
    public record Extras(Calibrations calibrations, RunObserver onlooker) {

        /** Of a run at which nobody looks closely, and whose testers' machines are not looked up. */
        public static final Extras NONE = new Extras(Calibrations.NONE, RunObserver.NONE);
    }

    private final Experiment experiment;
    private final String experimentYaml;
    private final Options options;
    private final NanoClock clock;
    private final RunOutput output;
    private final RunProblems troubles = new RunProblems();
    /** Whether the testers have been told their start. */
    private boolean hasBegun;

    /** Prepares a run; nothing is started or written yet. */
    public ExperimentRun(ExperimentFile.Resolved resolved, Options options, NanoClock clock) {
        this.experiment = resolved.experiment();
        this.experimentYaml = resolved.yaml();
        this.options = options;
        this.clock = clock;
        this.output = new RunOutput(clock, experiment.script().secrets(), options.progress());
    }

    /**
     * Stops the load: no new calls from now, what is in flight is cut off a second later. {@link #carryOut} then returns
     * with what was measured.
     *
     * @param why for the record
     */
    public void interrupt(String why) {
        troubles.interrupt(why);
    }

    /**
     * Carries out the experiment; returns when everything measured is on disk and the testers have gone.
     *
     * @return what is also in {@code run.json}
     * @throws RunFailedException when it could not begin, or nothing can be said of how it went
     */
    public RunRecord carryOut() throws RunFailedException, InterruptedException {
        try {
            ClientPlugin plugin = plugin();
            if (experiment.service() == null && !testbed().hasOwnNetwork()) {
                probeTargets(plugin);
            }
            return carryOut(plugin);
        } catch (RunFailedException e) {
            throw output.shown(e);
        }
    }

    private ClientPlugin plugin() throws RunFailedException {
        String id = experiment.client().plugin();
        return options.plugins()
                .clients()
                .plugin(id)
                .orElseThrow(() -> new RunFailedException(
                        "Expected client plugin '" + id + "', got none with that name. See: diperf plugins"));
    }

    private TestbedPlugin testbed() throws RunFailedException {
        String kind = experiment.testbed().kind();
        return options.plugins()
                .testbeds()
                .plugin(kind)
                .orElseThrow(() -> new RunFailedException(
                        "Expected testbed kind '" + kind + "', got none with that name. See: diperf plugins"));
    }

    private void probeTargets(ClientPlugin plugin) throws RunFailedException {
        output.phase("contacting the target");
        int first = experiment.script().firstOwn();
        if (first < 0) {
            return;
        }
        Parameters with =
                ScriptPlugins.parameters(experiment, options.plugins()).get(first);
        for (var target : experiment.targets().each()) {
            try {
                plugin.probe(target, with, Duration.ofNanos(PROBE_NANOS));
                String several = NameLookup.several(target);
                if (!several.isEmpty()) {
                    output.announce(several);
                }
            } catch (IOException e) {
                if (!experiment.unreachableContinues()) {
                    throw new RunFailedException(
                            target + ": " + e.getMessage() + ". To run anyway, set unreachable: continue", e);
                }
                troubles.warn(Warning.note(
                        Subject.SERVICE,
                        "the target could not be reached before the run: " + target + ": " + e.getMessage()));
            }
        }
    }

    private RunRecord carryOut(ClientPlugin plugin) throws RunFailedException, InterruptedException {
        RunRecord concluded = null;
        try (RunDirectory directory = new RunDirectory(options.runDir(), experimentYaml)) {
            output.writeTo(directory);
            concluded = carryOutOrGiveUp(plugin, directory);
            return concluded;
        } catch (IOException e) {
            if (concluded != null) {
                // All is kept; what could not be tidied up costs nothing.
                output.writeTo(null);
                output.warn("cleaning up after the run failed: " + e.getMessage());
                return concluded;
            }
            throw notBegun(e);
        } finally {
            output.writeTo(null);
        }
    }

    /** Carries out the run; where the disk fails before the load began, nothing is left of it. */
    private RunRecord carryOutOrGiveUp(ClientPlugin plugin, RunDirectory directory)
            throws IOException, RunFailedException, InterruptedException {
        try {
            return carryOut(plugin, directory);
        } catch (RunFailedException e) {
            String failure = troubles.failure();
            if (!hasBegun && failure != null) {
                directory.abandon();
                throw new IOException(failure, e);
            }
            if (!hasBegun
                    && e.getCause() instanceof IOException cause
                    && failure(cause).isOfDisk()) {
                directory.abandon();
            }
            throw e;
        } catch (IOException e) {
            if (!hasBegun) {
                directory.abandon();
            }
            throw e;
        }
    }

    private DiskFailure failure(Throwable problem) {
        return DiskFailure.of(problem, options.runDir());
    }

    /** Says what to do when a run could not be written that has measured nothing. */
    private RunFailedException notBegun(IOException problem) {
        DiskFailure failure = failure(problem);
        return new RunFailedException(
                "Could not write to " + options.runDir() + ": " + failure.found()
                        + ". Nothing was measured, and the folder is unchanged; " + failure.remedy()
                        + ", then run it again, or choose a different folder with --out",
                problem);
    }

    private RunRecord carryOut(ClientPlugin plugin, RunDirectory directory)
            throws IOException, RunFailedException, InterruptedException {
        output.note(
                "DiPerF " + options.diperfVersion() + " runs '" + experiment.name() + "', seed " + experiment.seed());
        LiveView live = new LiveView(clock.nanoTime());
        live.open();
        RunScope scope = new RunScope(
                experiment,
                plugin,
                testbed(),
                options,
                clock,
                options.debug() || LocalMachine.debuggerAttached(),
                LoadSchedule.of(experiment.load(), live),
                new Roster(clock, Roster.Pause.REAL),
                live,
                output,
                troubles);
        for (String late : EventsAfterLoad.of(experiment, scope.testbed())) {
            output.warn(late);
            troubles.warn(Warning.note(Subject.RUN, late));
        }
        TesterReports reports = new TesterReports(options.runDir(), scope.roster(), live, output, troubles);
        RunWatcher watch = new RunWatcher(scope);
        try (live;
                Outputs outputs = Outputs.open(options.extras().onlooker(), watch, options.plugins(), clock, output);
                TesterStartup start = new TesterStartup(scope, directory, reports);
                RunService service = openService(start.testbed(), directory)) {
            if (service.service().isPresent() && !scope.testbed().hasOwnNetwork()) {
                probeTargets(plugin);
            }
            Fleet fleet = start.start();
            Testers testers = start.testers();
            try (Monitors monitors =
                    Monitors.start(experiment.monitors(), start.testbed(), monitorsConfig(directory))) {
                Assignments assignments = new Assignments(scope, RunTestbedContext.digests(options.pluginJars()));
                PlanShares division = TesterStartup.assemble(
                        scope,
                        testers,
                        fleet,
                        assignments,
                        start.testbed().patience().toNanos());
                monitors.awaitOpen();
                RunningLoad load = new RunningLoad(
                        scope,
                        directory,
                        new RunningLoad.Ready(testers, start.testbed(), fleet, assignments, division),
                        service,
                        monitors);
                load.begin();
                hasBegun = true;
                End end = load.watch();
                if (!load.left().isEmpty()) {
                    throw stopWaiting(load.left(), start, directory);
                }
                try {
                    RunRecord record = load.conclude(end);
                    start.concluded();
                    outputs.ends();
                    return record;
                } catch (IOException e) {
                    throw leave(scope, start, directory, e);
                }
            }
        }
    }

    /** Leaves the run, and testers that have what no disk takes, to whoever resumes it when there is room. */
    private RunFailedException leave(RunScope scope, TesterStartup start, RunDirectory directory, IOException problem) {
        if (!Files.exists(options.runDir().resolve(RunFiles.RUN))) {
            // Whom nobody can resume need not wait.
            return new RunFailedException(
                    "The folder of the run, " + options.runDir()
                            + ", was deleted while the run was in progress, with the samples that had been saved in it. The run "
                            + "cannot be resumed; run it again",
                    problem);
        }
        DiskFailure failure = failure(problem);
        String reason = failure.found();
        directory.endings().failed(clock.nanoTime(), reason);
        output.note("cut short: " + reason);
        boolean testersWait = !scope.testbed().runsInController();
        if (testersWait) {
            start.leave();
        } else {
            directory.leaveControl();
        }
        String kept = testersWait
                ? "The testers keep their samples for "
                        + experiment.testbed().fleet().linger().toSeconds() + " s"
                : "Samples on disk are kept";
        return new RunFailedException(
                "Could not save the samples: " + reason + ". " + kept + "; " + failure.remedy()
                        + ", then resume the run with: diperf run --resume " + options.runDir(),
                problem);
    }

    /** Leaves the run to whoever resumes it when the testers can be reached that hold samples of it. */
    private RunFailedException stopWaiting(List<Integer> testers, TesterStartup start, RunDirectory directory) {
        String names = AwayTesters.names(testers);
        directory.endings().stoppedWaiting(clock.nanoTime(), names);
        start.leave();
        String said = "The run was left without samples that " + names
                + " may hold. What has arrived is safe. Testers keep "
                + "their samples for " + experiment.testbed().fleet().linger().toSeconds()
                + " s; collect them with: diperf run --resume " + options.runDir()
                + ", or finish without them: diperf run --resume " + options.runDir() + " --without-spools";
        output.urge(said);
        return new RunFailedException(said);
    }

    private RunService openService(Testbed testbed, RunDirectory directory)
            throws RunFailedException, IOException, InterruptedException {
        ServiceSettings choice = experiment.service();
        return choice == null
                ? RunService.NONE
                : RunService.open(choice, testbed, directory.testerLogs().resolve("service.log"), serviceContext());
    }

    private ServiceUnderTest.Context serviceContext() {
        return new ServiceUnderTest.Context(
                clock, ServiceUnderTest.Pause.REAL, troubles::interruption, output::note, output::phase);
    }

    private Monitors.Config monitorsConfig(RunDirectory directory) {
        return new Monitors.Config(
                options.plugins(),
                experiment.targets().each(),
                experiment.seed(),
                directory.monitors(),
                clock,
                WallClock.SYSTEM,
                output::warn);
    }
}
