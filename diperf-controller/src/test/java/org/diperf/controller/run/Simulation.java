package org.diperf.controller.run;

import static java.util.Objects.requireNonNull;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.collect.CollectorConfig;
import org.diperf.controller.collect.HandDrivenCollector;
import org.diperf.controller.collect.TesterEvents;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.FleetBuilder;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.monitor.Monitors;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.relay.HandDrivenRelay;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.controller.run.live.LiveView;
import org.diperf.controller.run.live.TesterReports;
import org.diperf.controller.run.resume.ResumedRun;
import org.diperf.controller.service.RunService;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.security.Role;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * A run of two testers, a relay and a controller, all of it the code that runs, in one thread: a seed decides at each step
 * which bytes arrive, who does something, and what fails. Time passes, and all that happens does, while the run waits for
 * its roster. In the end everything is mended, and the run is resumed until it is concluded, unless the controller's machine
 * has failed or the run had not begun.
 */
final class Simulation {

    /** What seeds have in common: read once. */
    record Setting(ExperimentFile.Resolved resolved, Plugins plugins) {

        static Setting read(Path folder) throws Exception {
            Path file = Files.writeString(
                    folder.resolve("simulated.yml"),
                    "target: tcp://127.0.0.1:1\nseed: 1\nclient: { plugin: tcp, with: { send: x } }\n"
                            + "testbed: { testers: 2, linger: 20s }\ncontroller: { lease: 2s }\n"
                            + "load: { clients: 2, run-for: 1000s, timeout: 1s }\n");
            Plugins plugins = Plugins.bundled();
            return new Setting(ExperimentFile.read(file, List.of(), plugins), plugins);
        }
    }

    private static final int TESTERS = 2;
    private static final long TICK_NANOS = HandDrivenRun.S / 10;
    private static final int MAX_TURNS = 20_000;
    private static final int AT_ONCE = 1 << 20;
    private static final long LEASE_NANOS = 2 * HandDrivenRun.S;

    private final Setting setting;
    private final RandomGenerator random;
    private final Path folder;
    private final FaultyDisk disk;
    private final Path run;
    private final long memoryBytes;
    private final List<String> story = new ArrayList<>();
    private final List<SimulatedLine> lines = new ArrayList<>();
    private final List<SimulatedTester> testers = new ArrayList<>();
    private final SimulatedDatagrams datagrams = new SimulatedDatagrams(testers, this::isCutOff);
    private final boolean[] relayed = new boolean[TESTERS];
    /** By number of the tester, until when nothing reaches it. */
    private final long[] cutOffUntil = new long[TESTERS + 1];

    private long relayAwayUntil;
    /** What a Ctrl-C does. */
    private Runnable interruption = () -> {};
    /** By tester, the acknowledged blocks that only a controller had that is gone. */
    private final Map<Integer, Set<Integer>> lostInMemory = new HashMap<>();
    /** What this controller last heard of each tester. */
    private final Map<Integer, Long> heardCalls = new HashMap<>();
    /** What the controller that concluded the run had heard by then. */
    private final Map<Integer, Long> heardInTime = new HashMap<>();

    private long now = 1_000 * HandDrivenRun.S;
    private int stepsLeft;
    private int turns;
    private @Nullable HandDrivenCollector collector;
    private @Nullable HandDrivenRelay relay;
    private @Nullable SimulatedLine upstream;
    private String token = "";
    private @Nullable RunRecord concluded;
    private boolean hasBegun;
    private boolean cannotBegin;
    /** So many events of the disk until something dies; 0: nothing does. */
    private int eventsUntilDeath;

    private boolean dying;
    private boolean machineFails;
    private boolean machineFailed;
    private boolean lastAccident;
    private boolean waitsLong;

    /** The controller's process is killed, or its machine fails, in the middle of what it does. */
    @SuppressWarnings("serial")
    private static final class Death extends Error {
        Death() {
            super("", null, false, false);
        }
    }

    private interface Step {
        void take() throws Exception;
    }

