package org.diperf.tester.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.tester.time.TimeProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One tester in a run, whose controller, clock and engine are the test. */
@Timeout(30)
class MembershipTests {

    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private static final long LEASE = 5 * S;
    private static final long LINGER = 60 * S;
    private static final long JOIN = 30 * S;
    private static final int TESTER = 7;
    private static final TesterFacts FACTS = new TesterFacts("here", 2, 1 << 30, "17", List.of(), "Linux", false);

    @TempDir
    Path folder;

    private final List<String> heard = new ArrayList<>();
    private final ScriptedEngine engine = new ScriptedEngine();
    private final Thread loopThread = Thread.currentThread();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private long now = 1_000 * S;
    private MemoryWay way = new MemoryWay();

    private final class Hearing implements Membership.Events {
        @Override
        public void welcomed() {
            heard.add("welcomed");
        }

        @Override
        public void trouble(String reason) {
            heard.add("trouble: " + reason);
        }

        @Override
        public void assigned(Assignment assignment) {
            heard.add("assigned slot " + assignment.slot());
        }

        @Override
        public void ended() {
            heard.add("ended");
        }
    }

    private Membership membership(long spoolBytes) {
        EventLoop loop = new EmbeddedChannel().eventLoop();
        Tester.Setup setup = new Tester.Setup(
                id -> Optional.empty(),
                List.of(),
                (assignment, tester, plugin, scratch, sink, clock, listener) -> engine,
                FACTS,
                folder,
                spoolBytes,
                JOIN);
        TimeProbe time = new TimeProbe(TESTER, () -> now, loop, line -> {});
        return new Membership(TESTER, "token", setup, () -> now, time, this::onLoop, new Hearing());
    }

    /** Tasks of other threads wait until this one runs them. */
    private void onLoop(Runnable task) {
        if (Thread.currentThread() == loopThread) {
            task.run();
        } else {
            tasks.add(task);
        }
    }

    private Membership membership() {
        return membership(1 << 20);
    }

    private static Assignment assignment(boolean debug) {
        return new Assignment(
                new Plan(1, 1, Targets.one(Url.of("fake://host")), List.of(stage(0))),
                1,
                Rank.ONLY,
                "fake",
                Map.of(),
                List.of(),
                LoopSettings.DEFAULT,
                LEASE,
                LINGER,
                debug,
                Script.NONE);
    }

    private static Stage stage(int number) {
        return new Stage(number, new ClosedLoad(1, 0, S, ThinkTime.NONE, MS), number * S);
    }

    private void says(Membership membership, Message... messages) {
        for (Message message : messages) {
            membership.received(new Frame(TESTER, now, 0, 0, message), now);
        }
    }

    private static Message.Welcome welcome(long durable) {
        return new Message.Welcome(durable, LEASE, TimeServerSettings.NONE);
    }

