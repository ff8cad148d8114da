package org.diperf.controller.run.resume;

import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.collect.CollectorConfig;
import org.diperf.controller.collect.ControlFolder;
import org.diperf.controller.collect.TesterEvents;
import org.diperf.controller.collect.Testers;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.AwayTesters;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.directory.EarlyExits;
import org.diperf.controller.run.directory.InvalidSpoolsException;
import org.diperf.controller.run.directory.RunCompletion;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.controller.run.directory.Spools;
import org.diperf.controller.run.live.LiveView;
import org.diperf.controller.run.live.TesterReports;
import org.diperf.controller.testbed.TesterProcesses;
import org.diperf.controller.time.ClockEpoch;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.tester.link.SpoolException;
import org.jspecify.annotations.Nullable;

/**
 * A run whose controller was killed, or could keep nothing more, resumed from what it left: picks up the testers that wait
 * for it, and what they have kept. {@link #carryOut} runs on its caller's thread; {@link #interrupt} may come from any.
 */
public final class ResumedRun {

    private static final long SECOND = 1_000_000_000L;
    /** Testers try again every two seconds; a connection and a handshake may take some more. */
    private static final long REACH_NANOS = 10 * SECOND;

    /** Within these, a tester that waits for its controller comes once or twice. */
    private static final long RELEASE_NANOS = 4 * SECOND;

    private static final long STOP_GRACE_NANOS = SECOND;
    private static final long MAX_REPORT_NANOS = 60 * SECOND;
    private static final long TURN_NANOS = SECOND / 4;
    /** Makes the collector; tests make another one. */
    @FunctionalInterface
    public interface TestersMaker {
        Testers make(CollectorConfig config, TesterEvents events) throws IOException;
    }

    /**
     * Where to look for samples that testers have left, besides the run's own folder.
     *
     * @param plugins one of which has the run's testbed
     * @param files spools that somebody has copied
     * @param withoutOthers whether the run ends even if others cannot be brought here
     */
    public record Sources(Plugins plugins, List<Path> files, boolean withoutOthers) {

        public Sources {
            files = List.copyOf(files);
        }
    }

    /** Takes up the testbed of the run. */
    @FunctionalInterface
    public interface TestbedMaker {
        Testbed resume(RunDirectory run, List<SpoolLocation> places) throws Exception;
    }

    private final InterruptedRun left;
    private final Path folder;
    private final NanoClock clock;
    private final WallClock wallClock;
    private final TestersMaker maker;
    private final Roster roster;
    private final RunOutput output;
    private final RunProblems troubles = new RunProblems();
    private TestbedMaker testbeds = this::takeTestbed;
    private @Nullable Sources sources;

    private ResumedRun(
            InterruptedRun left,
            RunOutput output,
            NanoClock clock,
            WallClock wallClock,
            Roster.Pause pause,
            TestersMaker maker) {
        this.left = left;
        this.folder = left.folder();
        this.clock = clock;
        this.wallClock = wallClock;
        this.maker = maker;
        this.roster = new Roster(clock, pause);
        this.output = output;
    }

    /**
     * Reads what was left.
     *
     * @throws IllegalArgumentException when there is nothing to resume: the message says why
     * @throws IOException when what was left cannot be read
     */
    public static ResumedRun open(Path folder, Progress progress, NanoClock clock) throws IOException {
        return open(
                folder,
                progress,
                clock,
                WallClock.SYSTEM,
                Roster.Pause.REAL,
                (config, events) -> new Collector(config, clock, events));
    }

    /**
     * @param wallClock that files are dated by
     * @param pause how the run's thread passes its time
     */
    public static ResumedRun open(
            Path folder,
            Progress progress,
            NanoClock clock,
            WallClock wallClock,
            Roster.Pause pause,
            TestersMaker maker)
            throws IOException {
        InterruptedRun left = InterruptedRun.read(folder);
        Secrets secrets = ExperimentFile.secrets(folder.resolve("experiment.yml"));
        RunOutput output = RunOutput.resumed(clock, secrets, progress, left.before());
        return new ResumedRun(left, output, clock, wallClock, pause, maker);
    }