    Simulation(Setting setting, long seed, Path folder) {
        this.setting = setting;
        // Unlike that of Random, its first numbers for consecutive seeds have nothing in common.
        this.random = new SplittableRandom(seed);
        this.folder = folder;
        this.disk = new FaultyDisk(folder.resolve("disk"));
        this.run = disk.root().resolve("run");
        this.memoryBytes = random.nextInt(4) > 0 ? 0 : random.nextBoolean() ? 1 << 20 : 2_000;
        this.stepsLeft = 200 + random.nextInt(500);
        disk.tell(this::happened);
    }

    /** Lists what has happened, but for what always does. */
    List<String> story() {
        return story;
    }

    /** Returns whether the run came to its end. */
    boolean isConcluded() {
        return concluded != null;
    }

    /** Returns whether the controller's machine has failed, with which the run was over. */
    boolean hasMachineFailed() {
        return machineFailed;
    }

    void run() throws Exception {
        Files.createDirectories(folder.resolve("disk"));
        story.add(memoryBytes == 0 ? "samples go to the disk" : "samples are held in up to " + memoryBytes + " bytes");
        process(this::begin);
        while (concluded == null && !machineFailed && !cannotBegin) {
            if (waitsLong) {
                waitsLong = false;
                story.add("nobody resumes the run while testers wait");
                deliverAll();
                pass(30 * HandDrivenRun.S);
            }
            if (stepsLeft > 0 && random.nextInt(10) > 0) {
                act();
            } else {
                process(this::resume);
            }
        }
        checkAll();
        disk.closeAll();
    }

    // A controller's process

    /** Lets a process do this until it ends or dies. */
    private void process(Step step) throws Exception {
        disk.restart();
        heardCalls.clear();
        try {
            step.take();
        } catch (Death death) {
            // The story says where.
        } catch (RunFailedException e) {
            story.add("the controller leaves: " + e.getMessage());
        } finally {
            end();
        }
    }

    /** Ends a process where it stands. What it has sent may still arrive. */
    private void end() throws IOException {
        HandDrivenCollector dead = collector;
        collector = null;
        dying = false;
        eventsUntilDeath = 0;
        disk.restart();
        datagrams.gather(dead);
        if (dead != null) {
            lines.forEach(line -> line.died(dead));
        }
        if (memoryBytes > 0) {
            noteLostInMemory(machineFailed ? folder.resolve("image/run/samples") : folder.resolve("disk/run/samples"));
        }
    }

    /** Takes note of what testers may have forgotten and nobody has. */
    private void noteLostInMemory(Path samples) throws IOException {
        Map<Long, Integer> kept = kept(samples);
        for (SimulatedTester tester : testers) {
            for (int block = 1; block <= tester.blocks.size(); block++) {
                if (!kept.containsKey(tester.blocks.get(block - 1).get(0))) {
                    lostInMemory
                            .computeIfAbsent(tester.number, none -> new TreeSet<>())
                            .add(block);
                }
            }
        }
    }

    private HandDrivenCollector collector(CollectorConfig config, TesterEvents reports) throws IOException {
        long patienceNanos = random.nextInt(3) == 0 ? 0 : Long.MAX_VALUE / 2;
        HandDrivenCollector made = new HandDrivenCollector(config, () -> now, overheard(reports), patienceNanos);
        collector = made;
        return made;
    }

    /** Passes on what the collector tells. */
    private TesterEvents overheard(TesterEvents reports) {
        return (TesterEvents) Proxy.newProxyInstance(
                TesterEvents.class.getClassLoader(), new Class<?>[] {TesterEvents.class}, (proxy, event, told) -> {
                    if (event.getName().equals("status")) {
                        heardCalls.put((Integer) told[0], ((TesterStatus) told[1]).sent());
                    }
                    try {
                        event.invoke(reports, told);
                    } catch (InvocationTargetException e) {
                        throw requireNonNull(e.getCause());
                    }
                    if (event.getName().equals("waitsForDisk")) {
                        waitsForDisk();
                    }
                    return null;
                });
    }

    /** What is held in memory is offered to the disk again and again: until there is room, or nobody does any more. */
    private void waitsForDisk() {
        if (stepsLeft == 0 || random.nextInt(3) > 0) {
            story.add("samples in memory wait for the disk, and room is made");
            mendDisk();
        } else {
            story.add("the controller is killed while samples in memory wait for the disk");
            kill();
            throw new Death();
        }
    }

