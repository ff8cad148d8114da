package org.diperf.controller.run;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.diperf.controller.collect.HandDrivenCollector;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.relay.HandDrivenRelay;
import org.diperf.core.experiment.LoopChoice;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.Think;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Assignment;
import org.jspecify.annotations.Nullable;

/**
 * A run of two testers, a relay and a controller, all of it the code that runs, in one thread: a seed decides at each step
 * which bytes arrive, who does something, and what fails. In the end everything is mended and the run is concluded, unless
 * the controller's machine has failed.
 */
final class Simulation {

    private static final int TESTERS = 2;
    private static final long TICK_NANOS = HandDrivenRun.S / 10;
    private static final int MOST_ROUNDS = 3_000;
    private static final int AT_ONCE = 1 << 20;

    private final Random random;
    private final Path folder;
    private final FaultyDisk disk;
    private final Path run;
    private final List<String> story = new ArrayList<>();
    private final List<SimulatedLine> lines = new ArrayList<>();
    private final List<SimulatedTester> testers = new ArrayList<>();
    private final boolean[] relayed = new boolean[TESTERS];
    private final Set<Path> taken = new HashSet<>();
    private long now = 1_000 * HandDrivenRun.S;
    private @Nullable Controller controller;
    private @Nullable HandDrivenRelay relay;
    private @Nullable SimulatedLine upstream;
    private String token = "";
    private boolean concluded;
    /** So many events of the disk until something dies; 0: nothing does. */
    private int eventsUntilDeath;

    private boolean dying;
    private boolean machineFails;
    private boolean machineFailed;
    private boolean lastAccident;

    /** The controller's process is killed, or its machine fails, in the middle of what it does. */
    @SuppressWarnings("serial")
    private static final class Death extends Error {
        Death() {
            super("", null, false, false);
        }
    }

    /** What a controller's process has. */
    private final class Controller {
        private final RunDirectory directory;
        private final RunOutput output;
        private final Troubles troubles = new Troubles();
        private final HandDrivenCollector collector;

        Controller(boolean resumes) throws IOException {
            directory = resumes ? RunDirectory.reopen(run) : new RunDirectory(run, "target: fake://host\n");
            output = new RunOutput(() -> now, Secrets.NONE, Progress.NONE);
            output.writeTo(directory);
            collector = new HandDrivenCollector(run, TESTERS, resumes, () -> now, troubles::fail);
        }

        /** Returns whether all testers are done, or will never be. */
        boolean isOver() {
            for (SimulatedTester tester : testers) {
                Path spool = tester.spool();
                boolean isGone = !tester.isAlive() && (spool == null || taken.contains(spool));
                if (!isGone && !collector.hasTold("finished " + tester.number)) {
                    return false;
                }
            }
            return true;
        }
    }

    Simulation(long seed, Path folder) throws IOException {
        this.random = new Random(seed);
        this.folder = folder;
        this.disk = new FaultyDisk(Files.createDirectories(folder.resolve("disk")));
        this.run = disk.root().resolve("run");
        disk.tell(this::happened);
    }

    /** Lists what has happened, but for what always does. */
    List<String> story() {
        return story;
    }

    /** Returns whether the run came to its end. */
    boolean isConcluded() {
        return concluded;
    }

    /** Returns whether the controller's machine has failed, with which the run was over. */
    boolean hasMachineFailed() {
        return machineFailed;
    }

    void run() throws Exception {
        begin();
        int steps = 50 + random.nextInt(150);
        for (int i = 0; i < steps && !machineFailed && !concluded; i++) {
            orDeath(this::step);
        }
        if (!machineFailed) {
            mendAndEnd();
        }
        checkAll();
        disk.closeAll();
    }

    // The beginning, in which nothing fails

    private void begin() throws Exception {
        Controller first = new Controller(false);
        controller = first;
        token = first.collector.token();
        relay = new HandDrivenRelay(token, () -> now);
        for (int number = 1; number <= TESTERS; number++) {
            relayed[number - 1] = random.nextBoolean();
            Path spools = Files.createDirectories(folder.resolve("spools"));
            testers.add(new SimulatedTester(number, token, () -> now, spools, story));
            first.collector.assign(number, assignment(number));
        }
        first.directory.write(record(null, End.COMPLETE));
        boolean told = false;
        for (int round = 0; !testers.stream().allMatch(SimulatedTester::isStarted); round++) {
            if (round == MOST_ROUNDS) {
                throw new AssertionError("the run does not start");
            }
            connectAll();
            deliverAll();
            testers.forEach(SimulatedTester::work);
            first.collector.write();
            pass(TICK_NANOS);
            if (!told && first.collector.hasTold("ready 1") && first.collector.hasTold("ready 2")) {
                told = true;
                first.collector.start(now + HandDrivenRun.S);
            }
        }
        story.add("started; " + (relayed[0] ? "1 by the relay" : "1 directly") + ", "
                + (relayed[1] ? "2 by the relay" : "2 directly"));
    }