    /** See {@link #finishRecorded(Path, Progress, NanoClock, Roster.Pause, TestersMaker)}. */
    public static boolean finishRecorded(Path folder, Progress progress, NanoClock clock)
            throws IOException, InterruptedException {
        return finishRecorded(
                folder, progress, clock, Roster.Pause.REAL, (config, events) -> new Collector(config, clock, events));
    }

    /**
     * Finishes a run that was cut short between its last word and the removal of what must not outlive it, and tells testers
     * that wait for its controller that it is over.
     *
     * @return whether that was all that the run in the folder lacked
     * @throws IOException when the run's record cannot be made durable, or its controller is alive; it can be tried again
     */
    public static boolean finishRecorded(
            Path folder, Progress progress, NanoClock clock, Roster.Pause pause, TestersMaker maker)
            throws IOException, InterruptedException {
        return InterruptedRun.finishRecorded(folder, (run, record) -> {
            ControlFolder.Settings settings;
            try {
                settings = ControlFolder.settings(run.control());
            } catch (IOException e) {
                return;
            }
            if (settings.epoch() == ClockEpoch.ofThisBoot()) {
                new ResumedRun(
                                new InterruptedRun(folder, record, settings),
                                RunOutput.resumed(clock, Secrets.NONE, progress, record),
                                clock,
                                WallClock.SYSTEM,
                                pause,
                                maker)
                        .release(run);
            }
        });
    }

    /** Tells testers that the run is over, as far as they come within a few seconds. */
    private void release(RunDirectory run) throws InterruptedException {
        TesterProcesses processes = new TesterProcesses(run.control());
        List<Integer> started = startedIn(left.before());
        left.before().testers().forEach(tester -> roster.expect(tester.number()));
        // Whoever comes by datagrams notices later that a controller is gone.
        long deadline = clock.nanoTime()
                + RELEASE_NANOS
                + (left.settings().datagrams() ? left.settings().leaseNanos() / 2 : 0);
        LiveView live = new LiveView(left.before().startNanos());
        try (live;
                Testers testers = maker.make(config(run), new TesterReports(folder, roster, live, output, troubles))) {
            output.phase("ending the testers");
            testers.bye();
            while (clock.nanoTime() - deadline < 0
                    && !(started.stream().allMatch(processes::isNoted) && !processes.isAnyAlive(started))) {
                roster.await(TURN_NANOS, Roster.Phase.UNUSABLE);
            }
        } catch (IOException e) {
            output.note("testers that wait for their controller could not be ended: " + e.getMessage());
        }
        processes.end(started);
    }

    /** Says where to look for samples; before {@link #carryOut}. */
    public void take(Sources given) {
        sources = given;
    }

    private Sources sources() {
        Sources given = sources;
        return given != null ? given : new Sources(Plugins.bundled(), List.of(), false);
    }

    /** Has tests take up a testbed of theirs. */
    public void testbeds(TestbedMaker given) {
        testbeds = given;
    }

    /** Ends the load of testers that are still calling; {@link #carryOut} then returns with what was measured. */
    public void interrupt(String why) {
        troubles.interrupt(why);
    }

