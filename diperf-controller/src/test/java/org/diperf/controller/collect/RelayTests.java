package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.relay.Relay;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RelayTests {

    private static final List<String> HERE = List.of("127.0.0.1");

    @TempDir
    Path folder;

    private static Relay relay(Ticket ticket, int port) throws Exception {
        return new Relay(ticket, new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), NanoClock.SYSTEM);
    }

    /** Opens a relay that leads to the collector. */
    private static Relay inner(MiniCluster cluster, int port) throws Exception {
        return relay(Ticket.parse(cluster.collector.tickets().relay(1, 1)), port);
    }

    /** Makes the ticket of a tester that leads to a relay. */
    private static Ticket ticket(MiniCluster cluster, int tester, Relay relay) throws Exception {
        return Ticket.parse(
                cluster.collector.tickets().tester(tester, HERE, relay.address().getPort()));
    }

    private static void acknowledged(RawPeer peer, long block) throws Exception {
        while (peer.await(Message.Ack.class).durable() < block) {
            // An acknowledgement may be for the blocks before.
        }
    }

    @Test
    void twoRelaysInARowPassEverythingOnInBothDirections() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM);
                Relay inner = inner(cluster, 0);
                Relay outer = relay(
                        Ticket.parse(cluster.collector
                                .tickets()
                                .relay(2, HERE, inner.address().getPort(), 1)),
                        0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            cluster.collector.assign(1, MiniCluster.assignment(1));
            MiniCluster.Running running =
                    cluster.tester(ticket(cluster, 1, outer), new FakeEngine(), NanoClock.SYSTEM, List.of());
            cluster.events.await("ready 1");
            long start = cluster.start(TimeUnit.SECONDS.toNanos(1));
            assertThat(running.engine().started.get(10, TimeUnit.SECONDS) - start)
                    .as("the offset, through both")
                    .isBetween(-50_000_000L, 50_000_000L);
            for (int i = 0; i < 50; i++) {
                running.engine().measure(i);
            }
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(cluster.blocks()).hasSize(50).doesNotHaveDuplicates();
            cluster.collector.bye();
            assertThat(running.exitCode().get(10, TimeUnit.SECONDS)).isZero();
        }
        assertThat(Files.readAllLines(folder.resolve("clock.csv")))
                .as("questions for the time went through both")
                .anyMatch(row -> row.startsWith("1,\"node,1\",udp,"));
    }

    /** Starts a relay that has died. */
    private interface Again {
        Relay start() throws Exception;
    }

    /** Has a tester that is ready measure while its relay dies and is started again; returns the new one. */
    private static Relay measuredWhileItDies(MiniCluster cluster, MiniCluster.Running running, Relay first, Again again)
            throws Exception {
        Relay relay = first;
        cluster.start(TimeUnit.SECONDS.toNanos(1));
        running.engine().started.get(10, TimeUnit.SECONDS);
        for (int i = 0; i < 30; i++) {
            if (i == 10) {
                relay.close();
            }
            if (i == 20) {
                relay = again.start();
                cluster.events.await("log 1 connected again");
            }
            running.engine().measure(i);
        }
        running.engine().finish();
        cluster.events.await("finished 1");
        assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10))).isTrue();
        assertThat(cluster.blocks()).hasSize(30).doesNotHaveDuplicates();
        return relay;
    }

    @Test
    void aRelayThatTheCollectorDialsPassesEverythingOnAndIsDialledAgain() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM)) {
            Ticket ticket = Ticket.parse(cluster.collector.tickets().dialledRelay(1, "127.0.0.1", 1));
            assertThat(ticket.dialled()).isTrue();
            Relay relay = relay(ticket, 0);
            int port = relay.address().getPort();
            MiniCluster.Running running =
                    cluster.tester(ticket(cluster, 1, relay), new FakeEngine(), NanoClock.SYSTEM, List.of());
            cluster.collector.dial(1, "127.0.0.1", port);
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            cluster.collector.assign(1, MiniCluster.assignment(1));
            cluster.events.await("ready 1");
            relay = measuredWhileItDies(cluster, running, relay, () -> relay(ticket, port));
            cluster.collector.bye();
            assertThat(running.exitCode().get(10, TimeUnit.SECONDS)).isZero();
            relay.close();
        }
        assertThat(Files.readAllLines(folder.resolve("clock.csv")))
                .as("where nothing gets out nobody asks for the time by UDP")
                .noneMatch(row -> row.contains(",udp,"));
    }

    @Test
    void nobodyButTheControllerOfTheRunMayDialARelayAndNobodyBeforeIt() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder.resolve("one"), 2, NanoClock.SYSTEM);
                MiniCluster other = new MiniCluster(folder.resolve("other"), 2, NanoClock.SYSTEM);
                Relay relay = relay(Ticket.parse(cluster.collector.tickets().dialledRelay(1, "127.0.0.1", 1)), 0);
                Relay dials = inner(cluster, 0)) {
            int port = relay.address().getPort();
            other.collector.dial(1, "127.0.0.1", port);
            // A relay that dials is no place for a controller.
            cluster.collector.dial(3, "127.0.0.1", dials.address().getPort());
            RawPeer early = cluster.peer(ticket(cluster, 1, relay));
            early.hello(false);
            assertThat(early.awaitEnd())
                    .as("nobody is there to whom it could lead")
                    .isEmpty();
            cluster.collector.dial(1, "127.0.0.1", port);
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            assertThat(other.collector.relay(1)).isNotDone();
            assertThat(cluster.collector.relay(3)).isNotDone();
            RawPeer tester = cluster.peer(ticket(cluster, 1, relay));
            tester.hello(false);
            tester.await(Message.Welcome.class);
            tester.block(1, 1);
            acknowledged(tester, 1);
        }
    }

    @Test
    void aRelayAcknowledgesNothing() throws Exception {
        FakeDisk disk = FakeDisk.good();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, 64 << 20, 0);
                Relay relay = inner(cluster, 0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            RawPeer peer = cluster.peer(ticket(cluster, 1, relay));
            peer.hello(false);
            peer.await(Message.Welcome.class);
            peer.block(1, 1);
            acknowledged(peer, 1);
            assertThat(disk.durable()).as("before anybody was told").contains("1/1");
        }
    }

    @Test
    void aRelayThatDiesAndIsStartedAgainLosesNothing() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM)) {
            Relay relay = inner(cluster, 0);
            int port = relay.address().getPort();
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            cluster.collector.assign(1, MiniCluster.assignment(1));
            MiniCluster.Running running =
                    cluster.tester(ticket(cluster, 1, relay), new FakeEngine(), NanoClock.SYSTEM, List.of());
            cluster.events.await("ready 1");
            relay = measuredWhileItDies(cluster, running, relay, () -> inner(cluster, port));
            relay.close();
        }
    }

    @Test
    void aTesterThatBreaksTheProtocolCostsNoOtherBehindTheSameRelay() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM);
                Relay relay = inner(cluster, 0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            RawPeer good = cluster.peer(ticket(cluster, 1, relay));
            RawPeer bad = cluster.peer(ticket(cluster, 2, relay));
            good.hello(false);
            good.await(Message.Welcome.class);
            bad.hello(false);
            bad.await(Message.Welcome.class);
            ByteBuffer nonsense = new Frame(2, 0, 0, 0, new Message.Log("x")).encode();
            nonsense.put(5, (byte) 99);
            bad.raw(nonsense);

            assertThat(cluster.events.await("dropped 2")).contains("type 99");
            assertThat(bad.await(Message.RejectedHello.class).reason()).contains("dropped");
            good.block(1, 1);
            acknowledged(good, 1);
            assertThat(cluster.blocks()).containsExactly("1/1");
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRelayThatWasFullServesAgain() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM);
                Relay relay = inner(cluster, 0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            RawPeer peer = cluster.peer(ticket(cluster, 1, relay));
            peer.hello(false);
            peer.await(Message.Welcome.class);
            ByteBuffer pong = new Frame(1, 0, 0, 0, new Message.Pong()).encode();
            ByteBuffer many = ByteBuffer.allocate(64 << 10);
            while (many.remaining() >= pong.remaining()) {
                many.put(pong.duplicate());
            }
            many.flip();
            // Much more than sockets and a relay hold.
            for (int i = 0; i < 500; i++) {
                peer.raw(many.duplicate());
            }
            peer.block(1, 1);
            acknowledged(peer, 1);
        }
    }

    @Test
    void messagesThatAreNotATestersCostNoOtherBehindTheSameRelayAndGiveNoKeys() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 3, NanoClock.SYSTEM);
                Relay relay = inner(cluster, 0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            RawPeer good = cluster.peer(ticket(cluster, 1, relay));
            good.hello(false);
            good.await(Message.Welcome.class);
            List<Message> foreign = List.of(
                    new Message.Assign(MiniCluster.assignment(1)),
                    // A relay's certificate would speak for any tester.
                    new Message.Enrol(good.ticket.token()));
            for (int i = 0; i < foreign.size(); i++) {
                RawPeer bad = cluster.peer(ticket(cluster, 2 + i, relay));
                bad.hello(false);
                bad.await(Message.Welcome.class);
                bad.send(foreign.get(i));
                assertThat(cluster.events.await("dropped " + (2 + i))).contains("expected a tester's message");
                assertThat(bad.await(Message.RejectedHello.class).reason()).contains("dropped");
            }
            good.block(1, 1);
            acknowledged(good, 1);
        }
    }

    @Test
    void nobodySpeaksForAnotherTesterThroughARelay() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM);
                Relay relay = inner(cluster, 0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            RawPeer peer = cluster.peer(ticket(cluster, 1, relay));
            peer.hello(false);
            peer.await(Message.Welcome.class);
            peer.raw(new Frame(
                            2, 0, 0, 0, new Message.Hello(peer.ticket.token(), Frame.VERSION, false, MiniCluster.FACTS))
                    .encode());
            peer.awaitEnd();
            assertThat(cluster.events.all()).noneMatch(event -> event.startsWith("joined 2"));
        }
    }

    @Test
    void aRelayLetsNobodyInWithoutTheRunsToken() throws Exception {
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM);
                Relay relay = inner(cluster, 0)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            RawPeer peer = cluster.peer(ticket(cluster, 1, relay));
            peer.send(new Message.Hello("0".repeat(64), Frame.VERSION, false, MiniCluster.FACTS));
            assertThat(peer.awaitEnd()).isEmpty();
            assertThat(cluster.events.all()).isEmpty();
        }
    }
}