    private static Assignment assignment(int tester) {
        Plan plan = new Plan(
                1,
                TESTERS,
                Targets.one(URI.create("fake://host")),
                List.of(new Stage(
                        0, new ClosedLoad(TESTERS, 0, 1_000 * HandDrivenRun.S, Think.NONE, HandDrivenRun.S), 0)));
        return new Assignment(
                plan,
                tester,
                Rank.ONLY,
                "fake",
                Map.of(),
                List.of(),
                LoopChoice.DEFAULT,
                HandDrivenCollector.LEASE_NANOS,
                60 * HandDrivenRun.S,
                false,
                Script.NONE);
    }

    private RunRecord record(@Nullable Long endNanos, End end) {
        return new RunRecord(
                RunRecord.FORMAT,
                "simulated",
                Map.of(),
                1,
                "test",
                "2026-11-21T10:00:00.123Z",
                now,
                endNanos,
                end,
                "fake",
                Set.of(),
                List.of(),
                List.of("call"),
                List.of("fake://host"),
                List.of(),
                List.of(),
                new MeasureRecord("whole", 0, 0, 0),
                List.of(),
                new ReportRecord(1_000_000_000L, 0, 0, false),
                Map.of(),
                List.of(),
                List.of(),
                null,
                List.of(),
                null,
                null,
                null,
                null);
    }

    // What happens

    private interface Step {
        void take() throws Exception;
    }

    /** Takes a step, in the middle of which the controller may die. */
    private void orDeath(Step step) throws Exception {
        try {
            step.take();
        } catch (Death death) {
            assert dying;
        }
        // Where it comes in the middle of a frame, the connection catches it.
        if (dying) {
            dying = false;
            die();
        }
    }