    /**
     * Waits for the testers, takes what they have and ends the run.
     *
     * @return what is also in {@code run.json}
     * @throws RunFailedException when what comes cannot be kept, or not all can be had that testers have left; it can be
     *     tried again
     * @throws InvalidSpoolsException when a file among the sources cannot be used; it can be tried again
     */
    public RunRecord carryOut() throws IOException, RunFailedException, InvalidSpoolsException, InterruptedException {
        EarlyExits.Ending noted = RunDirectory.endings(folder).last();
        EarlyExits.Ending ending =
                noted == null ? new EarlyExits.Ending(left.killedNanos(clock, wallClock), "", false) : noted;
        try (RunDirectory run = RunDirectory.reopen(folder)) {
            if (noted == null) {
                // Before this controller writes to the files that tell when the other one was killed.
                run.endings().killed(ending.atNanos());
            }
            output.writeTo(run);
            // Until the run is concluded, whatever happens.
            run.leaveControl();
            List<ControlFolder.Started> started = started(run);
            EarlyExits.Ending stopping = requireNonNullElse(
                    run.endings().stoppingLoad(left.settings().leaseNanos()), ending);
            left.restore(roster, started, stopping, ending);
            RunRecord concluded = null;
            boolean resumed = false;
            LiveView live = new LiveView(left.before().startNanos());
            live.open();
            TesterReports reports = new TesterReports(folder, roster, live, output, troubles);
            try (live;
                    Testers testers = maker.make(config(run), reports)) {
                output.note("resumed after " + ending.words() + (ending.isKill() ? "" : ": " + ending.reason()));
                run.endings().resumed(clock.nanoTime());
                resumed = true;
                Spools spools = new Spools(testers, testbed(run), run.control(), output);
                takeFiles(spools, testers, run);
                long lingerNanos = started.stream()
                        .mapToLong(ControlFolder.Started::lingerNanos)
                        .max()
                        .orElse(0);
                AwayTesters away = new AwayTesters(roster, left.settings().leaseNanos(), lingerNanos);
                End end = watch(testers, spools, live, away, run);
                bringRest(spools, testers, run);
                concluded = conclude(testers, run, end, spools);
                // Those that no word reaches would wait for the controller that is gone.
                new TesterProcesses(run.control()).end(startedIn(concluded));
                run.dropControl();
                spools.close();
                return concluded;
            } catch (IOException e) {
                if (concluded != null) {
                    // All is kept; what was not closed in order costs nothing.
                    output.note("the collector could not be closed cleanly: " + e.getMessage());
                    return concluded;
                }
                throw leave(run, e, resumed);
            }
        } finally {
            output.writeTo(null);
        }
    }

    private static List<Integer> startedIn(RunRecord record) {
        return record.testers().stream()
                .filter(TesterRecord::started)
                .map(TesterRecord::number)
                .toList();
    }

    /** Leaves the run to whoever resumes it again, as this controller found it but for what it took. */
    private static void leave(RunDirectory run) {
        run.endings().left();
    }

    /** Leaves the run to whoever resumes it again; testers keep what they have. */
    private RunFailedException leave(RunDirectory run, IOException problem, boolean resumed) {
        DiskFailure failure = DiskFailure.of(problem, folder);
        String reason = failure.found();
        if (resumed) {
            run.endings().failed(clock.nanoTime(), reason);
        }
        output.note("interrupted again: " + reason);
        return output.shown(new RunFailedException(
                "Could not resume the run in " + folder + ": " + reason
                        + ". Nothing was lost; "
                        + (problem instanceof SocketException ? "make sure that the port is free" : failure.remedy())
                        + ", then try again with: diperf run --resume " + folder,
                problem));
    }

    private CollectorConfig config(RunDirectory run) {
        return new CollectorConfig(
                CollectorConfig.Listen.port(
                        left.settings().listen(), left.settings().port()),
                new CollectorConfig.Files(run.samples(), run.clockCsv(), run.control(), true),
                CollectorConfig.MAX_TESTERS,
                left.settings().leaseNanos(),
                left.settings().syncNanos(),
                left.settings().inMemory() ? 1 : 0,
                left.settings().datagrams());
    }

    private List<ControlFolder.Started> started(RunDirectory run) throws RunFailedException {
        try {
            return ControlFolder.started(run.control());
        } catch (IOException e) {
            throw leave(run, e, false);
        }
    }

    private Testbed testbed(RunDirectory run) {
        List<SpoolLocation> places =
                left.before().spools() == null ? List.of() : left.before().spools();
        if (places.isEmpty()) {
            return new ResumedTestbed.Lost(places, "");
        }
        try {
            return testbeds.resume(run, places);
        } catch (Exception e) {
            String why = "the testbed cannot be resumed: " + e.getMessage();
            output.warn(why);
            return new ResumedTestbed.Lost(places, why);
        }
    }

    private Testbed takeTestbed(RunDirectory run, List<SpoolLocation> places) throws Exception {
        return ResumedTestbed.take(run, left.before(), places, sources().plugins(), output::note);
    }

