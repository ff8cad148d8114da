package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.Wiring;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packets between descriptors that are pairs of sockets, on a clock that goes on by 10 µs with each look at it. */
@Timeout(60)
class ForwarderTests {

    private static final long TICK_NANOS = 10_000;
    private static final long LATENCY_NANOS = 2_000_000;

    private final AtomicLong now = new AtomicLong();
    private final NanoClock clock = () -> now.addAndGet(TICK_NANOS);
    private final List<Long> changed = new ArrayList<>();
    private final PendingChanges changes = new PendingChanges((number, atNanos) -> changed.add(atNanos));
    private final List<String> told = new ArrayList<>();
    private List<FileDescriptor> a = List.of();
    private List<FileDescriptor> b = List.of();

    @BeforeEach
    void needsLinux() throws Exception {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        a = Linux.pair();
        b = Linux.pair();
    }

    @AfterEach
    void close() throws Exception {
        for (FileDescriptor each : a) {
            each.close();
        }
        for (FileDescriptor each : b) {
            each.close();
        }
    }

    private Forwarder forwarder() {
        return forwarder(Engine.PACKET_BYTES);
    }

    private Forwarder forwarder(long mostBytes) {
        Direction direction = new Direction(0, LATENCY_NANOS, 0, Queue.DEFAULT, Loss.NONE);
        Topology topology = new Topology(
                1,
                List.of(new EmulatedHost("a", "", 0x0a630001), new EmulatedHost("b", "", 0x0a630002)),
                List.of(),
                List.of(new Link("l", "a", "b", List.of(direction), List.of(direction))));
        return new Forwarder(topology, Wiring.HOSTS, List.of(a.get(1), b.get(1)), changes, clock, mostBytes);
    }

    private EngineReporter reporting(Forwarder forwarder) {
        return new EngineReporter(new EngineReport(forwarder.pipes()), told::add);
    }

    private List<String> account(Forwarder forwarder) {
        EngineReport report = new EngineReport(forwarder.pipes());
        forwarder.report(now.get(), report);
        return report.words(List.of("l there", "l back"));
    }

    private int received(ByteBuffer room) throws Exception {
        return b.get(0).read(room, 0, room.capacity());
    }

    @Test
    void packetsComeAsTheyWereGivenAndNotBeforeTheirTime() throws Exception {
        ByteBuffer single = ForwarderWarmup.packet(1);
        ByteBuffer several = ForwarderWarmup.packet(40);
        Forwarder forwarder = forwarder();
        long sent = now.get();
        a.get(0).write(single, 0, single.capacity());
        a.get(0).write(several, 0, several.capacity());
        forwarder.run(() -> forwarder.delivered() == 2, reporting(forwarder));
        assertThat(now.get() - sent).isGreaterThanOrEqualTo(LATENCY_NANOS);
        ByteBuffer room = ByteBuffer.allocateDirect(PacketPool.LARGE);
        assertThat(received(room)).isEqualTo(single.capacity());
        assertThat(room.slice(0, single.capacity())).isEqualTo(single.slice(0, single.capacity()));
        assertThat(received(room)).isEqualTo(several.capacity());
        assertThat(room.slice(0, several.capacity())).isEqualTo(several.slice(0, several.capacity()));
        assertThat(account(forwarder).get(0)).startsWith("2 packets").contains("0 with no route", "0 not accepted");
        assertThat(account(forwarder).get(1)).startsWith("link l there: 41 packets");
    }

    @Test
    void whatNobodyCanReadIsCounted() throws Exception {
        ByteBuffer stray = ByteBuffer.allocateDirect(60);
        ByteBuffer single = ForwarderWarmup.packet(1);
        Forwarder forwarder = forwarder();
        a.get(0).write(stray, 0, stray.capacity());
        a.get(0).write(single, 0, single.capacity());
        forwarder.run(() -> forwarder.delivered() == 1, reporting(forwarder));
        assertThat(account(forwarder).get(0)).contains("1 with no route");
    }

