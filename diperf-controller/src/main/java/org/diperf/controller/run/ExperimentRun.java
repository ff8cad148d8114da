package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.diperf.analyzer.LiveSeries;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.PluginJar;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * One experiment being carried out. {@link #carryOut} runs on its caller's thread; {@link #interrupt} may come from any.
 */
public final class ExperimentRun {

    private static final long SECOND = 1_000_000_000L;
    private static final long PROBE_NANOS = 5 * SECOND;
    private static final long JOIN_NANOS = 60 * SECOND;
    private static final long JOIN_EACH_NANOS = SECOND;
    private static final long START_LEAD_NANOS = SECOND / 20;
    /** A hundred processes on two processors take a while to hear of the start. */
    private static final long START_LEAD_EACH_NANOS = SECOND / 100;
    /** Calls in flight may end within this time after an interruption: the load stops within 2 s altogether. */
    private static final long STOP_GRACE_NANOS = SECOND;

    private static final long REPORT_NANOS = 5 * SECOND;
    private static final long LINGER_NANOS = 600 * SECOND;
    /** Blocks take up to this long to fill and arrive, so the live line shows the time before. */
    private static final long LIVE_DELAY_NANOS = SECOND / 2;

    private static final int LIVE_SECONDS = 2;

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
            Progress progress) {

        public Options {
            pluginJars = List.copyOf(pluginJars);
        }
    }

    private final Experiment experiment;
    private final String experimentYaml;
    private final Options options;
    private final NanoClock clock;
    private final boolean debug;
    private final Roster roster;
    private final RunNotes notes;
    private final LiveView live;
    private final Course course;
    private final List<String> warnings = new ArrayList<>();
    private ServiceInHand service = ServiceInHand.NONE;
    private volatile @Nullable String interruption;
    private volatile @Nullable String collectorFailure;
    private volatile @Nullable String collectorOverflow;
    private Plan plan;
    private long startNanos;
    private long loadEndedNanos = Long.MAX_VALUE;

    /** Prepares a run; nothing is started or written yet. */
    public ExperimentRun(ExperimentFile.Resolved resolved, Options options, NanoClock clock) {
        this.experiment = resolved.experiment();
        this.experimentYaml = resolved.yaml();
        this.options = options;
        this.clock = clock;
        this.debug = options.debug() || Machine.debuggerAttached();
        this.roster = new Roster(experiment.testbed().testers());
        this.notes = new RunNotes(clock);
        this.startNanos = clock.nanoTime();
        this.live = new LiveView(startNanos);
        this.course = PlanMaker.course(experiment.load(), live);
        this.plan = PlanMaker.plan(experiment, course);
    }

    /**
     * Stops the load: no new calls from now, what is in flight is cut off a second later. {@link #carryOut} then returns
     * with what was measured.
     *
     * @param why for the record
     */
    public void interrupt(String why) {
        interruption = why;
    }

    /**
     * Carries out the experiment; returns when everything measured is on disk and the testers have gone.
     *
     * @return what is also in {@code run.json}
     * @throws RunFailedException when it could not begin, or nothing can be said of how it went
     */
    public RunRecord carryOut() throws RunFailedException, InterruptedException {
        ClientPlugin plugin = plugin();
        if (experiment.service() == null) {
            probeTargets(plugin);
        }
        try (RunDirectory opened = new RunDirectory(options.runDir(), experimentYaml)) {
            notes.writeTo(opened);
            return carryOut(opened, plugin);
        } catch (IOException e) {
            throw new RunFailedException(
                    "Wanted to write to " + options.runDir() + ", found: " + e.getMessage() + ". Free space or choose"
                            + " another folder with --out",
                    e);
        } finally {
            notes.writeTo(null);
        }
    }

    private ClientPlugin plugin() throws RunFailedException {
        String id = experiment.client().plugin();
        return options.plugins()
                .client(id)
                .orElseThrow(() -> new RunFailedException(
                        "Wanted client plugin '" + id + "', found none of that name. See: diperf plugins"))
                .plugin();
    }

    private void probeTargets(ClientPlugin plugin) throws RunFailedException {
        options.progress().phase("reaching the target");
        Parameters with =
                Parameters.read(plugin.parameters(), experiment.client().with(), experiment.seed());
        for (var target : experiment.targets().each()) {
            try {
                plugin.probe(target, with, Duration.ofNanos(PROBE_NANOS));
            } catch (IOException e) {
                String said = "Wanted to reach " + target + ", found: " + e.getMessage();
                if (!experiment.unreachableContinues()) {
                    throw new RunFailedException(
                            said + ". Start the service, or set unreachable: continue to run all the same", e);
                }
                warnings.add("the target could not be reached before the run: " + target + ": " + e.getMessage());
            }
        }
    }

    private RunRecord carryOut(RunDirectory run, ClientPlugin plugin)
            throws IOException, RunFailedException, InterruptedException {
        note("DiPerF " + options.diperfVersion() + " runs '" + experiment.name() + "', seed " + experiment.seed());
        live.open();
        try (live;
                CollectorStart starting = new CollectorStart(() -> collector(run))) {
            Testbed testbed = openTestbed(run, starting);
            try (ServiceInHand inHand = ServiceInHand.open(experiment.service(), testbed, run, around())) {
                if (inHand.service().isPresent()) {
                    service = inHand;
                    probeTargets(plugin);
                }
                // Testers come up while the run's keys are made: both take most of a second.
                start(testbed, starting);
                Collector collector = starting.await();
                assemble(collector, plugin);
                begin(collector, run, plugin);
                End end = watch(collector);
                return conclude(collector, run, plugin, end);
            } finally {
                starting.bye();
                closeTestbed(testbed);
            }
        }
    }

    private ServiceUnderTest.Surroundings around() {
        return new ServiceUnderTest.Surroundings(
                clock, ServiceUnderTest.Pause.REAL, () -> interruption, this::note, options.progress()::phase);
    }

    private Collector collector(RunDirectory run) throws RunFailedException {
        var choice = experiment.controller();
        Collector.Config config = new Collector.Config(
                choice.listen(),
                choice.advertise(),
                choice.firstPort(),
                choice.lastPort(),
                plan.testers(),
                leaseNanos(),
                run.samples(),
                run.clockCsv(),
                choice.collectInMemory() ? Runtime.getRuntime().maxMemory() / 2 : 0);
        try {
            return new Collector(
                    config,
                    clock,
                    new TesterReports(
                            roster,
                            notes,
                            live,
                            options.progress(),
                            why -> collectorFailure = why,
                            why -> collectorOverflow = why));
        } catch (IOException e) {
            throw new RunFailedException(
                    "Wanted to listen for testers, found: " + e.getMessage() + ". Choose others with controller.listen"
                            + " and controller.ports",
                    e);
        }
    }

    /** A lease of half an hour stands still for anybody who looks at a breakpoint. */
    private long leaseNanos() {
        return debug ? 1_800 * SECOND : experiment.controller().lease().toNanos();
    }

    private Testbed openTestbed(RunDirectory run, CollectorStart collector) throws RunFailedException, IOException {
        String kind = experiment.testbed().kind();
        TestbedPlugin plugin = options.plugins()
                .testbed(kind)
                .orElseThrow(() -> new RunFailedException(
                        "Wanted testbed kind '" + kind + "', found none of that name. See: diperf plugins"))
                .plugin();
        Parameters with =
                Parameters.read(plugin.parameters(), experiment.testbed().with(), experiment.seed());
        RunTestbedContext context = new RunTestbedContext(
                experiment.testbed(),
                with,
                experiment.client().plugin(),
                options.plugins(),
                options.pluginJars(),
                experiment.targets().each(),
                run,
                collector,
                this::failed,
                this::note,
                options.progress()::log);
        try {
            return plugin.open(context);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new RunFailedException("Wanted a testbed of kind '" + kind + "', found: " + e.getMessage(), e);
        }
    }

    private void start(Testbed testbed, CollectorStart collector) throws RunFailedException, InterruptedException {
        try {
            testbed.start(IntStream.rangeClosed(1, plan.testers())
                    .mapToObj(Place::anywhere)
                    .toList());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // Without a collector there are no tickets: its failure is then the one to tell.
            collector.await();
            throw new RunFailedException("Wanted to start " + plan.testers() + " testers, found: " + e.getMessage(), e);
        }
    }

    private void failed(int tester, String reason) {
        note("tester-" + tester + " failed: " + reason);
        roster.unusable(tester, reason);
    }

    /** Waits until all testers have joined, gives each its part, and waits until all are ready. */
    private void assemble(Collector collector, ClientPlugin plugin) throws RunFailedException, InterruptedException {
        options.progress().phase("waiting for " + plan.testers() + " tester" + (plan.testers() == 1 ? "" : "s"));
        boolean byHand = experiment.testbed().kind().equals("manual");
        long patience = byHand ? Long.MAX_VALUE / 2 : JOIN_NANOS + plan.testers() * JOIN_EACH_NANOS;
        awaitAll(patience, Roster.Phase.JOINED, "joined");
        List<PluginJar> jars = RunTestbedContext.digests(options.pluginJars());
        for (int tester = 1; tester <= plan.testers(); tester++) {
            collector.assign(tester, assignment(plugin, tester, jars));
        }
        options.progress().phase("testers prepare their clients");
        awaitAll(debug ? patience * 10 : patience, Roster.Phase.READY, "ready");
    }

    private Assignment assignment(ClientPlugin plugin, int slot, List<PluginJar> jars) {
        return new Assignment(
                plan,
                slot,
                plugin.id(),
                experiment.client().with(),
                jars,
                experiment.testbed().loops(),
                leaseNanos(),
                LINGER_NANOS,
                debug);
    }

    private void awaitAll(long patienceNanos, Roster.Phase phase, String word)
            throws RunFailedException, InterruptedException {
        long deadline = clock.nanoTime() + patienceNanos;
        while (!roster.await(SECOND / 5, phase, Roster.Phase.UNUSABLE)) {
            if (interruption != null) {
                throw new RunFailedException("Interrupted (" + interruption + ") before the load began");
            }
            if (clock.nanoTime() - deadline > 0) {
                throw new RunFailedException("Wanted " + plan.testers() + " testers " + word + " within "
                        + patienceNanos / SECOND + " s, found " + roster.count(phase::equals)
                        + ". See the testers' logs in " + options.runDir().resolve("logs"));
            }
        }
        if (roster.count(Roster.Phase.UNUSABLE::equals) > 0) {
            throw new RunFailedException("Wanted " + plan.testers() + " testers " + word + ", found "
                    + roster.count(phase::equals) + ": " + roster.reasons(Roster.Phase.UNUSABLE));
        }
    }

    private void begin(Collector collector, RunDirectory run, ClientPlugin plugin) throws IOException {
        startNanos = collector.start(START_LEAD_NANOS + (plan.testers() - 1) * START_LEAD_EACH_NANOS);
        live.begin(startNanos);
        notes.begin(startNanos);
        if (debug || roster.anyDebugger()) {
            warnings.add("suspect: a debugger was attached, so timeouts and leases stood still");
        }
        note("started; wall clock " + notes.startedAt());
        run.write(record(plugin, End.UNDER_WAY, null, Long.MAX_VALUE));
    }

    /** Waits until all testers have finished, the run is cut short, or nothing more can come. */
    private End watch(Collector collector) throws InterruptedException {
        AbortWatch abort = new AbortWatch(experiment.thresholds());
        long turnNanos = course.grows() ? SECOND / 10 : SECOND / 4;
        while (!roster.await(turnNanos, Roster.Phase.FINISHED, Roster.Phase.LOST)) {
            long elapsed = clock.nanoTime() - startNanos;
            grow(collector, elapsed);
            service.died().ifPresent(warnings::add);
            LiveSeries.Look look = live.last(clock.nanoTime() - LIVE_DELAY_NANOS, LIVE_SECONDS);
            options.progress().live(status(elapsed, look, live.seenShare()));
            End end = cutShort(elapsed, abort.judge(elapsed, look, roster.sum()));
            if (end != End.COMPLETE) {
                options.progress().phase("stopping the load");
                collector.stop(STOP_GRACE_NANOS);
                loadEnded(elapsed);
                roster.await(STOP_GRACE_NANOS + REPORT_NANOS, Roster.Phase.FINISHED, Roster.Phase.LOST);
                return end;
            }
        }
        loadEnded(clock.nanoTime() - startNanos);
        if (abortedByTester()) {
            return End.ABORTED;
        }
        return roster.count(Roster.Phase.FINISHED::equals) == 0 ? End.FAILED : End.COMPLETE;
    }

    /** Appends what comes next in a plan that grows, or ends it: calls in flight may end by themselves. */
    private void grow(Collector collector, long elapsedNanos) {
        if (!course.grows() || loadEndedNanos != Long.MAX_VALUE) {
            return;
        }
        Stage next = course.turn(elapsedNanos, roster.sum());
        if (next != null) {
            plan = plan.with(next);
            collector.append(next);
            note(course.phase(elapsedNanos));
        }
        if (course.isOver()) {
            loadEnded(elapsedNanos);
            collector.stop(experiment.load().timeoutNanos());
            note("the plan is over");
        }
    }

    /** Notes from when on no more calls begin, where the plan does not say it. */
    private void loadEnded(long elapsedNanos) {
        if (course.grows() || plan.stages().get(0).load().isLimited()) {
            loadEndedNanos = Math.min(loadEndedNanos, Math.max(0, elapsedNanos));
        }
    }

    /** Says whether and how the run is to be cut short; {@link End#COMPLETE}: it is not. */
    private End cutShort(long elapsedNanos, @Nullable String broken) {
        String why = interruption;
        if (why != null) {
            note("interrupted: " + why);
            return End.INTERRUPTED;
        }
        if (broken != null) {
            warnings.add("the run was ended by its threshold: " + broken);
            note("ended by threshold: " + broken);
            return End.ABORTED;
        }
        if (abortedByTester()) {
            return End.ABORTED;
        }
        if (collectorFailure != null) {
            warnings.add("suspect: " + collectorFailure);
            return End.FAILED;
        }
        if (!debug && elapsedNanos > lastNanos() + experiment.load().timeoutNanos() + REPORT_NANOS) {
            warnings.add("suspect: testers did not report their end: " + roster.inPhase(Roster.Phase.STARTED));
            return End.FAILED;
        }
        return End.COMPLETE;
    }

    private boolean abortedByTester() {
        List<String> reasons = roster.aborted();
        if (reasons.isEmpty()) {
            return false;
        }
        warnings.add("the run was ended by a tester: " + String.join("; ", reasons));
        note("ended by " + String.join("; ", reasons));
        return true;
    }

    /** Gives the instant from which no more calls begin, as far as it is known. */
    private long lastNanos() {
        return Math.min(plan.lengthNanos(), loadEndedNanos);
    }

    private LiveStatus status(long elapsedNanos, LiveSeries.Look look, double seenShare) {
        TesterStatus sum = roster.sum();
        OptionalLong length = experiment.load().lengthNanos();
        return new LiveStatus(
                Math.max(0, elapsedNanos / 1e9),
                length.isPresent() ? length.getAsLong() / 1e9 : Double.NaN,
                loadEndedNanos == Long.MAX_VALUE ? course.phase(elapsedNanos) : "ending",
                look.okPerSecond(),
                sum.activeClients(),
                sum.inFlight(),
                look.responseMillis(0.5),
                look.responseMillis(0.99),
                sum.failed(),
                sum.dropped(),
                seenShare,
                roster.count(at -> at == Roster.Phase.STARTED || at == Roster.Phase.FINISHED),
                plan.testers());
    }

    /** Waits for the disk as long as it takes what is there, which after a run in memory may be gigabytes. */
    private static boolean durable(Collector collector) throws InterruptedException {
        long before;
        do {
            before = collector.waitingBytes();
            if (collector.awaitDurable(REPORT_NANOS)) {
                return true;
            }
        } while (collector.waitingBytes() < before);
        return false;
    }

    private RunRecord conclude(Collector collector, RunDirectory run, ClientPlugin plugin, End end)
            throws IOException, InterruptedException {
        options.progress().phase("collecting the last samples");
        if (!durable(collector)) {
            warnings.add("suspect: not all samples could be written");
        }
        String overflow = collectorOverflow;
        if (overflow != null) {
            warnings.add(overflow);
        }
        long endNanos = clock.nanoTime();
        for (int lost : roster.inPhase(Roster.Phase.LOST)) {
            warnings.add("tester-" + lost + " was lost");
        }
        warnings.addAll(course.warnings());
        note("ended: " + end);
        RunRecord record = record(plugin, end, endNanos, loadEndedNanos);
        run.write(record);
        return record;
    }

    private void closeTestbed(Testbed testbed) {
        try {
            testbed.close();
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            note("the testbed could not be cleaned up: " + e.getMessage());
            options.progress().log("warning: the testbed could not be cleaned up: " + e.getMessage());
        }
    }

    private RunRecord record(ClientPlugin plugin, End end, @Nullable Long endNanos, long loadEndedNanos) {
        return new RecordMaker(experiment, plan, course, options.diperfVersion())
                .record(plugin, notes, end, endNanos, loadEndedNanos, roster.records(), warnings, service.facts());
    }

    private void note(String line) {
        notes.note(line);
    }
}