    private void begin() throws Exception {
        Experiment experiment = setting.resolved().experiment();
        ExperimentRun.Options options = new ExperimentRun.Options(
                run, setting.plugins(), List.of(), false, "test", Progress.NONE, ExperimentRun.Extras.NONE);
        LiveView live = new LiveView(now);
        RunScope scope = new RunScope(
                experiment,
                setting.plugins().clients().plugin("tcp").orElseThrow(),
                setting.plugins().testbeds().plugin("local").orElseThrow(),
                options,
                () -> now,
                false,
                LoadSchedule.of(experiment.load(), live),
                new Roster(() -> now, this::pause),
                live,
                new RunOutput(() -> now, experiment.script().secrets(), Progress.NONE),
                new RunProblems());
        interruption = () -> scope.troubles().interrupt("by the user");
        RunDirectory directory = new RunDirectory(run, setting.resolved().yaml());
        scope.output().writeTo(directory);
        HandDrivenCollector here = collector(
                new CollectorConfig(
                        CollectorConfig.Listen.any("127.0.0.1"),
                        new CollectorConfig.Files(
                                directory.samples(), directory.clockCsv(), directory.control(), false),
                        CollectorConfig.MAX_TESTERS,
                        LEASE_NANOS,
                        0,
                        memoryBytes,
                        true),
                new TesterReports(run, scope.roster(), live, scope.output(), scope.troubles()));
        place(here);
        Fleet fleet = FleetBuilder.of(new Bed(), experiment);
        for (int tester = 1; tester <= TESTERS; tester++) {
            scope.roster().expect(tester);
        }
        boolean leaves = false;
        try {
            Assignments assignments = new Assignments(scope, List.of());
            PlanShares division = TesterStartup.assemble(scope, here, fleet, assignments, 60 * HandDrivenRun.S);
            RunningLoad load = new RunningLoad(
                    scope,
                    directory,
                    new RunningLoad.Ready(here, new Bed(), fleet, assignments, division),
                    RunService.NONE,
                    noMonitors());
            hasBegun = true;
            load.begin();
            story.add("the load begins");
            End end = load.watch();
            story.add("the load is over: " + end);
            accidentAtTheEnd();
            try {
                if (load.left().isEmpty()) {
                    conclude(load.conclude(end));
                } else {
                    story.add("nobody waits any longer for " + load.left());
                    leaves = true;
                    directory.endings().stoppedWaiting(now, load.left().toString());
                    directory.leaveControl();
                }
            } catch (IOException e) {
                story.add("the run cannot be concluded: " + e.getMessage());
                leaves = true;
                directory.endings().failed(now, String.valueOf(e.getMessage()));
                directory.leaveControl();
            }
        } catch (RunFailedException | IOException e) {
            story.add("the run cannot begin: " + e.getMessage());
            cannotBegin = true;
        }
        if (!leaves) {
            here.bye();
        }
        close(here, directory);
        deliverAll();
    }

    private void conclude(RunRecord record) {
        story.add("the run is concluded: " + record.end());
        concluded = record;
        heardInTime.putAll(heardCalls);
    }

    private void close(HandDrivenCollector here, RunDirectory directory) {
        try {
            here.close();
        } catch (IOException e) {
            story.add("the collector cannot be closed in order: " + e.getMessage());
        }
        try {
            directory.close();
        } catch (IOException e) {
            story.add("the run's folder cannot be closed in order: " + e.getMessage());
        }
    }

    /** Starts the testers. */
    private void place(HandDrivenCollector here) throws IOException {
        token = here.token();
        relay = new HandDrivenRelay(token, () -> now);
        Path spools = Files.createDirectories(folder.resolve("spools"));
        for (int number = 1; number <= TESTERS; number++) {
            relayed[number - 1] = random.nextBoolean();
            boolean byDatagrams = !relayed[number - 1] && random.nextBoolean();
            testers.add(new SimulatedTester(number, byDatagrams, token, () -> now, spools, story));
            story.add("tester " + number + " comes "
                    + (relayed[number - 1] ? "by the relay" : byDatagrams ? "by datagrams" : "directly"));
        }
    }