    @Test
    void whatThereIsNoMemoryForIsLostAndCountedAndTheRestIsCarried() throws Exception {
        ByteBuffer single = ForwarderWarmup.packet(1);
        ByteBuffer several = ForwarderWarmup.packet(2);
        Forwarder forwarder = forwarder(2 * 4_096);
        for (int i = 0; i < 5; i++) {
            a.get(0).write(several, 0, several.capacity());
        }
        a.get(0).write(single, 0, single.capacity());
        forwarder.run(() -> forwarder.delivered() >= 2, reporting(forwarder));
        assertThat(account(forwarder).get(0)).startsWith("2 packets").contains("4 not accepted");
        a.get(0).write(several, 0, several.capacity());
        forwarder.run(() -> forwarder.delivered() >= 3, reporting(forwarder));
        ByteBuffer room = ByteBuffer.allocateDirect(PacketPool.LARGE);
        for (int i = 0; i < 3; i++) {
            assertThat(received(room)).isEqualTo(several.capacity());
            assertThat(room.slice(0, several.capacity())).isEqualTo(several.slice(0, several.capacity()));
        }
    }

    @Test
    void itEndsWhenItIsTold() throws Exception {
        Forwarder forwarder = forwarder();
        forwarder.run(() -> now.get() > LATENCY_NANOS, reporting(forwarder));
        assertThat(forwarder.delivered()).isZero();
    }

    @Test
    void aChangeIsMadeWhenItsTimeHasComeAndToldWithTheInstant() throws Exception {
        Direction there = new Direction(0, LATENCY_NANOS, 0, Queue.DEFAULT, Loss.NONE);
        Change.Part cut = new Change.Part(new ShortestPaths.Step(0, false), true, List.of(there));
        long atNanos = 100 * LATENCY_NANOS;
        changes.add(new Change.Order(0, atNanos, List.of(cut)));
        Forwarder forwarder = forwarder();
        ByteBuffer single = ForwarderWarmup.packet(1);
        a.get(0).write(single, 0, single.capacity());
        forwarder.run(() -> forwarder.delivered() == 1, reporting(forwarder));
        assertThat(changed).isEmpty();
        now.set(atNanos - 2 * TICK_NANOS);
        forwarder.run(() -> !changed.isEmpty(), reporting(forwarder));
        assertThat(changed)
                .singleElement()
                .satisfies(at -> assertThat(at).isBetween(atNanos, atNanos + 10 * TICK_NANOS));
        a.get(0).write(single, 0, single.capacity());
        forwarder.run(() -> account(forwarder).toString().contains("1 on a cut link"), reporting(forwarder));
        assertThat(forwarder.delivered()).isEqualTo(1);
    }

    @Test
    void howLatePacketsWereCountsFromTheBeginOfTheLoad() throws Exception {
        Forwarder forwarder = forwarder();
        ByteBuffer single = ForwarderWarmup.packet(1);
        a.get(0).write(single, 0, single.capacity());
        // It looks away for so long that the packet is late.
        forwarder.run(
                () -> now.addAndGet(forwarder.delivered() == 0 ? 3 * LATENCY_NANOS : 0) > 0
                        && forwarder.delivered() == 1,
                reporting(forwarder));
        EngineReport report = new EngineReport(forwarder.pipes());
        forwarder.report(now.get(), report);
        assertThat(report.engine(EngineReport.LATE_NANOS + 2)).isGreaterThan(LATENCY_NANOS / 2);
        changes.loadFrom(now.get());
        a.get(0).write(single, 0, single.capacity());
        forwarder.run(() -> forwarder.delivered() == 2, reporting(forwarder));
        forwarder.report(now.get(), report);
        assertThat(report.engine(EngineReport.DELIVERED)).isEqualTo(2);
        assertThat(report.engine(EngineReport.LATE_NANOS + 2)).isLessThan(LATENCY_NANOS / 2);
    }

    @Test
    void aRehearsalEnds() throws Exception {
        new ForwarderWarmup(clock).run();
    }
}
