package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.collect.CollectorConfig;
import org.diperf.controller.course.Course;
import org.diperf.controller.experiment.Counts;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.Candidate;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.Fleets;
import org.diperf.controller.fleet.LostTesters;
import org.diperf.controller.fleet.Member;
import org.diperf.controller.fleet.Muster;
import org.diperf.controller.fleet.Replacements;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.monitor.Monitors;
import org.diperf.controller.progress.MaskedProgress;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.service.ServiceInHand;
import org.diperf.controller.service.ServiceUnderTest;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.FleetChoice;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.experiment.ServiceChoice;
import org.diperf.core.machine.ThisMachine;
import org.diperf.core.plan.Targets;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.PluginJar;
import org.jspecify.annotations.Nullable;

/**
 * One experiment being carried out. {@link #carryOut} runs on its caller's thread; {@link #interrupt} may come from any.
 */
public final class ExperimentRun {

    private static final long SECOND = 1_000_000_000L;
    private static final long PROBE_NANOS = 5 * SECOND;
    private static final long JOIN_NANOS = 60 * SECOND;
    /** From the order to start until the start: longer where the order travels. */
    private static final long START_LEAD_NANOS = SECOND / 20;

    private static final long FAR_START_LEAD_NANOS = SECOND / 2;
    private static final long LEAD_PER_TESTER_NANOS = SECOND / 100;
    private static final long REPORT_NANOS = 5 * SECOND;
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
    private final TesterReports reports;
    private final Relays relays;
    private final List<String> warnings = new ArrayList<>();
    /** From the collector's thread. */
    private final Queue<String> doubts = new ConcurrentLinkedQueue<>();

    private ServiceInHand service = ServiceInHand.NONE;
    private @Nullable Monitors monitors;
    private volatile @Nullable String interruption;
    private volatile @Nullable String collectorFailure;
    private volatile @Nullable String collectorOverflow;
    private final List<PluginJar> jars = new ArrayList<>();
    private volatile int placed;
    private boolean leaving;
    private long startNanos;
    private int changesWritten;

    /** Prepares a run; nothing is started or written yet. */
    public ExperimentRun(ExperimentFile.Resolved resolved, Options options, NanoClock clock) {
        this.experiment = resolved.experiment();
        this.experimentYaml = resolved.yaml();
        Secrets secrets = resolved.experiment().script().secrets();
        this.options = new Options(
                options.runDir(),
                options.plugins(),
                options.pluginJars(),
                options.debug(),
                options.diperfVersion(),
                new MaskedProgress(options.progress(), secrets));
        this.clock = clock;
        this.debug = options.debug() || ThisMachine.debuggerAttached();
        this.roster = new Roster(clock, Roster.Pause.REAL);
        this.notes = new RunNotes(clock, secrets::masked);
        this.startNanos = clock.nanoTime();
        this.live = new LiveView(startNanos);
        this.course = PlanMaker.course(experiment.load(), live);
        this.relays = new Relays(experiment.controller().relays());
        this.reports = new TesterReports(
                roster,
                notes,
                live,
                this.options.progress(),
                why -> collectorFailure = why,
                why -> collectorOverflow = why,
                doubts::add);
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
        try {
            return carryOutPlainly();
        } catch (RunFailedException e) {
            String said = String.valueOf(e.getMessage());
            String masked = masked(said);
            throw masked.equals(said) ? e : new RunFailedException(masked);
        }
    }

