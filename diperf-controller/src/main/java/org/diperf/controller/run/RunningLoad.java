package org.diperf.controller.run;

import java.io.IOException;
import java.util.List;
import org.diperf.controller.collect.Testers;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.Replacements;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.fleet.TesterLossHandler;
import org.diperf.controller.monitor.Monitors;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.directory.RunCompletion;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.directory.Spools;
import org.diperf.controller.service.RunService;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Testbed;
import org.jspecify.annotations.Nullable;

/**
 * The load of a run, from its start until the last record is written; whoever finds {@code run.json} on the way can resume
 * it. Confined to the run's thread.
 */
final class RunningLoad {

    private static final long SECOND = 1_000_000_000L;
    /** From the order to start until the start: longer where the order travels. */
    private static final long START_LEAD_NANOS = 3 * SECOND / 100;

    private static final long MIN_SLACK_NANOS = SECOND / 200;
    private static final long FAR_START_LEAD_NANOS = SECOND / 2;
    private static final long LEAD_PER_TESTER_NANOS = SECOND / 100;

    private final RunScope scope;
    private final RunDirectory directory;
    private final Ready ready;
    private final RunService service;
    private final Monitors monitors;
    private final LoadWatcher watch;
    private final RunAnnexes annexes;
    private long startNanos;
    private int changesWritten;
    private String writeFailure = "";

    /**
     * The testers that are ready.
     *
     * @param division of the load among them
     */
    record Ready(Testers testers, Testbed testbed, Fleet fleet, Assignments assignments, PlanShares division) {}

    /** @param service that this run has started, if any */
    RunningLoad(RunScope scope, RunDirectory directory, Ready ready, RunService service, Monitors monitors) {
        this.scope = scope;
        this.directory = directory;
        this.ready = ready;
        this.service = service;
        this.monitors = monitors;
        this.watch = new LoadWatcher(scope, ready.division(), ready.testers());
        this.annexes = new RunAnnexes(scope, directory.folder(), ready.testbed(), monitors);
    }

    /**
     * Sets the start and tells the ready.testers().
     *
     * @throws RunFailedException when the testbed cannot do what is wanted of it during the load
     */
    void begin() throws IOException, RunFailedException, InterruptedException {
        boolean isNear = scope.testbed().runsHere() && !scope.testbed().hasOwnNetwork();
        long lead = (isNear ? START_LEAD_NANOS : FAR_START_LEAD_NANOS)
                + scope.roster().count(Roster.Phase.READY::equals) * LEAD_PER_TESTER_NANOS;
        if (scope.debug() || scope.roster().anyDebugger()) {
            scope.troubles()
                    .warn(Warning.suspect(Subject.RUN, "a debugger was attached, so timeouts and leases were paused"));
        }
        // Whoever resumes this run must find its start, even if it was killed before the first call. The first writing
        // takes a JVM longest; what the disk takes is seen by the second.
        long slack = 0;
        do {
            startNanos = scope.clock().nanoTime() + lead + slack;
            scope.output().begin(startNanos);
            annexes.write();
            scope.output().write(directory, record(End.UNDER_WAY, null));
            slack = 2 * slack + MIN_SLACK_NANOS;
        } while (startNanos - scope.clock().nanoTime() < lead);
        scope.live().begin(startNanos);
        if (scope.isLookedAt()) {
            scope.live().watch(watch.division().series(startNanos, scope.experiment()));
        }
        ready.testers().start(startNanos);
        try {
            ready.testbed().begun(startNanos);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new RunFailedException("The testbed failed at the start of the load: " + e.getMessage(), e);
        }
        scope.output().note("started; wall clock " + scope.output().startedAt());
    }

    /** Watches the load until it is over. */
    End watch() throws InterruptedException {
        Experiment experiment = scope.experiment();
        try (Replacements replacements = new Replacements(ready.testbed(), ready.fleet(), scope.roster())) {
            TesterLossHandler.Actions actions = new TesterLossHandler.Actions() {
                @Override
                public void place(int tester, int lost) {
                    replacements.place(tester, lost);
                }

                @Override
                public void assign(int tester, int slot) {
                    ready.testers().assign(tester, ready.assignments().of(watch.division(), slot));
                }

                @Override
                public void join(int tester, long joinNanos) {
                    ready.testers().join(tester, joinNanos);
                }

                @Override
                public void stop(int tester) {
                    ready.testers().stop(tester, 0);
                }

                @Override
                public void say(String line) {
                    scope.output().announce(line);
                }
            };
            TesterLossHandler lost = new TesterLossHandler(
                    experiment.testbed().fleet(),
                    scope.roster(),
                    watch.division().testers(),
                    ready.testbed().patience().toNanos(),
                    actions);
            return watch.watch(startNanos, lost, () -> {
                service.died().ifPresent(scope.troubles()::warn);
                writeChanges();
            });
        }
    }