    /** Takes the copies that the user gave; where one cannot be used, nothing is ended. */
    private void takeFiles(Spools spools, Testers testers, RunDirectory run)
            throws IOException, InvalidSpoolsException, InterruptedException {
        List<String> refused = new ArrayList<>();
        for (Path file : sources().files()) {
            try {
                spools.take(file);
            } catch (SpoolException e) {
                refused.add(String.valueOf(e.getMessage()));
            } catch (NoSuchFileException e) {
                refused.add(file + ": expected a spool written by a tester, got no such file");
            }
        }
        if (!refused.isEmpty()) {
            new RunCompletion(run, testers, output, troubles).keepSamples();
            leave(run);
            throw new InvalidSpoolsException("--spool: " + String.join("; ", refused)
                    + (refused.size() < sources().files().size() ? ". The other files were accepted" : "")
                    + ". The run was not finished, and can be resumed again");
        }
    }

    /** Returns whether more may come of a tester. */
    private boolean isOpen(int tester) {
        if (!roster.knows(tester)) {
            return true;
        }
        Roster.Phase phase = roster.phaseOf(tester);
        return phase != Roster.Phase.FINISHED && phase != Roster.Phase.UNUSABLE;
    }

    /** Counts the testers of which more may come by themselves. */
    private int awaited(Spools spools, Roster.Phase... phases) {
        Set<Integer> taken = spools.taken();
        return (int) Stream.of(phases)
                .flatMap(phase -> roster.inPhase(phase).stream())
                .filter(tester -> !taken.contains(tester))
                .count();
    }

    /**
     * Has testers end that do not reach this controller, and takes what they leave.
     *
     * @throws RunFailedException when some of it cannot be had, and the user has not said to end without
     */
    private void bringRest(Spools spools, Testers testers, RunDirectory run)
            throws IOException, RunFailedException, InterruptedException {
        if (troubles.failure() != null) {
            return;
        }
        spools.endAndBring(this::isOpen);
        List<String> missing = spools.missing(this::isOpen);
        if (missing.isEmpty()) {
            return;
        }
        if (sources().withoutOthers()) {
            spools.lost(this::isOpen).forEach(what -> troubles.warn(Warning.suspect(Subject.SAMPLES, what)));
            return;
        }
        new RunCompletion(run, testers, output, troubles).keepSamples();
        leave(run);
        output.note("interrupted again: " + String.join("; ", missing));
        throw output.shown(new RunFailedException("Samples left by testers are missing: "
                + String.join("; ", missing) + ". The samples received are safe. Try again with: diperf run --resume "
                + folder
                + "; to use copies: diperf run --resume " + folder
                + " --spool FILE...; or finish the run without them: diperf run --resume " + folder
                + " --without-spools"));
    }

    /** Lists the testers that may hold samples and come back; what is on machines in reach is fetched from there. */
    private List<Integer> held(Spools spools, AwayTesters away) {
        Set<Integer> others = new HashSet<>(spools.taken());
        spools.places().forEach(place -> others.add(place.tester()));
        return away.at(output.elapsedNanos()).stream()
                .filter(tester -> !others.contains(tester))
                .toList();
    }

    private boolean endedWithController() {
        return ResumedTestbed.endedWithController(folder, sources().plugins());
    }

    /** Leaves the run to whoever resumes it again, because the user does not wait any longer. */
    private RunFailedException stopWaiting(List<Integer> testers, RunDirectory run) {
        String names = AwayTesters.names(testers);
        leave(run);
        output.note("interrupted again: without " + names);
        String said = "The run was left without samples that " + names
                + " may hold. What has arrived is safe. Collect the "
                + "rest with: diperf run --resume " + folder + ", or finish without it: diperf run --resume " + folder
                + " --without-spools";
        output.urge(said);
        return new RunFailedException(said);
    }