    private RunRecord carryOutPlainly() throws RunFailedException, InterruptedException {
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
        Parameters with = experiment
                .script()
                .parameters(plugin.parameters(), experiment.client().with(), experiment.seed())
                .get(0);
        for (var target : experiment.targets().each()) {
            try {
                plugin.probe(target, with, Duration.ofNanos(PROBE_NANOS));
            } catch (IOException e) {
                String said = "Wanted to reach " + target + ", found: " + masked(String.valueOf(e.getMessage()));
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
                CollectorStart starting = new CollectorStart(relays, () -> collector(run))) {
            Testbed testbed = openTestbed(run, starting);
            try (ServiceInHand inHand = openService(testbed, run)) {
                if (inHand.service().isPresent()) {
                    service = inHand;
                    probeTargets(plugin);
                }
                Fleet fleet = fleet(testbed);
                if (!relays.relays().isEmpty()) {
                    options.progress().phase("waiting for the relays");
                    relays.await(starting.await(), () -> interruption);
                }
                // Testers come up while the run's keys are made: both take most of a second.
                start(testbed, fleet, starting);
                Collector collector = starting.await();
                try (Monitors watching = Monitors.start(experiment.monitors(), aroundMonitors(run))) {
                    monitors = watching;
                    LoadWatch watch = assemble(collector, plugin, testbed, fleet);
                    watching.awaitOpen();
                    begin(collector, run, plugin, watch, fleet);
                    End end = watch(collector, run, plugin, testbed, fleet, watch);
                    leaveIfNothingCanBeKept(run);
                    return conclude(collector, run, plugin, end, watch, fleet, watching);
                }
            } finally {
                if (!leaving) {
                    starting.bye();
                    closeTestbed(testbed);
                }
            }
        }
    }

    /** Leaves testers that have what no disk takes to whoever goes on when there is room. */
    private void leaveIfNothingCanBeKept(RunDirectory run) throws RunFailedException {
        String failure = collectorFailure;
        if (failure == null || testbedSays(TestbedPlugin::runsInController)) {
            return;
        }
        leaving = true;
        run.leaveControl();
        note("ended: " + failure);
        throw new RunFailedException(
                failure + ". The load was stopped, and the testers keep what they have measured for "
                        + experiment.testbed().fleet().linger().toSeconds()
                        + " s: make room, and go on with: diperf run --resume "
                        + options.runDir());
    }

    private ServiceInHand openService(Testbed testbed, RunDirectory run)
            throws RunFailedException, IOException, InterruptedException {
        ServiceChoice choice = experiment.service();
        return choice == null
                ? ServiceInHand.NONE
                : ServiceInHand.open(choice, testbed, run.testerLogs().resolve("service.log"), around());
    }

    private ServiceUnderTest.Surroundings around() {
        return new ServiceUnderTest.Surroundings(
                clock, ServiceUnderTest.Pause.REAL, () -> interruption, this::note, options.progress()::phase);
    }

    private Monitors.Surroundings aroundMonitors(RunDirectory run) {
        return new Monitors.Surroundings(
                options.plugins(),
                experiment.targets().each(),
                experiment.seed(),
                run.monitors(),
                clock,
                WallClock.SYSTEM,
                line -> {
                    note(line);
                    options.progress().log("warning: " + line);
                });
    }

    private Collector collector(RunDirectory run) throws RunFailedException {
        var choice = experiment.controller();
        CollectorConfig config = new CollectorConfig(
                choice.listen(),
                choice.advertise(),
                choice.firstPort(),
                choice.lastPort(),
                CollectorConfig.MOST_TESTERS,
                leaseNanos(),
                experiment.clock().sync().toNanos(),
                run.samples(),
                run.clockCsv(),
                choice.collectInMemory() ? Runtime.getRuntime().maxMemory() / 2 : 0,
                run.control(),
                false,
                choice.datagrams());
        try {
            Collector collector = new Collector(config, clock, reports);
            relays.writeTickets(collector, run.control(), line -> {
                note(line);
                options.progress().log(line);
            });
            return collector;
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

    private boolean testbedSays(Predicate<TestbedPlugin> what) {
        return options.plugins()
                .testbed(experiment.testbed().kind())
                .map(found -> what.test(found.plugin()))
                .orElse(false);
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
                () -> Math.max(1, placed > 0 ? placed : experiment.testbed().testers()),
                with,
                experiment.client().plugin(),
                options.plugins(),
                options.pluginJars(),
                experiment.targets().each(),
                plugin.sendsFiles()
                        ? DataFiles.with(DeployedFiles.of(experiment.deploy()), experiment)
                        : DeployedFiles.of(experiment.deploy()),
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

    /** Looks at the nodes of the testbed and chooses among them. */
    private Fleet fleet(Testbed testbed) throws RunFailedException, InterruptedException {
        options.progress().phase("looking at the nodes");
        Fleet fleet = Fleets.of(testbed, experiment);
        for (Candidate candidate : fleet.candidates()) {
            if (!candidate.chosen()) {
                String line = "node " + candidate.node().name() + " is not used: " + candidate.reason();
                note(line);
                options.progress().log(line);
            }
        }
        if (!fleet.isEnough()) {
            throw new RunFailedException("Wanted nodes for at least " + fleet.needed() + " testers, found room for "
                    + fleet.testers() + ": " + Muster.skipped(fleet));
        }
        placed = fleet.testers();
        Descriptors.check(fleet.testers(), experiment.controller());
        for (int tester = 1; tester <= fleet.testers(); tester++) {
            roster.expect(tester);
        }
        return fleet;
    }

    private void start(Testbed testbed, Fleet fleet, CollectorStart collector)
            throws RunFailedException, InterruptedException {
        try {
            testbed.start(fleet.places());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // Without a collector there are no tickets: its failure is then the one to tell.
            collector.await();
            throw new RunFailedException(
                    "Wanted to start " + fleet.testers() + " testers, found: " + e.getMessage(), e);
        }
    }

    private void failed(int tester, String reason) {
        if (interruption == null) {
            reports.failed(tester, reason);
        } else {
            note("tester-" + tester + " ended: " + reason);
        }
    }

    /** Waits for the testers, makes the plan of those that have come, and waits until they are ready. */
    private LoadWatch assemble(Collector collector, ClientPlugin plugin, Testbed testbed, Fleet fleet)
            throws RunFailedException, InterruptedException {
        options.progress().phase("waiting for " + fleet.testers() + " tester" + (fleet.testers() == 1 ? "" : "s"));
        FleetChoice choice = experiment.testbed().fleet();
        Muster muster = new Muster(
                choice, roster, fleet, clock, options.runDir().resolve("logs").toString(), () -> interruption);
        long patience = testbed.patience().toNanos();
        List<Member> members = muster.joined(patience);
        boolean perHost = experiment.targets().per() == Targets.Per.HOST;
        if (perHost || members.size() != experiment.testbed().testers()) {
            int hosts = Division.hosts(members).size();
            String problems = String.join(
                    "; ",
                    Counts.problems(experiment.targets(), experiment.load(), members.size(), hosts)
                            .values());
            if (!problems.isEmpty()) {
                throw new RunFailedException("With the " + members.size() + " testers that have joined: " + problems);
            }
        }
        Division division = Division.of(experiment, course, members, fleet::groupOf);
        warnings.addAll(division.warnings());
        jars.addAll(RunTestbedContext.digests(options.pluginJars()));
        for (Member member : division.members()) {
            roster.slot(member.tester(), member.slot());
            collector.assign(member.tester(), assignment(division, plugin, member.slot()));
        }
        options.progress().phase("testers prepare their clients");
        muster.ready(debug ? 10 * JOIN_NANOS : Math.max(patience, JOIN_NANOS));
        warnOfAbsent(fleet);
        return new LoadWatch(
                experiment,
                course,
                division,
                collector,
                roster,
                notes,
                live,
                options.progress(),
                clock,
                debug,
                warnings,
                () -> interruption,
                () -> collectorFailure);
    }

    /** The whole load was offered by fewer testers, unless one failed when the plan was made already. */
    private void warnOfAbsent(Fleet fleet) {
        if (fleet.testers() < fleet.wanted()) {
            warnings.add("there was room for " + fleet.testers() + " of " + fleet.wanted()
                    + " testers, which shared the load: " + Muster.skipped(fleet));
        }
    }

    private Assignment assignment(Division division, ClientPlugin plugin, int slot) {
        Division.Seat seat = division.seat(slot);
        return new Assignment(
                seat.plan(),
                seat.slot(),
                plugin.id(),
                experiment.client().with(),
                jars,
                experiment.testbed().loops(),
                leaseNanos(),
                experiment.testbed().fleet().linger().toNanos(),
                debug,
                DataFiles.where(experiment, testbedSays(TestbedPlugin::sendsFiles))
                        .of(slot - 1, division.testers(), division.hostOf(slot)));
    }

    private void begin(Collector collector, RunDirectory run, ClientPlugin plugin, LoadWatch watch, Fleet fleet)
            throws IOException {
        long lead = (testbedSays(TestbedPlugin::runsHere) ? START_LEAD_NANOS : FAR_START_LEAD_NANOS)
                + roster.count(Roster.Phase.READY::equals) * LEAD_PER_TESTER_NANOS;
        if (debug || roster.anyDebugger()) {
            warnings.add("suspect: a debugger was attached, so timeouts and leases stood still");
        }
        // Whoever is to go on with this run must find its start before any call can be made.
        long slack = lead;
        do {
            startNanos = clock.nanoTime() + lead + slack;
            notes.begin(startNanos);
            run.write(record(plugin, End.UNDER_WAY, null, watch, fleet));
            slack *= 2;
        } while (startNanos - clock.nanoTime() < lead);
        collector.start(startNanos);
        live.begin(startNanos);
        note("started; wall clock " + notes.startedAt());
    }

    private End watch(
            Collector collector, RunDirectory run, ClientPlugin plugin, Testbed testbed, Fleet fleet, LoadWatch watch)
            throws InterruptedException {
        try (Replacements replacements = new Replacements(testbed, fleet, roster)) {
            LostTesters.Hands hands = new LostTesters.Hands() {
                @Override
                public void place(int tester, int lost) {
                    replacements.place(tester, lost);
                }

                @Override
                public void assign(int tester, int slot) {
                    collector.assign(tester, assignment(watch.division(), plugin, slot));
                }

                @Override
                public void join(int tester, long joinNanos) {
                    collector.join(tester, joinNanos);
                }

                @Override
                public void stop(int tester) {
                    collector.stop(tester, 0);
                }

                @Override
                public void say(String line) {
                    note(line);
                    options.progress().log(line);
                }
            };
            return watch.watch(
                    startNanos,
                    new LostTesters(
                            experiment.testbed().fleet(),
                            roster,
                            watch.division().testers(),
                            testbed.patience().toNanos(),
                            hands),
                    () -> {
                        service.died().ifPresent(warnings::add);
                        writeChanges(run, plugin, watch, fleet);
                    });
        }
    }

    /** Keeps {@code run.json} true for whoever goes on when this process is killed. */
    private void writeChanges(RunDirectory run, ClientPlugin plugin, LoadWatch watch, Fleet fleet) {
        int changes = roster.losses() + watch.division().stages();
        if (changes != changesWritten) {
            changesWritten = changes;
            try {
                run.write(record(plugin, End.UNDER_WAY, null, watch, fleet));
            } catch (IOException e) {
                note("run.json could not be written: " + e.getMessage());
            }
        }
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

    private RunRecord conclude(
            Collector collector,
            RunDirectory run,
            ClientPlugin plugin,
            End end,
            LoadWatch watch,
            Fleet fleet,
            Monitors watching)
            throws IOException, InterruptedException {
        options.progress().phase("collecting the last samples");
        if (!durable(collector)) {
            warnings.add("suspect: not all samples could be written");
        }
        warnings.addAll(doubts);
        String overflow = collectorOverflow;
        if (overflow != null) {
            warnings.add(overflow);
        }
        long endNanos = clock.nanoTime();
        watching.stop();
        warnings.addAll(watching.warnings());
        warnings.addAll(course.warnings());
        note("ended: " + end);
        RunRecord record = record(plugin, end, endNanos, watch, fleet);
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

    private RunRecord record(ClientPlugin plugin, End end, @Nullable Long endNanos, LoadWatch watch, Fleet fleet) {
        return new RecordMaker(experiment, watch.division(), course, options.diperfVersion())
                .record(
                        plugin,
                        notes,
                        end,
                        endNanos,
                        watch.loadEndedNanos(),
                        roster.records(fleet),
                        fleet,
                        warnings.stream().map(this::masked).toList(),
                        service.facts(),
                        monitors == null ? null : monitors.records());
    }

    private String masked(String text) {
        return experiment.script().secrets().masked(text);
    }

    private void note(String line) {
        notes.note(line);
    }
}