    /** A membership that has been let in, has its assignment and waits for the start. */
    private Membership ready() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, welcome(0), new Message.Assign(assignment(false)));
        membership.prepared(engine);
        return membership;
    }

    /** A membership whose load is under way. */
    private Membership started() {
        Membership membership = ready();
        says(membership, new Message.Start(now + S, 0));
        way.taken();
        return membership;
    }

    /** The way is cut, and another one is made on which the controller says what is durable. */
    private void reconnect(Membership membership, long durable) {
        membership.uplink().gone();
        way = new MemoryWay();
        membership.connected(way);
        way.taken();
        says(membership, welcome(durable));
    }

    private static void measure(Membership membership) {
        ObservationWriter writer = new ObservationWriter(TESTER, 1);
        writer.add("metric", 1, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        membership.spool().write(writer);
    }

    /** Lets time pass in ticks. */
    private void pass(Membership membership, long nanos) {
        for (long end = now + nanos; now < end; ) {
            now += 100 * MS;
            membership.tick();
        }
    }

    private static List<Long> numbers(List<Message.Block> blocks) {
        List<Long> numbers = new ArrayList<>();
        for (Message.Block block : blocks) {
            numbers.add(number(block.data()));
        }
        return numbers;
    }

    private static long number(ByteBuffer block) {
        try {
            return Block.read(block).number();
        } catch (CorruptBlockException e) {
            throw new AssertionError(e);
        }
    }

    // Joining

    @Test
    void theControllerIsGreetedWithTheTokenAndHearsNothingElseBeforeItsWelcome() {
        Membership membership = membership();
        membership.log("a line");
        measure(membership);
        membership.connected(way);
        pass(membership, S);
        assertThat(way.taken()).containsExactly(new Message.Hello("token", Frame.VERSION, false, FACTS));

        says(membership, welcome(0));
        assertThat(way.taken()).hasSize(2).first().isEqualTo(new Message.Log("a line"));
        assertThat(heard).containsExactly("welcomed");
    }

    @Test
    void aTesterThatIsNotLetInEnds() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, new Message.RejectedHello("expected this run's token"));
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.REJECTED));
        assertThat(heard).containsExactly("ended");
    }

    @Test
    void aTesterThatNobodyLetsInGivesUpAfterItsTimeToJoin() {
        Membership membership = membership();
        pass(membership, JOIN);
        assertThat(membership.exitCode()).isEmpty();
        pass(membership, S);
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.CONTROLLER_GONE));
    }

    @Test
    void whatOnlyATesterSaysOrComesTooEarlyEndsTheWay() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, new Message.Ping());
        assertThat(way.active).isFalse();
        assertThat(heard).containsExactly("trouble: Expected a welcome first, got Ping");

        way = new MemoryWay();
        membership.connected(way);
        says(membership, welcome(0), new Message.Pong());
        assertThat(way.active).isFalse();
        assertThat(heard).contains("trouble: Expected a controller message, got Pong");

        way = new MemoryWay();
        membership.connected(way);
        membership.received(new Frame(TESTER + 1, now, 0, 0, welcome(0)), now);
        assertThat(way.active).isFalse();
        assertThat(heard).contains("trouble: Expected a frame for tester 7, got one for tester 8");
    }

    // Orders

    @Test
    void theFirstAssignmentCountsAndTheEngineIsReadyBeforeItStarts() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, welcome(0), new Message.Assign(assignment(false)), new Message.Assign(assignment(false)));
        assertThat(heard).containsExactly("welcomed", "assigned slot 1");
        says(membership, new Message.Start(now + S, 0));
        assertThat(way.taken(Message.Ready.class)).isEmpty();

        membership.prepared(engine);
        assertThat(way.taken(Message.Ready.class)).hasSize(1);
        says(membership, new Message.Start(now + S, 3), new Message.Start(now + 2 * S, 3));
        assertThat(engine.told).containsExactly("start at " + (now + S) + " join 3");
    }

    @Test
    void aReadyTesterSaysSoAgainWhenItComesBackAndAStartedOneDoesNot() {
        Membership membership = ready();
        reconnect(membership, 0);
        assertThat(way.taken(Message.Ready.class)).hasSize(1);

        says(membership, new Message.Start(now + S, 0));
        reconnect(membership, 0);
        assertThat(way.taken(Message.Ready.class)).isEmpty();
    }

    @Test
    void aPingIsAnsweredAtOnceAndTheLoadIsReportedTwiceASecond() {
        Membership membership = started();
        says(membership, new Message.Ping());
        assertThat(way.taken()).containsExactly(new Message.Pong());
        pass(membership, 3 * S);
        assertThat(way.taken(Message.Status.class)).hasSize(6).containsOnly(new Message.Status(ScriptedEngine.STATUS));
    }

    @Test
    void stagesThatComeBeforeTheEngineAreAppendedWhenItIsThere() {
        Membership membership = membership();
        membership.connected(way);
        says(
                membership,
                welcome(0),
                new Message.Assign(assignment(false)),
                new Message.Append(stage(1)),
                new Message.Append(stage(2)));
        membership.prepared(engine);
        says(membership, new Message.Append(stage(3)));
        assertThat(engine.told).containsExactly("append stage 1", "append stage 2", "append stage 3");
    }

    @Test
    void aStageThatDoesNotFollowEndsTheWaySoThatAllComeAgain() {
        engine.grows = false;
        Membership membership = started();
        says(membership, new Message.Append(stage(2)));
        assertThat(way.active).isFalse();
        assertThat(heard).contains("trouble: Expected the next stage of an open-ended plan: this plan does not grow");
    }

    @Test
    void aStopMayComeAgainWithLessGraceAndNotWithMore() {
        Membership membership = started();
        engine.told.clear();
        says(membership, new Message.Stop(S), new Message.Stop(2 * S), new Message.Stop(0));
        assertThat(engine.told).containsExactly("stop " + S, "stop 0");
    }

    @Test
    void anEngineThatWasStoppedBeforeItWasThereIsNeverReady() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, welcome(0), new Message.Assign(assignment(false)), new Message.Stop(S));
        membership.prepared(engine);
        says(membership, new Message.Start(now + S, 0));
        assertThat(engine.told).containsExactly("stop " + S);
        assertThat(way.taken(Message.Ready.class)).isEmpty();
    }

    @Test
    void aRefusalIsRepeatedUntilTheControllerSaysGoodbye() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, welcome(0), new Message.Assign(assignment(false)));
        membership.refuse("no licence server");
        assertThat(way.taken(Message.Refused.class)).containsExactly(new Message.Refused("no licence server"));
        reconnect(membership, 0);
        assertThat(way.taken(Message.Refused.class)).containsExactly(new Message.Refused("no licence server"));
        says(membership, new Message.Bye());
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.REFUSED));
    }

    @Test
    void aTesterThatIsReleasedWithSamplesThatNobodyTookSaysHowMany() {
        Membership membership = started();
        measure(membership);
        measure(membership);
        measure(membership);
        says(membership, new Message.Ack(1), new Message.Bye());
        assertThat(way.taken(Message.Log.class))
                .containsExactly(new Message.Log(
                        "2 blocks of samples with 2 rows are lost: the run ended before they were acknowledged"));
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.DONE));
    }

    @Test
    void anEngineThatFailsIsARefusal() {
        Membership membership = started();
        engine.fail("out of descriptors");
        assertThat(way.taken(Message.Refused.class))
                .containsExactly(
                        new Message.Refused("The engine failed: java.lang.IllegalStateException: out of descriptors"));
        says(membership, new Message.Bye());
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.REFUSED));
    }

    // Samples

    @Test
    void blocksAreShippedInTheirOrderAndForgottenWhenTheyAreDurable() {
        Membership membership = started();
        measure(membership);
        measure(membership);
        membership.tick();
        assertThat(numbers(way.taken(Message.Block.class))).containsExactly(1L, 2L);
        assertThat(membership.spool().block(1)).isNotNull();

        says(membership, new Message.Ack(1));
        assertThat(membership.spool().block(1)).isNull();
        assertThat(membership.spool().block(2)).isNotNull();
        assertThat(membership.spool().unacknowledged()).isEqualTo(1);
        measure(membership);
        membership.tick();
        assertThat(numbers(way.taken(Message.Block.class))).containsExactly(3L);
    }

    @Test
    void afterACutEverythingThatIsNotDurableIsShippedAgain() {
        Membership membership = started();
        for (int i = 0; i < 4; i++) {
            measure(membership);
        }
        membership.tick();
        assertThat(numbers(way.taken(Message.Block.class))).containsExactly(1L, 2L, 3L, 4L);
        says(membership, new Message.Ack(1));

        membership.uplink().gone();
        measure(membership);
        pass(membership, S);
        way = new MemoryWay();
        membership.connected(way);
        assertThat(way.taken()).containsExactly(new Message.Hello("token", Frame.VERSION, true, FACTS));
        says(membership, welcome(2));
        assertThat(numbers(way.taken(Message.Block.class))).containsExactly(3L, 4L, 5L);
    }

    @Test
    void aControllerThatHasFewerBlocksThanWereAcknowledgedGetsThoseThatAreLeft() {
        Membership membership = started();
        for (int i = 0; i < 3; i++) {
            measure(membership);
        }
        says(membership, new Message.Ack(2));
        reconnect(membership, 0);
        assertThat(numbers(way.taken(Message.Block.class))).containsExactly(3L);
    }

    @Test
    void aWayThatTakesNoMoreGetsTheRestWhenItDoes() {
        Membership membership = started();
        measure(membership);
        way.writable = false;
        membership.tick();
        assertThat(way.taken(Message.Block.class)).isEmpty();
        way.writable = true;
        membership.pump();
        assertThat(numbers(way.taken(Message.Block.class))).containsExactly(1L);
    }

    @Test
    void aFullSpoolHoldsUpTheWriterUntilBlocksAreDurableAndSaysSoOnce() throws InterruptedException {
        Membership membership = membership(1);
        membership.connected(way);
        says(membership, welcome(0), new Message.Assign(assignment(false)));
        measure(membership);
        Thread writer = new Thread(() -> {
            measure(membership);
            measure(membership);
        });
        writer.start();
        while (membership.spool().waits() < 1) {
            Thread.onSpinWait();
        }
        assertThat(membership.spool().last()).isEqualTo(1);
        membership.tick();
        says(membership, new Message.Ack(1));
        while (membership.spool().waits() < 2) {
            Thread.onSpinWait();
        }
        membership.tick();
        says(membership, new Message.Ack(2));
        writer.join();
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        membership.tick();
        assertThat(membership.spool().last()).isEqualTo(3);
        List<Message> sent = way.taken();
        assertThat(sent.stream().filter(Message.Log.class::isInstance)).hasSize(1);
        assertThat(sent)
                .contains(new Message.Log("The sample buffer of 0 MiB is full; the load waits for the controller"));
        assertThat(numbers(sent.stream()
                        .filter(Message.Block.class::isInstance)
                        .map(Message.Block.class::cast)
                        .toList()))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void theEndIsToldAfterTheLastBlockAndAgainWhenTheControllerMayHaveMissedIt() {
        Membership membership = started();
        measure(membership);
        way.writable = false;
        engine.finish();
        assertThat(way.taken(Message.Finished.class)).isEmpty();
        way.writable = true;
        membership.pump();
        List<Message> sent = way.taken();
        assertThat(sent).hasSize(2).last().isEqualTo(new Message.Finished(ScriptedEngine.TOTALS));
        pass(membership, S);
        assertThat(way.taken()).isEmpty();

        reconnect(membership, 1);
        assertThat(way.taken()).containsExactly(new Message.Finished(ScriptedEngine.TOTALS));
        says(membership, new Message.Bye());
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.DONE));
    }

    // The lease

    @Test
    void datagramsThatNobodyAnswersAreGivenUpWellWithinTheLease() {
        way.noticesEnd = false;
        Membership membership = ready();
        says(membership, new Message.Start(now, 0));
        now += LEASE / 2;
        membership.tick();
        assertThat(way.active).isTrue();
        now += LEASE / 10;
        membership.tick();
        assertThat(way.active).isFalse();
        membership.gone();
        way = new MemoryWay();
        way.noticesEnd = false;
        membership.connected(way);
        membership.tick();
        assertThat(way.active).as("a new way has time to be answered").isTrue();
        says(membership, welcome(0));
        now += LEASE / 2;
        membership.tick();
        assertThat(way.active).isTrue();
        assertThat(engine.told).noneMatch(said -> said.startsWith("stop"));
    }

    @Test
    void aConnectionThatTellsItsEndIsKeptForTheWholeLease() {
        Membership membership = ready();
        now += LEASE;
        membership.tick();
        assertThat(way.active).isTrue();
        now += S / 10;
        membership.tick();
        assertThat(way.active).isFalse();
    }

    @Test
    void theTotalsSayWhetherTheLoadWasStopped() {
        Membership membership = ready();
        says(membership, new Message.Start(now, 0));
        engine.finish();
        assertThat(way.taken(Message.Finished.class))
                .extracting(finished -> finished.totals().stopped())
                .containsExactly(false);
    }

    @Test
    void theTotalsOfALoadWhoseLeaseExpiredSayThatItWasStopped() {
        Membership membership = ready();
        says(membership, new Message.Start(now, 0));
        now += LEASE + S;
        membership.tick();
        engine.finish();
        membership.gone();
        way = new MemoryWay();
        membership.connected(way);
        says(membership, welcome(0));
        assertThat(way.taken(Message.Finished.class))
                .extracting(finished -> finished.totals().stopped())
                .containsExactly(true);
    }

    @Test
    void aLeaseThatRunsOutStopsTheLoadAndKeepsTheSamples() {
        Membership membership = started();
        measure(membership);
        engine.told.clear();
        pass(membership, LEASE);
        assertThat(engine.told).isEmpty();
        assertThat(way.active).isTrue();
        pass(membership, 200 * MS);
        assertThat(engine.told).containsExactly("stop 0");
        assertThat(way.active).isFalse();

        pass(membership, 10 * S);
        assertThat(engine.told).hasSize(1);
        assertThat(membership.exitCode()).isEmpty();
        reconnect(membership, 0);
        List<Message> sent = way.taken();
        assertThat(sent)
                .anyMatch(message -> message instanceof Message.Log log
                        && log.line()
                                .startsWith(
                                        "The lease expired: the controller was silent for 5100 ms (limit 5000 ms)"));
        assertThat(sent).anyMatch(Message.Block.class::isInstance);
    }

    @Test
    void anySignOfLifeKeepsTheLease() {
        Membership membership = started();
        engine.told.clear();
        for (int i = 0; i < 5; i++) {
            pass(membership, LEASE - S);
            says(membership, new Message.Ping());
        }
        assertThat(engine.told).isEmpty();
    }

    @Test
    void aDebuggedTestersLeaseStandsStill() {
        Membership membership = membership();
        membership.connected(way);
        says(membership, welcome(0), new Message.Assign(assignment(true)));
        membership.prepared(engine);
        says(membership, new Message.Start(now + S, 0));
        engine.told.clear();
        pass(membership, 2 * LEASE);
        assertThat(engine.told).isEmpty();
        assertThat(way.active).isTrue();
    }

    @Test
    void aTesterWhoseControllerIsGoneLeavesItsSamplesInAFileAndEnds() throws IOException {
        Membership membership = started();
        measure(membership);
        measure(membership);
        says(membership, new Message.Ack(1));
        engine.finish();
        membership.uplink().gone();
        pass(membership, LEASE + LINGER);
        assertThat(membership.exitCode()).isEmpty();
        pass(membership, S);
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.CONTROLLER_GONE));
        List<Message> left = new ArrayList<>();
        FrameFile.read(SpoolFile.of(folder, TESTER), frame -> left.add(frame.message()));
        assertThat(left).hasSize(3).last().isEqualTo(new Message.Finished(ScriptedEngine.TOTALS));
        assertThat(number(((Message.Block) left.get(1)).data())).isEqualTo(2);
        assertThat(SpoolFile.check(SpoolFile.of(folder, TESTER)))
                .isEqualTo(new SpoolFile.Head(RunCredentials.runOf("token"), TESTER, 1, 2, 2, true));
        assertThat(Files.readString(SpoolFile.of(folder, TESTER), StandardCharsets.ISO_8859_1))
                .doesNotContain("token");
    }

    @Test
    void aTesterThatIsTerminatedWhenItsControllerIsGoneSaysSoAtOnce() throws IOException {
        Membership membership = started();
        measure(membership);
        membership.uplink().gone();
        pass(membership, LEASE + S);
        engine.finish();
        membership.terminate();
        pass(membership, S / 10);
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.CONTROLLER_GONE));
        assertThat(SpoolFile.check(SpoolFile.of(folder, TESTER)).blocks()).isEqualTo(1);
    }

    @Test
    void whatATesterLeavesThatIsTerminatedDoesNotSayThatItsPlanWasCarriedOut() throws IOException {
        Membership membership = started();
        measure(membership);
        membership.uplink().gone();
        membership.terminate();
        engine.finish();
        pass(membership, 4 * S);
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.TERMINATED));
        assertThat(SpoolFile.check(SpoolFile.of(folder, TESTER)).finished()).isFalse();
    }

    // Termination

    @Test
    void aTesterThatIsTerminatedShipsWhatItHasAndDoesNotSayThatItFinished() {
        Membership membership = started();
        measure(membership);
        engine.told.clear();
        membership.terminate();
        assertThat(engine.told).containsExactly("stop 0");
        engine.finish();
        assertThat(membership.exitCode()).isEmpty();
        List<Message> sent = way.taken();
        assertThat(sent).noneMatch(Message.Finished.class::isInstance);
        assertThat(sent).anyMatch(Message.Block.class::isInstance);
        assertThat(sent).contains(new Message.Status(ScriptedEngine.STATUS));

        says(membership, new Message.Ack(1));
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.TERMINATED));
        assertThat(Files.exists(SpoolFile.of(folder, TESTER))).isFalse();
    }

    @Test
    void aTerminationWaitsFourSecondsForTheControllerAtMost() {
        Membership membership = started();
        measure(membership);
        membership.terminate();
        engine.finish();
        pass(membership, 3_900 * MS);
        assertThat(membership.exitCode()).isEmpty();
        pass(membership, 100 * MS);
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.TERMINATED));
        assertThat(SpoolFile.of(folder, TESTER)).exists();
        assertThat(heard).endsWith("ended");
    }

    @Test
    void aTesterThatIsTerminatedAfterItsEndHasCarriedOutItsPlan() {
        Membership membership = started();
        engine.finish();
        assertThat(way.taken(Message.Finished.class)).hasSize(1);
        membership.terminate();
        assertThat(membership.exitCode()).isEqualTo(OptionalInt.of(ExitCode.TERMINATED));
        assertThat(way.taken(Message.Log.class)).isEmpty();
    }

    @Test
    void linesThatNobodyCanTakeAreKeptUpToABound() {
        Membership membership = membership();
        for (int i = 0; i < 200; i++) {
            membership.log("line " + i);
        }
        membership.log("x".repeat(5_000));
        membership.connected(way);
        way.taken();
        says(membership, welcome(0));
        assertThat(way.taken(Message.Log.class)).hasSize(100);
        membership.log("x".repeat(5_000));
        assertThat(way.taken(Message.Log.class).get(0).line()).hasSize(2_001);
    }

    @Test
    void whatLeavesByTheWireShowsNoSecret() {
        Membership membership = membership();
        membership.connected(way);
        Assignment plain = assignment(false);
        Assignment assignment = new Assignment(
                plain.plan(),
                plain.slot(),
                plain.rank(),
                plain.plugin(),
                plain.with(),
                plain.jars(),
                plain.loops(),
                LEASE,
                LINGER,
                false,
                new Script(List.of(), List.of(), List.of(), List.of(), new Secrets(Map.of("env:KEY", "open-sesame"))));
        says(membership, welcome(0), new Message.Assign(assignment));
        membership.log("logged in with open-sesame\nended: COMPLETE");
        membership.refuse("body-file: expected a file, got none at /tmp/open-sesame");
        assertThat(way.taken().toString())
                .contains("logged in with ***·ended: COMPLETE", "got none at /tmp/***")
                .doesNotContain("sesame");
    }
}