    /** Has no nodes and starts nothing. */
    private static final class Bed implements Testbed {
        @Override
        public void start(List<Place> places) {}

        @Override
        public void close() {}
    }

    private Monitors noMonitors() throws Exception {
        return Monitors.start(
                List.of(),
                new Bed(),
                new Monitors.Config(
                        setting.plugins(),
                        List.of(),
                        1,
                        run.resolve("monitors"),
                        () -> now,
                        WallClock.SYSTEM,
                        line -> {}));
    }

    private void resume() throws Exception {
        if (stepsLeft == 0) {
            mendDisk();
        }
        if (++turns > MAX_TURNS) {
            throw new AssertionError("the run does not end");
        }
        ResumedRun resumed;
        try {
            // No file is younger than the first second of 1970: whoever resumes takes it that the other died just now.
            ResumedRun.finishRecorded(run, Progress.NONE, () -> now, this::pause, this::collector);
            resumed = ResumedRun.open(run, Progress.NONE, () -> now, () -> 0, this::pause, this::collector);
        } catch (IllegalArgumentException e) {
            story.add("the run is not resumed: " + e.getMessage());
            RunRecord last = Files.exists(run.resolve("run.json")) ? RunDirectory.read(run) : null;
            concluded = last != null && last.endNanos() != null ? last : null;
            cannotBegin = concluded == null;
            return;
        } catch (IOException e) {
            story.add("the run cannot be resumed: " + e.getMessage());
            return;
        }
        List<Path> spools = testers.stream()
                .map(SimulatedTester::spool)
                .filter(Objects::nonNull)
                .toList();
        interruption = () -> resumed.interrupt("by the user");
        resumed.take(new ResumedRun.Sources(setting.plugins(), spools, false));
        story.add("the run is resumed" + (spools.isEmpty() ? "" : " with " + spools.size() + " spools"));
        accidentAtTheEnd();
        try {
            conclude(resumed.carryOut());
            deliverAll();
        } catch (IOException e) {
            story.add("the run cannot be resumed: " + e.getMessage());
        }
    }

    // What happens

    private void happened(FaultyDisk.Event event) {
        if (eventsUntilDeath > 0 && --eventsUntilDeath == 0) {
            story.add((machineFails ? "the machine fails" : "the controller is killed") + " after " + event.kind() + " "
                    + event.name());
            if (machineFails) {
                leaveImage();
            }
            kill();
            throw new Death();
        }
    }

    private void kill() {
        disk.stop();
        dying = true;
        if (collector != null) {
            collector.kill();
        }
    }