    private End watch(Testers testers, Spools spools, LiveView live, AwayTesters away, RunDirectory run)
            throws IOException, RunFailedException, InterruptedException {
        spools.takeHere();
        spools.bring(this::isOpen);
        if (testers.planGrew()) {
            testers.stop(STOP_GRACE_NANOS);
            troubles.warn(Warning.note(
                    Subject.LOAD,
                    "the plan was open-ended; the run was ended, because the state needed to continue it was lost "
                            + "with the controller"));
        }
        output.phase(
                "waiting for " + Numbers.count(roster.count(Roster.Phase.LOST::equals), "tester") + " to come back");
        boolean withoutOthers = sources().withoutOthers();
        boolean waits = !endedWithController();
        long deadline = clock.nanoTime()
                + (waits ? REACH_NANOS + Math.min(left.settings().leaseNanos(), REACH_NANOS) : 0);
        long mostNanos = Long.MAX_VALUE;
        long blocks = 0;
        boolean stopped = false;
        Set<Integer> stoppedForGood = new HashSet<>();
        while (!roster.await(TURN_NANOS, Roster.Phase.FINISHED, Roster.Phase.UNUSABLE)) {
            // The load of those whose lease ran out has stopped; it stays so.
            roster.inPhase(Roster.Phase.RETURNED).stream()
                    .filter(stoppedForGood::add)
                    .forEach(tester -> testers.stop(tester, 0));
            String why = troubles.interruption();
            if (why != null && !stopped) {
                stopped = true;
                output.note("interrupted: " + why);
                testers.stop(STOP_GRACE_NANOS);
                deadline = clock.nanoTime() + STOP_GRACE_NANOS + REACH_NANOS / 2;
                mostNanos = clock.nanoTime() + MAX_REPORT_NANOS;
            }
            if (troubles.endsLoad() != null) {
                return End.FAILED;
            }
            if (stopped && live.blocks() != blocks && clock.nanoTime() - mostNanos < 0) {
                // What testers have measured still comes.
                deadline = Math.max(deadline, clock.nanoTime() + REACH_NANOS / 2);
            }
            blocks = live.blocks();
            int working = awaited(spools, Roster.Phase.STARTED, Roster.Phase.RETURNED);
            if (working + awaited(spools, Roster.Phase.LOST) == 0) {
                break;
            }
            if (clock.nanoTime() - deadline > 0 && (working == 0 || stopped)) {
                spools.takeHere();
                List<Integer> held = waits && !withoutOthers ? held(spools, away) : List.of();
                TesterProcesses here = new TesterProcesses(run.control());
                List<Integer> noted = held.stream().filter(here::isNoted).toList();
                if (!noted.isEmpty()) {
                    // They leave what they have.
                    here.end(noted);
                    noted.forEach(roster::gone);
                    continue;
                }
                if (held.isEmpty()) {
                    break;
                }
                if (stopped) {
                    throw stopWaiting(held, run);
                }
                output.phase("waiting for " + away.words(held, output.elapsedNanos()) + " (Ctrl-C: stop waiting)");
                continue;
            }
            output.phase("back: " + Numbers.count(working, "tester") + ", not back: "
                    + roster.count(Roster.Phase.LOST::equals));
        }
        boolean whole = roster.records().stream()
                .anyMatch(tester ->
                        tester.lostNanos() == null && roster.phaseOf(tester.number()) == Roster.Phase.FINISHED);
        return troubles.interruption() != null ? End.INTERRUPTED : whole ? End.COMPLETE : End.FAILED;
    }

    private RunRecord conclude(Testers testers, RunDirectory run, End end, Spools spools)
            throws IOException, InterruptedException {
        RunCompletion conclusion = new RunCompletion(run, testers, output, troubles);
        conclusion.keepSamples();
        List<Warning> warnings = new ArrayList<>(left.before().warnings());
        run.endings().all().forEach(ending -> warnings.add(left.said(ending)));
        if (left.before().monitors() != null) {
            warnings.add(Warning.note(Subject.SERVICE, "monitors recorded nothing from then on"));
        }
        warnings.addAll(troubles.warnings());
        String unreported = roster.unreported();
        if (!unreported.isEmpty()) {
            warnings.add(Warning.suspect(Subject.TESTER, unreported));
        }
        output.ended(end.toString());
        return conclusion.release(left.before()
                .ended(clock.nanoTime(), end, roster.records(), output.events(), List.copyOf(warnings))
                .leaving(spools.missingPlaces()));
    }
}
