package org.diperf.controller.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.LiveSeries;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plan.Plan;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.Event;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/**
 * One experiment being carried out. {@link #carryOut} runs on its caller's thread; {@link #interrupt} may come from any.
 */
public final class ExperimentRun {

    private static final long SECOND = 1_000_000_000L;
    private static final long PROBE_NANOS = 5 * SECOND;
    private static final long JOIN_NANOS = 60 * SECOND;
    private static final long START_LEAD_NANOS = SECOND / 20;
    /** Calls in flight may end within this time after an interruption: the load stops within 2 s altogether. */
    private static final long STOP_GRACE_NANOS = SECOND;

    private static final long REPORT_NANOS = 5 * SECOND;
    private static final long LINGER_NANOS = 600 * SECOND;
    private static final int MAX_EVENTS = 1_000;
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
    private final Plan plan;
    private final Roster roster;
    private final long createdNanos;
    private final Instant createdAt = Instant.now();
    /** With instants of the controller's clock. */
    private final List<Event> events = new ArrayList<>();

    private final List<String> warnings = new ArrayList<>();
    private volatile @Nullable String interruption;
    private volatile long startNanos;
    private volatile @Nullable String collectorFailure;
    private volatile @Nullable String collectorOverflow;
    private @Nullable String startedAt;
    private @Nullable RunDirectory directory;