    private void leaveImage() {
        try {
            disk.leaveDurable(Files.createDirectories(folder.resolve("image")));
            machineFailed = true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets things happen while the run's thread waits. */
    private void pause(Roster roster, long nanos) {
        long until = now + nanos;
        while (now - until < 0) {
            try {
                act();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void act() throws IOException, InterruptedException {
        if (stepsLeft > 0) {
            step();
            if (--stepsLeft == 0) {
                mend();
            }
        } else {
            mendedTurn();
        }
        // Where it comes in the middle of a frame, the connection catches it.
        if (dying) {
            throw new Death();
        }
    }

    private void step() throws IOException, InterruptedException {
        SimulatedTester tester = testers.get(random.nextInt(TESTERS));
        HandDrivenCollector here = collector;
        int what = random.nextInt(100);
        if (what < 14) {
            if (tester.isMeasuring()) {
                tester.measure(1 + random.nextInt(3));
            }
        } else if (what < 40) {
            if (!lines.isEmpty()) {
                SimulatedLine line = lines.get(random.nextInt(lines.size()));
                boolean up = random.nextBoolean();
                int underWay = line.underWay(up);
                line.deliver(up, random.nextInt(4) == 0 ? random.nextInt(underWay + 1) : underWay);
                line.notice();
            }
        } else if (what < 54) {
            for (int i = 0; i < 4; i++) {
                datagrams.deliver(random, here);
            }
        } else if (what < 64) {
            if (here != null) {
                here.write();
            }
        } else if (what < 78) {
            pass(hasBegun && random.nextInt(20) == 0 ? 3 * HandDrivenRun.S : TICK_NANOS);
        } else if (what < 87) {
            tester.work();
        } else if (what < 95) {
            connectAll();
        } else if (hasBegun || random.nextInt(20) == 0) {
            // Most of what can be lost is lost after the beginning.
            fail(tester, random.nextInt(120));
        } else if (random.nextInt(4) == 0) {
            fail(tester, 0);
        }
    }

    private void fail(SimulatedTester tester, int what) {
        if (what < 25) {
            if (!lines.isEmpty()) {
                lines.get(random.nextInt(lines.size())).cut(random.nextBoolean());
                story.add("a connection is cut");
            }
        } else if (what < 45) {
            if (collector == null) {
                return;
            }
            if (random.nextInt(3) == 0) {
                story.add("the controller is killed");
                kill();
            } else {
                eventsUntilDeath = 1 + random.nextInt(12);
                machineFails = random.nextInt(3) == 0;
            }
        } else if (what < 60) {
            if (random.nextBoolean()) {
                disk.leaveRoom(random.nextInt(600));
                story.add("the disk is nearly full");
            } else {
                disk.failForceAfter(random.nextInt(6));
                story.add("a force will fail");
            }
        } else if (what < 72) {
            disk.makeRoom();
        } else if (what < 84) {
            HandDrivenRelay dead = relay;
            if (dead != null) {
                lines.forEach(line -> line.died(dead));
                relay = null;
                upstream = null;
                story.add("the relay is killed");
            }
        } else if (what < 86) {
            if (tester.isAlive()) {
                datagrams.gather(collector);
                tester.killed = true;
                lines.forEach(line -> line.died(tester));
                story.add("tester " + tester.number + " is killed with " + tester.forgotten + " of "
                        + tester.blocks.size() + " blocks acknowledged");
            }
        } else if (what < 90) {
            if (tester.isAlive()) {
                story.add("tester " + tester.number + " gets a SIGTERM");
                tester.terminate();
            }
        } else if (what < 114) {
            goAway(tester);
        } else {
            story.add("somebody presses Ctrl-C");
            interruption.run();
        }
    }

    /** Keeps the relay, one tester or all of them away for up to three times the lease. */
    private void goAway(SimulatedTester tester) {
        long until = now + HandDrivenRun.S + random.nextLong(3 * LEASE_NANOS);
        String howLong = " for " + (until - now) / 1_000_000 + " ms";
        HandDrivenRelay dead = relay;
        if (random.nextInt(3) == 0 && dead != null) {
            lines.forEach(line -> line.died(dead));
            relay = null;
            upstream = null;
            relayAwayUntil = until;
            story.add("the relay is away" + howLong);
            return;
        }
        boolean all = random.nextBoolean();
        for (SimulatedTester each : all ? testers : List.of(tester)) {
            cutOffUntil[each.number] = until;
            lines.stream().filter(line -> line.caller == each).forEach(line -> line.cut(random.nextBoolean()));
        }
        story.add((all ? "all testers are" : "tester " + tester.number + " is") + " cut off" + howLong);
    }

    private boolean isCutOff(SimulatedTester tester) {
        return now - cutOffUntil[tester.number] < 0;
    }

    /** Lets time pass, and everybody look at the clock. */
    private void pass(long nanos) {
        now += nanos;
        testers.forEach(tester -> tester.passed(nanos));
        if (collector != null) {
            collector.passed(nanos);
        }
        lines.removeIf(SimulatedLine::isOver);
    }

    private void connectAll() {
        HandDrivenCollector here = collector;
        if (here != null && relay == null && !token.isEmpty() && now - relayAwayUntil >= 0) {
            relay = new HandDrivenRelay(token, () -> now);
        }
        if (here != null && relay != null && (upstream == null || !upstream.isUp())) {
            upstream = new SimulatedLine(relay, relay.connected(), here, here.accept(new Role.Holder(Role.RELAY, 1)));
            lines.add(upstream);
        }
        for (SimulatedTester tester : testers) {
            Role.Holder holder = new Role.Holder(Role.TESTER, tester.number);
            boolean isUp =
                    tester.datagrams() != null || lines.stream().anyMatch(line -> line.caller == tester && line.isUp());
            if (!tester.isAlive() || isUp || isCutOff(tester)) {
                continue;
            }
            EmbeddedChannel far = null;
            Object called = null;
            if (relayed[tester.number - 1]) {
                called = relay;
                far = relay == null ? null : relay.accept(holder);
            } else if (here != null) {
                called = here;
                far = here.accept(holder);
            }
            if (called != null && far != null && far.isActive()) {
                lines.add(new SimulatedLine(tester, tester.connect(), called, far));
            }
        }
    }

    private void deliverAll() {
        for (SimulatedLine line : List.copyOf(lines)) {
            line.deliver(true, AT_ONCE);
            line.deliver(false, AT_ONCE);
            line.notice();
        }
        datagrams.deliverAll(collector);
    }

    // The end, in which hardly anything fails

    private void mendDisk() {
        disk.makeRoom();
        disk.failForceAfter(Integer.MAX_VALUE);
    }

    private void mend() {
        story.add("everything is mended");
        eventsUntilDeath = 0;
        relayAwayUntil = now;
        Arrays.fill(cutOffUntil, now);
        mendDisk();
        waitsLong = random.nextInt(4) == 0;
        if (waitsLong && collector != null) {
            story.add("the controller is killed");
            kill();
        }
    }

    private void mendedTurn() throws InterruptedException {
        if (++turns > MAX_TURNS) {
            throw new AssertionError("the run does not end");
        }
        connectAll();
        deliverAll();
        for (SimulatedTester tester : testers) {
            if (tester.isMeasuring()) {
                tester.measure(1);
            }
            tester.work();
        }
        if (collector != null && random.nextBoolean()) {
            collector.write();
        }
        deliverAll();
        pass(TICK_NANOS);
    }

    /** Lets something fail while the run is concluded. */
    private void accidentAtTheEnd() {
        if (lastAccident || random.nextInt(3) > 0) {
            return;
        }
        lastAccident = true;
        int what = random.nextInt(3);
        if (what == 0) {
            disk.leaveRoom(random.nextInt(600));
            story.add("the disk is nearly full at the end");
        } else if (what == 1) {
            disk.failForceAfter(random.nextInt(4));
            story.add("a force will fail at the end");
        } else {
            eventsUntilDeath = 1 + random.nextInt(10);
            machineFails = false;
        }
    }

    // What must hold

    private void checkAll() throws Exception {
        // What was on its way when the machine failed may have told testers that they can forget something.
        deliverAll();
        Path left = machineFailed ? folder.resolve("image/run") : folder.resolve("disk/run");
        Map<Long, Integer> kept = kept(left.resolve("samples"));
        kept.forEach((call, times) -> check(times == 1, "call " + call + " is kept " + times + " times"));
        boolean loses = false;
        for (SimulatedTester tester : testers) {
            Set<Integer> mayBeLost = lostInMemory.getOrDefault(tester.number, Set.of());
            boolean isMissed = isMissed(tester);
            check(
                    concluded == null
                            || !tester.hasCarriedOutItsPlan()
                            || isMissed(tester)
                            || of(concluded, tester).lostNanos() == null,
                    "tester " + tester.number + " has carried out its plan, and is said to be lost");
            check(!cannotBegin || tester.blocks.isEmpty(), "tester " + tester.number + " calls, but no run begins");
            for (int block = 1; block <= tester.blocks.size(); block++) {
                boolean isSafe = block <= tester.forgotten;
                for (long call : tester.blocks.get(block - 1)) {
                    boolean isKept = kept.containsKey(call);
                    loses |= !isKept;
                    check(
                            isKept || (isSafe ? mayBeLost.contains(block) : isMissed),
                            (isSafe ? "acknowledged " : "") + "call " + call + " of block " + block + " of tester "
                                    + tester.number + " is lost");
                }
            }
            if (tester.forgotten > 0 && memoryBytes == 0) {
                check(
                        Files.readString(left.resolve("clock.csv")).contains("\n" + tester.number + ","),
                        "the clock of tester " + tester.number + " is lost");
                check(Files.exists(left.resolve("run.json")), "the record of the run is lost");
            }
        }
        if (concluded != null && (loses || random.nextInt(10) == 0)) {
            checkReport(left, kept);
        }
    }

    /**
     * Returns whether the run does without what a tester has not been told is safe: that of one that was killed, or has left
     * it in a file, or is connected and says nothing.
     */
    private boolean isMissed(SimulatedTester tester) {
        RunRecord record = concluded;
        if (record == null || isSaidToBeMissed(record, tester) && (tester.killed || tester.spool() != null)) {
            return true;
        }
        return isSilent(record, tester);
    }

    private static boolean isSaidToBeMissed(RunRecord record, SimulatedTester tester) {
        return of(record, tester).lostNanos() != null || isSilent(record, tester);
    }

    private static boolean isSilent(RunRecord record, SimulatedTester tester) {
        return record.warnings().stream()
                .anyMatch(warning -> warning.text().contains("tester-" + tester.number + ", which had sent"));
    }

    private static TesterRecord of(RunRecord record, SimulatedTester tester) {
        return record.testers().stream()
                .filter(its -> its.number() == tester.number)
                .findFirst()
                .orElseThrow();
    }

    /** Checks that the report has the calls that were kept, and names by number those that are missing. */
    private void checkReport(Path left, Map<Long, Integer> kept) throws IOException {
        RunRecord record = requireNonNull(concluded, "concluded");
        Analysis analysis = Analyzer.analyze(left, Analyzer.Options.AS_RECORDED);
        long reported = analysis.summary().calls().total();
        check(reported == kept.size(), "the report has " + reported + " of " + kept.size() + " calls");
        List<String> warnings =
                analysis.summary().warnings().stream().map(Warning::text).toList();
        for (SimulatedTester tester : testers) {
            TesterRecord its = of(record, tester);
            long has = tester.blocks.stream()
                    .flatMap(List::stream)
                    .filter(kept::containsKey)
                    .count();
            boolean isWhole = !isSaidToBeMissed(record, tester) && its.started();
            check(
                    isWhole ? its.sent() == tester.calls() : its.sent() >= heardInTime.getOrDefault(tester.number, 0L),
                    "tester " + tester.number + " has made " + tester.calls() + " calls, was heard to have made "
                            + heardInTime.get(tester.number) + ", and is said to have made " + its.sent());
            String named = "tester " + tester.number + " reported sending " + its.sent()
                    + (its.sent() == 1 ? " call" : " calls") + ", but the samples contain " + has;
            check(
                    warnings.contains(named) == (its.sent() > has),
                    "expected a warning '" + named + "' if and only if calls are missing, got " + warnings);
            List<Boolean> blocks = tester.blocks.stream()
                    .map(block -> kept.containsKey(block.get(0)))
                    .toList();
            long gaps = blocks.subList(0, blocks.lastIndexOf(true) + 1).stream()
                    .filter(is -> !is)
                    .count();
            String missing = gaps + (gaps == 1 ? " block" : " blocks") + " of samples of tester " + tester.number
                    + (gaps == 1 ? " is" : " are") + " missing";
            check(
                    warnings.contains(missing) == (gaps > 0),
                    gaps + " blocks of tester " + tester.number + " are missing between others, got " + warnings);
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Counts how often each call is in the samples. */
    private static Map<Long, Integer> kept(Path samples) throws IOException {
        Map<Long, Integer> kept = new HashMap<>();
        Calls rows = new Calls();
        if (Files.isDirectory(samples)) {
            SampleReader.read(samples, new SampleReader.Visitor() {
                @Override
                public void block(Block header, ByteBuffer data) throws IOException {
                    rows.decode(data, header);
                    for (int row = 0; row < rows.rows(); row++) {
                        kept.merge(SimulatedTester.idOf(rows.intendedNanos(row), header.tester()), 1, Integer::sum);
                    }
                }

                @Override
                public void damaged(Path file, long offset, String reason) {
                    // The last one was cut off.
                }
            });
        }
        return kept;
    }
}
