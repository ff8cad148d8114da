package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.PluginJar;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.link.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CollectorTests {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    @TempDir
    Path folder;

    @Test
    void aTesterJoinsPreparesStartsShipsFinishesAndLeaves() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            cluster.collector.assign(1, MiniCluster.assignment(1));
            MiniCluster.Running running = cluster.tester(1, NanoClock.SYSTEM);
            assertThat(cluster.events.await("joined")).isEqualTo("joined 1 node,1");
            cluster.events.await("ready 1");
            assertThat(running.engine().assignment()).isEqualTo(MiniCluster.assignment(1));
            long start = cluster.start(TimeUnit.SECONDS.toNanos(1));
            // Same machine, same clock: the true offset is 0.
            assertThat(running.engine().started.get(10, TimeUnit.SECONDS) - start)
                    .isBetween(-50_000_000L, 50_000_000L);
            for (int i = 0; i < 50; i++) {
                running.engine().measure(i);
            }
            assertThat(cluster.events.await("status")).isEqualTo("status 1 5");
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.events.totals).isEqualTo(new TesterTotals(3, 0, 0, 0, Map.of("late", 1L), 5));
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(cluster.blocks()).hasSize(50).doesNotHaveDuplicates();
            cluster.collector.bye();
            assertThat(running.exitCode().get(10, TimeUnit.SECONDS)).isEqualTo(ExitCode.DONE);
            assertThat(running.engine().closed.await(10, TimeUnit.SECONDS)).isTrue();
        }
        List<String> clock = Files.readAllLines(folder.resolve("clock.csv"));
        assertThat(clock.get(0)).isEqualTo(ClockRow.HEADER);
        assertThat(clock).anyMatch(row -> row.startsWith("1,\"node,1\",frame,"));
        assertThat(clock).anyMatch(row -> row.startsWith("1,\"node,1\",udp,"));
    }

    @Test
    void duplicatesAreDroppedAndTheHighestDurableNumberIsAcknowledged() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            assertThat(peer.await(Message.Welcome.class).durable()).isZero();
            peer.block(1, 1);
            peer.block(1, 1);
            peer.block(1, 2);
            peer.block(1, 1);
            while (peer.await(Message.Ack.class).durable() < 2) {
                // The first acknowledgement may be for the first block alone.
            }
            assertThat(cluster.blocks()).containsExactly("1/1", "1/2");
        }
    }

    @Test
    void aGapBetweenBlocksLosesTheTesterForGood() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.block(1, 1);
            peer.block(1, 3);
            assertThat(cluster.events.await("dropped 1")).contains("block 3 after block 1");
            peer.awaitEnd();
            RawPeer again = cluster.peer(1);
            again.hello(true);
            assertThat(again.await(Message.RejectedHello.class).reason()).contains("dropped earlier: sent");
        }
    }

    @Test
    void aBlockOfAnotherTesterLosesTheTester() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.block(2, 1);
            assertThat(cluster.events.await("dropped 1")).contains("a block that belongs to tester 2");
        }
    }

    @Test
    void aTesterThatComesBackIsToldWhatIsDurableAndMayRepeatTheRest() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            RawPeer first = cluster.peer(1);
            first.hello(false);
            first.block(1, 1);
            first.block(1, 2);
            while (first.await(Message.Ack.class).durable() < 2) {
                // Until both are durable.
            }
            first.close();
            RawPeer second = cluster.peer(1);
            second.hello(true);
            assertThat(second.await(Message.Welcome.class).durable()).isEqualTo(2);
            second.block(1, 2);
            second.block(1, 3);
            assertThat(second.await(Message.Ack.class).durable()).isEqualTo(3);
            assertThat(cluster.blocks()).containsExactly("1/1", "1/2", "1/3");
        }
    }

    @Test
    void anAppendedStageIsSentAgainToATesterThatComesBack() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            Stage next = new Stage(1, new ClosedLoad(1, 0, 1_000_000_000, ThinkTime.NONE, 1_000_000), 500_000_000);
            cluster.collector.assign(1, MiniCluster.assignment(1));
            RawPeer first = cluster.peer(1);
            first.hello(false);
            first.await(Message.Assign.class);
            cluster.collector.append(next);
            assertThat(first.await(Message.Append.class).stage()).isEqualTo(next);
            first.close();
            RawPeer second = cluster.peer(1);
            second.hello(true);
            second.await(Message.Assign.class);
            assertThat(second.await(Message.Append.class).stage()).isEqualTo(next);
        }
    }

    @Test
    void aWrongTokenIsRejected() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.send(new Message.Hello("0".repeat(64), Frame.VERSION, false, MiniCluster.FACTS));
            assertThat(peer.await(Message.RejectedHello.class).reason()).contains("token");
            assertThat(peer.awaitEnd()).isEmpty();
        }
    }

    @Test
    void aWrongVersionIsRejectedWithBothVersions() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.send(new Message.Hello(peer.ticket.token(), 7, false, MiniCluster.FACTS));
            assertThat(peer.await(Message.RejectedHello.class).reason())
                    .contains("version " + Frame.VERSION, "version 7");
        }
    }

    @Test
    void aTesterMayNotSpeakForAnother() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.raw(new Frame(
                            2, 1, 0, 0, new Message.Hello(peer.ticket.token(), Frame.VERSION, false, MiniCluster.FACTS))
                    .encode());
            assertThat(peer.awaitEnd()).isEmpty();
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityOrRoleGetsNoAnswer() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            Ticket good = Ticket.parse(cluster.collector.tickets().tester(1));
            RunCredentials stranger = new RunCredentials(Instant.now(), new SecureRandom());
            for (RunCredentials.Identity identity : List.of(
                    stranger.issue(Role.TESTER, 1),
                    cluster.collector.credentials().issue(Role.CONTROLLER, 1))) {
                Ticket bad = new Ticket(
                        1,
                        good.hosts(),
                        good.port(),
                        good.authority(),
                        identity.certificate(),
                        identity.key(),
                        good.token());
                RawPeer peer = cluster.peer(bad);
                try {
                    peer.hello(false);
                    assertThat(peer.awaitEnd()).isEmpty();
                } catch (IOException refusedDuringTheHandshake) {
                    assertThat(refusedDuringTheHandshake).isNotNull();
                }
            }
            RawPeer peer = cluster.peer(good);
            peer.hello(false);
            assertThat(peer.await(Message.Welcome.class)).isNotNull();
        }
    }

    @Test
    void anOversizedFrameEndsTheConnectionBeforeItIsRead() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            RawPeer stranger = cluster.peer(1);
            stranger.raw(ByteBuffer.allocate(4).putInt(0, Frame.MAX_LENGTH_BEFORE_WELCOME + 1));
            assertThat(stranger.awaitEnd()).isEmpty();
            RawPeer member = cluster.peer(1);
            member.hello(false);
            member.await(Message.Welcome.class);
            member.raw(ByteBuffer.allocate(4).putInt(0, -1));
            assertThat(cluster.events.await("dropped 1")).contains("4294967295");
        }
    }

    @Test
    void aPeerThatDoesNotJoinIsDroppedAfterTenSeconds() throws Exception {
        MiniCluster.ManualClock clock = new MiniCluster.ManualClock();
        try (MiniCluster cluster = new MiniCluster(folder, 1, clock)) {
            RawPeer slow = cluster.peer(1);
            slow.handshake();
            clock.advance(TimeUnit.SECONDS.toNanos(11));
            assertThat(slow.awaitEnd()).isEmpty();
        }
    }

    @Test
    void aTesterThatIsSilentForTheLeaseIsLostAndMayComeBack() throws Exception {
        MiniCluster.ManualClock clock = new MiniCluster.ManualClock();
        try (MiniCluster cluster = new MiniCluster(folder, 1, clock)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.await(Message.Welcome.class);
            clock.advance(MiniCluster.LEASE + 1_000_000_000);
            assertThat(cluster.events.await("lost 1")).contains("limit 10000 ms");
            peer.send(new Message.Log("here"));
            cluster.events.await("back 1");
            cluster.events.await("log 1 here");
        }
    }

    @Test
    void ofATesterThatIsCutOffItIsKnownForHowLongUntilItIsLost() throws Exception {
        MiniCluster.ManualClock clock = new MiniCluster.ManualClock();
        try (MiniCluster cluster = new MiniCluster(folder, 1, clock)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.await(Message.Welcome.class);
            clock.advance(MiniCluster.LEASE / 2);
            until(() -> cluster.collector.silentNanos() >= MiniCluster.LEASE / 2);
            clock.advance(MiniCluster.LEASE);
            cluster.events.await("lost 1");
            until(() -> cluster.collector.silentNanos() == 0);
        }
    }

    private static void until(BooleanSupplier holds) throws InterruptedException {
        while (!holds.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Thread.onSpinWait();
        }
    }

    /** A frame that was under way when the clock moved renews the lease at the new time: it then has to move again. */
    private static long stopOnceNothingMoreIsHeard(MiniCluster.Running running, MiniCluster.ManualClock clock)
            throws Exception {
        for (int attempt = 0; attempt < 20; attempt++) {
            clock.advance(MiniCluster.LEASE + 1_000_000_000);
            try {
                return running.engine().stopped.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException heardSomething) {
                // once more
            }
        }
        throw new AssertionError("The load continues although the lease has run out twenty times");
    }

    @Test
    void withoutItsControllerATesterStopsItsLoadAndShipsTheRestWhenItComesBack() throws Exception {
        MiniCluster.ManualClock mine = new MiniCluster.ManualClock();
        MiniCluster.ManualClock theirs = new MiniCluster.ManualClock();
        try (MiniCluster cluster = new MiniCluster(folder, 1, mine)) {
            cluster.collector.assign(1, MiniCluster.assignment(1));
            MiniCluster.Running running = cluster.tester(1, theirs);
            cluster.events.await("ready 1");
            cluster.start(HOUR);
            running.engine().started.get(10, TimeUnit.SECONDS);
            // The controller's clock stands still, so it sends no pings.
            assertThat(stopOnceNothingMoreIsHeard(running, theirs)).isZero();
            running.engine().measure(1);
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(cluster.blocks()).containsExactly("1/1");
        }
    }

    @Test
    void aTesterWhoseControllerIsGoneForGoodExits() throws Exception {
        MiniCluster.ManualClock theirs = new MiniCluster.ManualClock();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM)) {
            cluster.collector.assign(1, MiniCluster.assignment(1));
            MiniCluster.Running running = cluster.tester(1, theirs);
            cluster.events.await("ready 1");
            cluster.collector.close();
            theirs.advance(HOUR);
            assertThat(running.exitCode().get(20, TimeUnit.SECONDS)).isEqualTo(ExitCode.CONTROLLER_GONE);
        }
    }

    @Test
    void aTesterThatCannotPrepareSaysWhy() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM)) {
            Path jar = Files.writeString(folder.resolve("fake.jar"), "one");
            cluster.collector.assign(1, MiniCluster.assignment(2, new PluginJar("fake.jar", "00")));
            cluster.tester(
                    Ticket.parse(cluster.collector.tickets().tester(1)),
                    new FakeEngine(),
                    NanoClock.SYSTEM,
                    List.of(jar));
            assertThat(cluster.events.await("refused 1"))
                    .contains("SHA-256 00", "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed");
            cluster.collector.assign(2, MiniCluster.assignment(2));
            MiniCluster.Running running = cluster.tester(
                    Ticket.parse(cluster.collector.tickets().tester(2)),
                    new FakeEngine(new IOException("no licence server")),
                    NanoClock.SYSTEM,
                    List.of());
            assertThat(cluster.events.await("refused 2")).contains("no licence server");
            cluster.collector.bye();
            assertThat(running.exitCode().get(10, TimeUnit.SECONDS)).isEqualTo(ExitCode.REFUSED);
        }
    }

    @Test
    void twoTestersWithClocksHoursApartStartAtOneInstant() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM)) {
            NanoClock ahead = () -> NanoClock.SYSTEM.nanoTime() + 7 * HOUR;
            cluster.collector.assign(1, MiniCluster.assignment(2));
            cluster.collector.assign(2, MiniCluster.assignment(2));
            MiniCluster.Running one = cluster.tester(1, NanoClock.SYSTEM);
            cluster.events.await("ready 1");
            MiniCluster.Running two = cluster.tester(2, ahead);
            cluster.events.await("ready 2");
            long start = cluster.start(TimeUnit.SECONDS.toNanos(1));
            long errorOne = Math.abs(one.engine().started.get(10, TimeUnit.SECONDS) - start);
            long errorTwo = Math.abs(two.engine().started.get(10, TimeUnit.SECONDS) - 7 * HOUR - start);
            // Half of the least round trip of eight pings on the loopback bounds it.
            assertThat(errorOne).isLessThan(5_000_000);
            assertThat(errorTwo).isLessThan(5_000_000);
        }
    }

    @Test
    void aFullQueueStopsTheReadingAndLosesNothing() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, new Collector.Limits(500, 1 << 20))) {
            cluster.collector.assign(1, MiniCluster.assignment(1));
            MiniCluster.Running running = cluster.tester(1, NanoClock.SYSTEM);
            cluster.events.await("ready 1");
            for (int i = 0; i < 2_000; i++) {
                running.engine().measure(i);
            }
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(20)))
                    .isTrue();
            assertThat(cluster.blocks()).hasSize(2_000).doesNotHaveDuplicates();
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> new Collector(
                            new CollectorConfig(
                                    CollectorConfig.Listen.port("127.0.0.1", port),
                                    new CollectorConfig.Files(folder.resolve("s"), folder.resolve("c"), null, false),
                                    1,
                                    1,
                                    0,
                                    0,
                                    false),
                            NanoClock.SYSTEM,
                            new Events()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + port + "-" + port);
        }
    }
}