    /** Prepares a run; nothing is started or written yet. */
    public ExperimentRun(ExperimentFile.Resolved resolved, Options options, NanoClock clock) {
        this.experiment = resolved.experiment();
        this.experimentYaml = resolved.yaml();
        this.options = options;
        this.clock = clock;
        this.debug = options.debug() || Machine.debuggerAttached();
        this.plan = PlanMaker.plan(experiment);
        this.roster = new Roster(experiment.testbed().testers());
        this.createdNanos = clock.nanoTime();
        this.startNanos = createdNanos;
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
        probeTargets(plugin);
        try (RunDirectory opened = new RunDirectory(options.runDir(), experimentYaml)) {
            directory = opened;
            return carryOut(opened, plugin);
        } catch (IOException e) {
            throw new RunFailedException(
                    "Wanted to write to " + options.runDir() + ", found: " + e.getMessage() + ". Free space or choose"
                            + " another folder with --out",
                    e);
        } finally {
            directory = null;
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
        try (LiveView live = new LiveView(clock.nanoTime());
                CollectorStart starting = new CollectorStart(() -> collector(run, live))) {
            Testbed testbed = openTestbed(run, starting);
            try {
                // Testers come up while the run's keys are made: both take most of a second.
                start(testbed, starting);
                Collector collector = starting.await();
                assemble(collector, plugin);
                begin(collector, run, plugin, live);
                End end = watch(collector, live);
                return conclude(collector, run, plugin, end);
            } finally {
                starting.bye();
                closeTestbed(testbed);
            }
        }
    }

    private Collector collector(RunDirectory run, LiveView live) throws RunFailedException {
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
            return new Collector(config, clock, new Reports(live));
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
                options.plugins(),
                options.pluginJars(),
                run,
                collector::ticket,
                (tester, reason) -> failed(tester, reason),
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
            testbed.start();
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
        long patience = byHand ? Long.MAX_VALUE / 2 : JOIN_NANOS;
        awaitAll(patience, Roster.Phase.JOINED, "joined");
        Assignment assignment = new Assignment(
                plan,
                plugin.id(),
                experiment.client().with(),
                RunTestbedContext.digests(options.pluginJars()),
                leaseNanos(),
                LINGER_NANOS,
                debug);
        for (int tester = 1; tester <= plan.testers(); tester++) {
            collector.assign(tester, assignment);
        }
        options.progress().phase("testers prepare their clients");
        awaitAll(debug ? patience * 10 : patience, Roster.Phase.READY, "ready");
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

    private void begin(Collector collector, RunDirectory run, ClientPlugin plugin, LiveView live) throws IOException {
        startNanos = collector.start(START_LEAD_NANOS);
        live.begin(startNanos);
        startedAt = createdAt.plusNanos(startNanos - createdNanos).toString();
        if (debug || roster.anyDebugger()) {
            warnings.add("suspect: a debugger was attached, so timeouts and leases stood still");
        }
        note("started; wall clock " + startedAt);
        run.write(record(plugin, End.UNDER_WAY, null));
    }

    /** Waits until all testers have finished, the run is cut short, or nothing more can come. */
    private End watch(Collector collector, LiveView live) throws InterruptedException, RunFailedException {
        long timeoutNanos = experiment.load().timeoutNanos();
        long lastInstant = debug ? Long.MAX_VALUE / 2 : plan.lengthNanos() + timeoutNanos + REPORT_NANOS;
        AbortWatch abort = new AbortWatch(experiment.thresholds());
        End end = End.COMPLETE;
        while (!roster.await(SECOND / 4, Roster.Phase.FINISHED, Roster.Phase.LOST)) {
            long elapsed = clock.nanoTime() - startNanos;
            LiveSeries.Look look = live.last(clock.nanoTime() - LIVE_DELAY_NANOS, LIVE_SECONDS);
            options.progress().live(status(elapsed, look, live.seenShare()));
            String why = interruption;
            String broken = abort.judge(elapsed, look, roster.sum());
            if (why != null) {
                end = End.INTERRUPTED;
                note("interrupted: " + why);
            } else if (broken != null) {
                end = End.ABORTED;
                warnings.add("the run was ended by its threshold: " + broken);
                note("ended by threshold: " + broken);
            } else if (collectorFailure != null) {
                end = End.FAILED;
                warnings.add("suspect: " + collectorFailure);
            } else if (elapsed > lastInstant) {
                end = End.FAILED;
                warnings.add("suspect: testers did not report their end: " + roster.inPhase(Roster.Phase.STARTED));
            }
            if (end != End.COMPLETE) {
                options.progress().phase("stopping the load");
                collector.stop(STOP_GRACE_NANOS);
                roster.await(STOP_GRACE_NANOS + REPORT_NANOS, Roster.Phase.FINISHED, Roster.Phase.LOST);
                return end;
            }
        }
        return roster.count(Roster.Phase.FINISHED::equals) == 0 ? End.FAILED : end;
    }

    private LiveStatus status(long elapsedNanos, LiveSeries.Look look, double seenShare) {
        TesterStatus sum = roster.sum();
        double totalSeconds = plan.lengthNanos() / 1e9;
        long rampNanos = Ramp.nanos(experiment.load());
        String phase = elapsedNanos < rampNanos ? "ramp" : elapsedNanos < plan.lengthNanos() ? "measuring" : "ending";
        return new LiveStatus(
                Math.max(0, elapsedNanos / 1e9),
                totalSeconds,
                phase,
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
        note("ended: " + end);
        RunRecord record = record(plugin, end, endNanos);
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

    private RunRecord record(ClientPlugin plugin, End end, @Nullable Long endNanos) {
        Map<String, String> machine = Machine.facts();
        return new RunRecord(
                RunRecord.FORMAT,
                experiment.name(),
                experiment.labels(),
                experiment.seed(),
                options.diperfVersion(),
                startedAt,
                startNanos,
                endNanos,
                end,
                plugin.id(),
                plugin.metrics().stream()
                        .map(metric -> new RunRecord.MetricRecord(metric.name(), metric.unit()))
                        .toList(),
                List.of("all"),
                experiment.targets().each().stream().map(Object::toString).toList(),
                plan.stages().stream().map(PlanMaker::record).toList(),
                roster.records(),
                PlanMaker.record(experiment.measure()),
                experiment.thresholds().stream()
                        .map(threshold -> threshold.that())
                        .toList(),
                new RunRecord.ReportRecord(
                        experiment.report().quantum().toNanos(),
                        experiment.report().smooth().toNanos(),
                        experiment.report().smoothPoints(),
                        experiment.report().perMinute()),
                machine,
                events(),
                List.copyOf(warnings),
                null);
    }

    /** Gives the events on the time that begins with the run; until then it was not known. */
    private List<Event> events() {
        synchronized (events) {
            return events.stream()
                    .map(event -> new Event(event.atNanos() - startNanos, event.text()))
                    .toList();
        }
    }

    /** Writes to the log and remembers for the report. */
    private void note(String line) {
        long now = clock.nanoTime();
        synchronized (events) {
            if (events.size() < MAX_EVENTS) {
                events.add(new Event(now, line));
            }
        }
        RunDirectory run = directory;
        if (run != null) {
            run.log(createdAt.plusNanos(now - createdNanos), line);
        }
    }

    /** Takes what the collector says, on the collector's thread. */
    private final class Reports implements Collector.Listener {

        private final LiveView live;

        Reports(LiveView live) {
            this.live = live;
        }

        @Override
        public void joined(int tester, TesterFacts facts) {
            note("tester-" + tester + " joined from " + facts.host());
            roster.joined(tester, facts);
        }

        @Override
        public void ready(int tester, long testerNanos) {
            roster.ready(tester);
        }

        @Override
        public void refused(int tester, String reason) {
            note("tester-" + tester + " cannot take part: " + reason);
            roster.unusable(tester, reason);
        }

        @Override
        public void started(int tester, long localStartNanos) {
            live.localStart(tester, localStartNanos);
            roster.started(tester, localStartNanos);
        }

        @Override
        public void status(int tester, TesterStatus status) {
            roster.status(tester, status);
        }

        @Override
        public void finished(int tester, TesterTotals totals) {
            note("tester-" + tester + " finished: " + totals.sent() + " calls sent");
            roster.finished(tester, totals);
        }

        @Override
        public void lost(int tester, String reason) {
            if (roster.lost(tester, reason, clock.nanoTime() - startNanos)) {
                note("tester-" + tester + " lost: " + reason);
                options.progress().log("tester-" + tester + " lost: " + reason);
            }
        }

        @Override
        public void back(int tester) {
            note("tester-" + tester + " is back");
            roster.back(tester);
        }

        @Override
        public void log(int tester, String line) {
            note("tester-" + tester + ": " + line);
        }

        @Override
        public void block(int tester, ByteBuffer block) {
            live.offer(block);
        }

        @Override
        public void overflowed(String reason) {
            note(reason);
            collectorOverflow = reason;
        }

        @Override
        public void failed(String reason) {
            note("the collector failed: " + reason);
            collectorFailure = reason;
        }
    }
}