    /** See {@link LoadWatcher#left}. */
    List<Integer> left() {
        return watch.left();
    }

    /** Keeps {@code run.json} true for whoever resumes the run when this process is killed. */
    private void writeChanges() {
        int changes = scope.roster().changes()
                + watch.division().stages()
                + ready.testbed().spools().size();
        if (changes != changesWritten) {
            try {
                annexes.write();
                scope.output().write(directory, record(End.UNDER_WAY, null));
                changesWritten = changes;
            } catch (IOException e) {
                String failure = "run.json could not be written: " + e.getMessage();
                if (!failure.equals(writeFailure)) {
                    writeFailure = failure;
                    scope.output().note(failure);
                }
            }
        }
    }

    /**
     * Keeps what was measured, ends the monitors, writes the last record and releases the ready.testers().
     *
     * @throws IOException when that cannot be kept; the testers are not released then
     */
    RunRecord conclude(End end) throws IOException, InterruptedException {
        Spools spools = new Spools(ready.testers(), ready.testbed(), directory.control(), scope.output());
        takeSpools(spools);
        RunCompletion conclusion = new RunCompletion(directory, ready.testers(), scope.output(), scope.troubles());
        try {
            conclusion.keepSamples();
        } catch (IOException e) {
            if (!scope.testbed().runsInController()) {
                throw e;
            }
            // Testers in this process cannot wait for another one: what they still have ends with them.
            scope.troubles().warnOnce(Warning.suspect(Subject.SAMPLES, String.valueOf(e.getMessage())));
        }
        long endNanos = scope.clock().nanoTime();
        stopMonitors();
        annexes.writeAll();
        scope.troubles().warn(scope.course().warnings());
        String unreported = scope.roster().unreported();
        if (!unreported.isEmpty()) {
            scope.troubles().warn(Warning.suspect(Subject.TESTER, unreported));
        }
        scope.output().ended(end.toString());
        RunRecord record = conclusion.release(record(end, endNanos).leaving(spools.missingPlaces()));
        spools.drop();
        return record;
    }

    /** Takes what testers have left that could not reach this controller for longer than they wait. */
    private void takeSpools(Spools spools) throws IOException, InterruptedException {
        if (scope.troubles().failure() == null) {
            spools.takeHere();
            spools.bring(tester -> scope.roster().phaseOf(tester) == Roster.Phase.LOST);
            spools.lost(tester -> true).forEach(what -> scope.troubles().warn(Warning.note(Subject.TESTER, what)));
        }
    }

    /** Keeps what monitors saw; a run is not worth less than one without them. */
    private void stopMonitors() throws InterruptedException {
        monitors.stop();
        scope.troubles().warn(monitors.warnings());
        try {
            monitors.close();
        } catch (IOException e) {
            scope.troubles()
                    .warn(Warning.note(
                            Subject.SERVICE, "some monitor samples could not be written: " + e.getMessage()));
        }
    }

    private RunRecord record(End end, @Nullable Long endNanos) {
        return new RunRecordBuilder(
                        scope.experiment(),
                        ScriptPlugins.metrics(
                                scope.experiment(), scope.options().plugins()),
                        watch.division(),
                        scope.course(),
                        scope.options().diperfVersion())
                .record(
                        scope.plugin(),
                        scope.output(),
                        end,
                        endNanos,
                        watch.loadEndedNanos(),
                        scope.roster().records(ready.fleet()),
                        ready.fleet(),
                        scope.troubles().warnings(),
                        service.facts(),
                        monitors.records())
                .leaving(ready.testbed().spools())
                .calibrated(scope.options()
                        .extras()
                        .calibrations()
                        .of(scope.roster().facts(), scope.plugin().id()));
    }
}