    private void happened(FaultyDisk.Event event) {
        if (eventsUntilDeath > 0 && --eventsUntilDeath == 0) {
            story.add((machineFails ? "the machine fails" : "the controller is killed") + " after " + event.kind() + " "
                    + event.name());
            if (machineFails) {
                leaveImage();
            }
            dying = true;
            throw new Death();
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

    /** Ends the controller's process where it stands. What it has sent may still arrive. */
    private void die() throws IOException {
        Controller dead = controller;
        controller = null;
        eventsUntilDeath = 0;
        disk.closeAll();
        if (dead != null) {
            lines.forEach(line -> line.died(dead.collector));
        }
    }

    private void step() throws Exception {
        SimulatedTester tester = testers.get(random.nextInt(TESTERS));
        Controller here = controller;
        int what = random.nextInt(100);
        if (what < 18) {
            if (tester.isMeasuring()) {
                tester.measure(1 + random.nextInt(3));
            }
        } else if (what < 53) {
            if (!lines.isEmpty()) {
                SimulatedLine line = lines.get(random.nextInt(lines.size()));
                boolean up = random.nextBoolean();
                int underWay = line.underWay(up);
                line.deliver(up, random.nextInt(4) == 0 ? random.nextInt(underWay + 1) : underWay);
                line.notice();
            }
        } else if (what < 66) {
            if (here != null) {
                here.collector.write();
            }
        } else if (what < 73) {
            pass(random.nextInt(20) == 0 ? 3 * HandDrivenRun.S : TICK_NANOS);
        } else if (what < 80) {
            tester.work();
        } else if (what < 88) {
            if (here == null && random.nextBoolean()) {
                resume();
            } else {
                connectAll();
            }
        } else if (what < 93) {
            if (here != null && here.isOver()) {
                conclude(here);
            }
        } else {
            fail(tester, here, random.nextInt(90));
        }
    }

    private void fail(SimulatedTester tester, @Nullable Controller here, int what) throws Exception {
        if (what < 25) {
            if (!lines.isEmpty()) {
                lines.get(random.nextInt(lines.size())).cut();
                story.add("a connection is cut");
            }
        } else if (what < 45) {
            if (here == null) {
                resume();
            } else if (random.nextInt(3) == 0) {
                story.add("the controller is killed");
                die();
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
                tester.killed = true;
                lines.forEach(line -> line.died(tester));
                story.add("tester " + tester.number + " is killed with " + tester.forgotten + " of "
                        + tester.blocks.size() + " blocks acknowledged");
            }
        } else if (tester.isAlive()) {
            story.add("tester " + tester.number + " gets a SIGTERM");
            tester.terminate();
        }
    }

    /** Lets time pass, and everybody look at the clock. */
    private void pass(long nanos) throws IOException {
        now += nanos;
        testers.forEach(SimulatedTester::tick);
        if (controller != null) {
            controller.collector.passed(nanos);
        }
        lines.removeIf(SimulatedLine::isOver);
        if (controller != null && controller.collector.failure().isPresent()) {
            // What the run does then: it leaves, to be resumed.
            story.add("the controller leaves: " + controller.collector.failure().orElseThrow());
            leave(controller);
        }
    }

    private void leave(Controller failed) throws IOException {
        try {
            failed.collector.close();
        } catch (IOException e) {
            // It has failed.
        }
        failed.directory.leaveControl();
        failed.directory.close();
        die();
    }

    private void resume() throws IOException {
        try {
            controller = new Controller(true);
            story.add("the run is resumed");
        } catch (IOException e) {
            story.add("the run cannot be resumed: " + e.getMessage());
            die();
        }
    }

    private void connectAll() {
        Controller here = controller;
        if (here != null && relay == null) {
            relay = new HandDrivenRelay(token, () -> now);
        }
        if (here != null && relay != null && (upstream == null || !upstream.isUp())) {
            upstream = new SimulatedLine(
                    relay, relay.connected(), here.collector, here.collector.accept(new Role.Holder(Role.RELAY, 1)));
            lines.add(upstream);
        }
        for (SimulatedTester tester : testers) {
            Role.Holder holder = new Role.Holder(Role.TESTER, tester.number);
            boolean isUp = lines.stream().anyMatch(line -> line.caller == tester && line.isUp());
            if (!tester.isAlive() || isUp) {
                continue;
            }
            EmbeddedChannel far = null;
            if (relayed[tester.number - 1]) {
                far = relay == null ? null : relay.accept(holder);
            } else if (here != null) {
                far = here.collector.accept(holder);
            }
            if (far != null && far.isActive()) {
                Object called = relayed[tester.number - 1] ? relay : here.collector;
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
    }

    /** Ends the run as its controller does when all testers are done. */
    private void conclude(Controller here) throws Exception {
        Conclusion conclusion = new Conclusion(here.directory, here.collector, here.output, here.troubles);
        try {
            conclusion.keepSamples();
            conclusion.release(record(now, End.COMPLETE));
        } catch (IOException e) {
            story.add("the run cannot be concluded: " + e.getMessage());
            leave(here);
            return;
        }
        story.add("the run is concluded");
        concluded = true;
        try {
            here.collector.close();
        } catch (IOException e) {
            story.add("what came later cannot be written: " + e.getMessage());
        }
        here.directory.close();
        deliverAll();
        die();
    }

    private void mendAndEnd() throws Exception {
        story.add("everything is mended");
        eventsUntilDeath = 0;
        if (random.nextInt(4) == 0) {
            story.add("nobody resumes the run while testers wait");
            if (controller != null) {
                die();
            }
            deliverAll();
            pass(70 * HandDrivenRun.S);
        }
        for (int round = 0; !concluded; round++) {
            if (round == MOST_ROUNDS) {
                throw new AssertionError("the run does not end");
            }
            orDeath(this::mendedRound);
        }
    }

    private void mendedRound() throws Exception {
        disk.makeRoom();
        disk.failForceAfter(Integer.MAX_VALUE);
        if (controller == null) {
            resume();
        }
        connectAll();
        deliverAll();
        for (SimulatedTester tester : testers) {
            if (tester.isMeasuring()) {
                tester.measure(1);
            }
            tester.work();
            Path spool = tester.spool();
            if (spool != null && controller != null) {
                controller.collector.take(spool);
                taken.add(spool);
            }
        }
        if (controller != null && random.nextBoolean()) {
            controller.collector.write();
        }
        deliverAll();
        pass(TICK_NANOS);
        if (controller != null && controller.isOver()) {
            if (!lastAccident && random.nextInt(3) == 0) {
                lastAccident = true;
                failAtTheEnd();
            }
            conclude(controller);
        }
    }

    /** Lets something fail while the run is concluded. */
    private void failAtTheEnd() {
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
        Map<Double, Integer> kept = kept(left.resolve("samples"));
        kept.forEach((value, times) -> check(times == 1, "sample " + value + " is kept " + times + " times"));
        for (SimulatedTester tester : testers) {
            boolean mayLose = machineFailed || tester.killed;
            for (int block = 1; block <= tester.blocks.size(); block++) {
                if (block > tester.forgotten && mayLose) {
                    break;
                }
                for (double value : tester.blocks.get(block - 1)) {
                    check(
                            kept.containsKey(value),
                            (block <= tester.forgotten ? "acknowledged " : "") + "sample " + value + " of block "
                                    + block + " of tester " + tester.number + " is lost");
                }
            }
            if (tester.forgotten > 0) {
                check(
                        Files.readString(left.resolve("clock.csv")).contains("\n" + tester.number + ","),
                        "the clock of tester " + tester.number + " is lost");
                check(Files.exists(left.resolve("run.json")), "the record of the run is lost");
            }
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static Map<Double, Integer> kept(Path samples) throws IOException {
        Map<Double, Integer> kept = new HashMap<>();
        Observations rows = new Observations();
        if (!Files.isDirectory(samples)) {
            return kept;
        }
        for (Path file : SampleReader.files(samples)) {
            ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
            rest.position(Math.min(rest.limit(), SampleWriter.header().length));
            try {
                while (rest.hasRemaining()) {
                    ByteBuffer block = rest.slice();
                    rows.decode(block, Block.read(block));
                    for (int row = 0; row < rows.rows(); row++) {
                        kept.merge(rows.value(row), 1, Integer::sum);
                    }
                    rest.position(rest.position() + Block.length(rest.slice()));
                }
            } catch (CorruptBlockException e) {
                // The last one was cut off.
            }
        }
        return kept;
    }
}
