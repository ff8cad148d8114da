package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.AbstractQueuedSynchronizer.ConditionObject;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a slow disk, a full disk, a lost connection and samples in memory do to a run: they lose no sample. */
@Timeout(60)
class BackPressureTests {

    private static final long QUEUE = 4_000;
    private static final long SPOOL = 20_000;
    /** More than the spool holds. */
    private static final int MANY = 2_000;

    @TempDir
    Path folder;

    private static List<String> numbers(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "1/" + i).toList();
    }

    private static MiniCluster.Running tester(MiniCluster cluster) throws Exception {
        cluster.collector.assign(1, MiniCluster.assignment(1));
        MiniCluster.Running running = cluster.tester(
                Ticket.parse(cluster.collector.tickets().tester(1)),
                new FakeEngine(),
                NanoClock.SYSTEM,
                List.of(),
                SPOOL);
        cluster.events.await("ready 1");
        return running;
    }

    /** Waits until the thread waits for room in the spool: nothing else on its way waits for a condition. */
    private static void awaitHeld(Thread caller) {
        while (!(LockSupport.getBlocker(caller) instanceof ConditionObject)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aSlowDiskStopsTheLoadOnlyWhenQueueSocketsAndSpoolAreFullAndNothingIsLost() throws Exception {
        FakeDisk disk = FakeDisk.stuck();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, QUEUE, 0);
                AutoCloseable unstuck = disk::release) {
            MiniCluster.Running running = tester(cluster);
            CompletableFuture<Void> load = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                for (int i = 0; i < MANY; i++) {
                    running.engine().measure(i);
                }
                load.complete(null);
            });
            caller.start();
            awaitHeld(caller);
            assertThat(disk.durable()).isEmpty();
            assertThat(load).isNotDone();
            assertThat(running.engine().measured()).as("while there was room").isBetween(50, MANY - 1);
            disk.release();
            load.get(30, TimeUnit.SECONDS);
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(30)))
                    .isTrue();
            assertThat(disk.durable()).isEqualTo(numbers(MANY));
        }
    }

    @Test
    void aTesterIsNotLostWhileTheCollectorDoesNotListen() throws Exception {
        FakeDisk disk = FakeDisk.stuck();
        MiniCluster.ManualClock clock = new MiniCluster.ManualClock();
        try (MiniCluster cluster = new MiniCluster(folder, 1, clock, disk, 1, 0);
                AutoCloseable unstuck = disk::release) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.block(1, 1);
            cluster.events.await("block 1");
            // Each advance ends the lease and lets a ping out, but the first ping may be from before.
            for (int i = 0; i < 5; i++) {
                clock.advance(2 * MiniCluster.LEASE);
                peer.await(Message.Ping.class);
            }
            peer.block(1, 2);
            disk.release();
            cluster.events.await("block 1");
            assertThat(cluster.events.all()).noneMatch(event -> event.startsWith("lost"));
        }
    }

    /** Of two testers one is dead, and what the other sends keeps the disk behind for half of the time. */
    @Test
    void aDeadTesterIsLostHoweverOftenTheCollectorDoesNotListen() throws Exception {
        AtomicLong now = new AtomicLong(MiniCluster.LEASE);
        Events events = new Events();
        CollectorConfig config = new CollectorConfig(
                CollectorConfig.Listen.any("127.0.0.1"),
                new CollectorConfig.Files(
                        folder.resolve("samples"),
                        folder.resolve("clock.csv"),
                        Files.createDirectory(folder.resolve("control")),
                        false),
                2,
                MiniCluster.LEASE,
                0,
                0,
                false);
        try (HandDrivenCollector collector = new HandDrivenCollector(config, now::incrementAndGet, events, 0)) {
            joined(collector, 1);
            EmbeddedChannel busy = joined(collector, 2);
            for (int block = 1; events.all().stream().noneMatch(event -> event.startsWith("lost 1")); block++) {
                say(busy, 2, new Message.Block(HandDrivenSession.block(2, block)));
                boolean listens = busy.config().isAutoRead();
                now.addAndGet(listens ? MiniCluster.LEASE / 40 : MiniCluster.LEASE / 2);
                collector.passed(0);
                while (!busy.config().isAutoRead()) {
                    collector.write();
                }
                assertThat(now.get()).as("ten leases").isLessThan(11 * MiniCluster.LEASE);
            }
            assertThat(events.all()).noneMatch(event -> event.startsWith("lost 2"));
        }
    }

    private static EmbeddedChannel joined(HandDrivenCollector collector, int tester) {
        EmbeddedChannel way = collector.accept(new Role.Holder(Role.TESTER, tester));
        say(way, tester, new Message.Hello(collector.token(), Frame.VERSION, false, MiniCluster.FACTS));
        return way;
    }

    private static void say(EmbeddedChannel way, int tester, Message message) {
        way.writeInbound(Unpooled.wrappedBuffer(new Frame(tester, 1, 0, 0, message).encode()));
        way.releaseOutbound();
    }

    @Test
    void nothingIsAcknowledgedBeforeItIsDurable() throws Exception {
        FakeDisk disk = FakeDisk.stuck();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, 1 << 20, 0);
                AutoCloseable unstuck = disk::release) {
            RawPeer first = cluster.peer(1);
            first.hello(false);
            first.block(1, 1);
            cluster.events.await("block 1");
            first.close();
            RawPeer second = cluster.peer(1);
            second.hello(true);
            assertThat(second.await(Message.Welcome.class).durable()).isZero();
            disk.release();
            assertThat(second.await(Message.Ack.class).durable()).isEqualTo(1);
        }
    }

    @Test
    void aFullDiskIsToldAndWhatWasAcknowledgedIsOnIt() throws Exception {
        FakeDisk disk = FakeDisk.full(2);
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, 1 << 20, 0)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.block(1, 1);
            assertThat(peer.await(Message.Ack.class).durable()).isEqualTo(1);
            peer.block(1, 2);
            assertThat(peer.await(Message.Ack.class).durable()).isEqualTo(2);
            peer.block(1, 3);
            assertThat(cluster.events.await("failed"))
                    .contains("No space left on device", "acknowledged samples are safe");
            assertThat(disk.durable()).containsExactly("1/1", "1/2");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isFalse();
        } catch (IOException closing) {
            assertThat(closing).hasMessageContaining("No space left on device");
        }
    }

    @Test
    void aTesterWhoseConnectionBreaksSendsAgainWhatWasNotAcknowledged() throws Exception {
        FakeDisk disk = FakeDisk.stuck();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, 1 << 20, 0);
                AutoCloseable unstuck = disk::release) {
            MiniCluster.Running running = tester(cluster);
            for (int i = 0; i < 20; i++) {
                running.engine().measure(i);
            }
            for (int i = 0; i < 20; i++) {
                cluster.events.await("block 1");
            }
            // Somebody else with the ticket takes the tester's place for a moment; it comes back and takes it again.
            cluster.peer(1).hello(true);
            cluster.events.await("log 1 connected again");
            cluster.events.await("log 1 connected again");
            for (int i = 20; i < 40; i++) {
                running.engine().measure(i);
            }
            running.engine().finish();
            cluster.events.await("finished 1");
            disk.release();
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(disk.durable()).isEqualTo(numbers(40));
        }
    }

    @Test
    void samplesInMemoryAreAcknowledgedWhenTheyComeAndWrittenAtTheEnd() throws Exception {
        FakeDisk disk = FakeDisk.good();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, QUEUE, 1 << 20)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            for (int i = 1; i <= 100; i++) {
                peer.block(1, i);
            }
            while (peer.await(Message.Ack.class).durable() < 100) {
                // Until all are acknowledged.
            }
            assertThat(disk.durable()).isEmpty();
            assertThat(cluster.collector.waitingBytes()).isGreaterThan(QUEUE);
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(disk.durable()).isEqualTo(numbers(100));
        }
    }

    @Test
    void samplesInMemoryThatReachTheirBoundGoToTheDiskAndNoneIsLost() throws Exception {
        FakeDisk disk = FakeDisk.good();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, QUEUE, 3 * QUEUE)) {
            MiniCluster.Running running = tester(cluster);
            for (int i = 0; i < 500; i++) {
                running.engine().measure(i);
            }
            assertThat(cluster.events.await("overflowed")).contains("controller.collect: disk", "-Xmx");
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(disk.durable()).isEqualTo(numbers(500));
        }
    }

    @Test
    void samplesInMemoryWaitForADiskThatIsFullAndNoneIsLost() throws Exception {
        FakeDisk disk = FakeDisk.full(3);
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, QUEUE, 1 << 20)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            for (int i = 1; i <= 20; i++) {
                peer.block(1, i);
            }
            while (peer.await(Message.Ack.class).durable() < 20) {
                // Until all are acknowledged.
            }
            CompletableFuture<Boolean> kept = CompletableFuture.supplyAsync(() -> awaitDurable(cluster.collector));
            assertThat(cluster.events.await("waits for disk")).contains("No space left on device");
            assertThat(disk.durable()).isEmpty();
            assertThat(cluster.collector.waitingBytes()).isPositive();
            disk.makeRoom();
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(kept.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(disk.durable()).isEqualTo(numbers(20));
            assertThat(cluster.events.all()).noneMatch(event -> event.startsWith("failed"));
        }
    }

    private static boolean awaitDurable(Collector collector) {
        try {
            return collector.awaitDurable(TimeUnit.SECONDS.toNanos(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCollectorThatIsClosedWritesWhatItHeldInMemory() throws Exception {
        FakeDisk disk = FakeDisk.good();
        try (MiniCluster cluster = new MiniCluster(folder, 1, NanoClock.SYSTEM, disk, QUEUE, 1 << 20)) {
            RawPeer peer = cluster.peer(1);
            peer.hello(false);
            peer.block(1, 1);
            cluster.events.await("block 1");
        }
        assertThat(disk.durable()).containsExactly("1/1");
    }
}
