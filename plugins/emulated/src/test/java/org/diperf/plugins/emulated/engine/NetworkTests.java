package org.diperf.plugins.emulated.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Where packets are when, in a time that these tests own. Host 0 is {@code a}, host 1 is {@code b}, with the addresses of the rehearsal, to
 * which packets go; host 2 is {@code c}.
 */
@Timeout(60)
class NetworkTests {

    private static final long MILLI = 1_000_000L;
    /** An IP packet of the rehearsal, with its headers. */
    private static final int SIZE = 1_500;

    private record Arrival(long tailNanos, int segments, int sequence, int ipBytes) {}

    private final PacketPool pool = new PacketPool(1 << 30);
    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<byte[]> headers = new ArrayList<>();

    private Network network(Link... links) {
        return network(42, links);
    }

    private Network network(long seed, Link... links) {
        Topology topology = new Topology(
                seed,
                List.of(
                        new EmulatedHost("a", "", 0x0a630001),
                        new EmulatedHost("b", "", 0x0a630002),
                        new EmulatedHost("c", "", 0x0a630003)),
                List.of("r"),
                List.of(links));
        return network(topology, pool);
    }

    private Network network(Topology topology, PacketPool from) {
        return new Network(topology, from, packet -> {
            byte[] header = new byte[62];
            packet.bytes.get(0, header);
            headers.add(header);
            arrivals.add(new Arrival(
                    packet.tailNanos,
                    packet.segments,
                    packet.bytes.getInt(34),
                    packet.length - PacketSegmenter.KERNEL_HEADER));
            from.give(packet);
        });
    }

    private static Link link(Direction direction) {
        return new Link("l", "a", "b", List.of(direction), List.of(direction));
    }

    private static Link link(String name, String from, String to, Direction direction) {
        return new Link(name, from, to, List.of(direction), List.of(direction));
    }

    private static Direction direction(double rate, long latencyNanos, Queue queue, Loss loss) {
        return new Direction(rate, latencyNanos, 0, queue, loss);
    }

    private Packet packet(int segments, int port) {
        ByteBuffer bytes = ForwarderWarmup.packet(segments);
        bytes.putShort(PacketSegmenter.KERNEL_HEADER + 20, (short) port);
        Packet packet = requireNonNull(pool.take(bytes.capacity()));
        packet.bytes.put(0, bytes, 0, bytes.capacity());
        assertThat(PacketSegmenter.read(packet, bytes.capacity())).isTrue();
        return packet;
    }

    private void send(Network network, int segments, long nowNanos) {
        send(network, 0, segments, nowNanos);
    }

    private void send(Network network, int from, int segments, long nowNanos) {
        network.advance(nowNanos, Integer.MAX_VALUE);
        assertThat(network.send(from, packet(segments, 40_000), nowNanos)).isTrue();
    }

    private void finish(Network network) {
        while (network.nextNanos() != Long.MAX_VALUE) {
            network.advance(network.nextNanos(), Integer.MAX_VALUE);
        }
    }

    @Test
    void aPacketArrivesAfterItsTransmissionAndTheDistance() {
        // 1,500 bytes at 12 Mbit/s are sent in 1 ms.
        Network network = network(link(direction(12e6, 10 * MILLI, Queue.DEFAULT, Loss.NONE)));
        send(network, 1, 0);
        assertThat(network.nextNanos()).isEqualTo(11 * MILLI);
        network.advance(11 * MILLI - 1, 100);
        assertThat(arrivals).isEmpty();
        network.advance(11 * MILLI, 100);
        assertThat(arrivals).containsExactly(new Arrival(11 * MILLI, 1, 0, SIZE));
    }

    @Test
    void packetsWaitForThoseBeforeThem() {
        Network network = network(link(direction(12e6, 10 * MILLI, Queue.DEFAULT, Loss.NONE)));
        send(network, 1, 0);
        send(network, 1, 0);
        send(network, 1, 5 * MILLI);
        finish(network);
        assertThat(arrivals).extracting(Arrival::tailNanos).containsExactly(11 * MILLI, 12 * MILLI, 16 * MILLI);
    }

    /** Says by which of four links flows from these ports go: their latencies are 1, 2, 3 and 4 ms. */
    private List<Long> linksOfFlows(long seed, OptionalLong hashSeed) {
        List<Direction> four = List.of(
                direction(0, MILLI, Queue.DEFAULT, Loss.NONE),
                direction(0, 2 * MILLI, Queue.DEFAULT, Loss.NONE),
                direction(0, 3 * MILLI, Queue.DEFAULT, Loss.NONE),
                direction(0, 4 * MILLI, Queue.DEFAULT, Loss.NONE));
        List<Long> links = new ArrayList<>();
        for (int port = 50_000; port < 50_040; port++) {
            Network network = network(seed, new Link("l", "a", "b", four, four, hashSeed));
            arrivals.clear();
            network.send(0, packet(1, port), 0);
            finish(network);
            links.add(arrivals.get(0).tailNanos() / MILLI);
        }
        return links;
    }

    @Test
    void aSeedOfItsOwnDecidesWhichFlowUsesWhichLinkWhateverElseTheRunDraws() {
        List<Long> own = linksOfFlows(1, OptionalLong.of(17));
        assertThat(own).contains(1L, 2L, 3L, 4L);
        assertThat(linksOfFlows(2, OptionalLong.of(17))).isEqualTo(own);
        assertThat(linksOfFlows(1, OptionalLong.of(18))).isNotEqualTo(own);
        assertThat(linksOfFlows(17, OptionalLong.empty())).isEqualTo(own);
        assertThat(linksOfFlows(1, OptionalLong.empty())).isNotEqualTo(own);
    }

    @Test
    void aRateThatIsNoWholeNumberOfNanosecondsIsKeptInTheLongRun() {
        Network network = network(link(direction(7e9, 0, new Queue(1_000_000, false), Loss.NONE)));
        for (int i = 0; i < 70_000; i++) {
            send(network, 1, 0);
        }
        finish(network);
        // 70,000 x 12,000 bits at 7 Gbit/s
        assertThat(arrivals.get(69_999).tailNanos()).isEqualTo(120 * MILLI);
    }

    @Test
    void twoLinksInARowAddUp() {
        Network network = network(
                link("ar", "a", "r", direction(12e6, 3 * MILLI, Queue.DEFAULT, Loss.NONE)),
                link("rb", "r", "b", direction(6e6, 4 * MILLI, Queue.DEFAULT, Loss.NONE)));
        send(network, 1, 0);
        finish(network);
        assertThat(arrivals).extracting(Arrival::tailNanos).containsExactly((1 + 3 + 2 + 4) * MILLI);
    }

    @Test
    void theQueueOverflowsAtThePacketForWhichThereIsNoRoom() {
        Network network = network(link(direction(12e6, 0, new Queue(3, false), Loss.NONE)));
        for (int i = 0; i < 5; i++) {
            send(network, 1, 0);
        }
        // The first has left after 1 ms: there is room for one more.
        send(network, 1, MILLI);
        send(network, 1, MILLI);
        finish(network);
        assertThat(arrivals).extracting(Arrival::tailNanos).containsExactly(MILLI, 2 * MILLI, 3 * MILLI, 4 * MILLI);
        PipeCounts counts = network.pipes().get(0).counts();
        assertThat(counts.packets).isEqualTo(7);
        assertThat(counts.overflowed).isEqualTo(3);
        assertThat(counts.mostQueuedLately).isEqualTo(3);
        assertThat(counts.bytes).isEqualTo(4 * SIZE);
    }

    @Test
    void aQueueInBytesHasRoomForSoManyBytes() {
        Network network = network(link(direction(12e6, 0, new Queue(2 * SIZE + SIZE - 1, true), Loss.NONE)));
        for (int i = 0; i < 3; i++) {
            send(network, 1, 0);
        }
        finish(network);
        assertThat(arrivals).hasSize(2);
    }

    @Test
    void severalThatTheKernelHandsOverAsOneTakeAsLongAsEachByItself() {
        Direction first = direction(12e6, 3 * MILLI, Queue.DEFAULT, Loss.NONE);
        Direction second = direction(6e6, 4 * MILLI, Queue.DEFAULT, Loss.NONE);
        Network network = network(link("ar", "a", "r", first), link("rb", "r", "b", second));
        send(network, 10, 0);
        finish(network);
        long together = arrivals.get(0).tailNanos();
        assertThat(arrivals).hasSize(1);
        assertThat(network.pipes().get(0).counts().bytes).isEqualTo(10 * SIZE);

        arrivals.clear();
        Network other = network(link("ar", "a", "r", first), link("rb", "r", "b", second));
        for (int i = 0; i < 10; i++) {
            send(other, 1, 0);
        }
        finish(other);
        // The first segment comes at 1 + 3 ms, and then one leaves the slower link every 2 ms.
        assertThat(arrivals.get(9).tailNanos()).isEqualTo((1 + 3 + 10 * 2 + 4) * MILLI);
        assertThat(together).isEqualTo(arrivals.get(9).tailNanos());
    }

    private static final Direction SLOW = direction(1e6, 0, Queue.DEFAULT, Loss.NONE);
    private static final Direction ANY = direction(0, 0, Queue.DEFAULT, Loss.NONE);

    @Test
    void whatComesFromASlowLinkLeavesTheNextOneToOthersMeanwhile() {
        Network network = network(link("ar", "a", "r", SLOW), link("cr", "c", "r", ANY), link("rb", "r", "b", ANY));
        send(network, 10, 0);
        send(network, 2, 1, 15 * MILLI);
        finish(network);
        // At 1 Mbit/s one of the ten comes each 12 ms.
        assertThat(arrivals)
                .extracting(Arrival::tailNanos)
                .containsExactly(
                        12 * MILLI,
                        15 * MILLI,
                        24 * MILLI,
                        36 * MILLI,
                        48 * MILLI,
                        60 * MILLI,
                        72 * MILLI,
                        84 * MILLI,
                        96 * MILLI,
                        108 * MILLI,
                        120 * MILLI);
        assertThat(arrivals.stream().filter(each -> each.tailNanos() != 15 * MILLI))
                .extracting(Arrival::sequence)
                .containsExactly(0, 1448, 2896, 4344, 5792, 7240, 8688, 10136, 11584, 13032);
        assertThat(arrivals).allSatisfy(each -> assertThat(each.ipBytes()).isEqualTo(SIZE));
        assertThat(network.pipes().get(4).counts().bytes).isEqualTo(11 * SIZE);
    }

    @Test
    void aPacketOfManySegmentsIsPartedNoMoreThanOthersNeed() {
        // At 1 Gbit/s a segment comes each 12 us, so 17 of them within 200 us.
        Direction giga = direction(1e9, 0, Queue.DEFAULT, Loss.NONE);
        Network network = network(link("ar", "a", "r", giga), link("rb", "r", "b", ANY));
        send(network, 40, 0);
        finish(network);
        assertThat(arrivals)
                .containsExactly(
                        new Arrival(17 * 12_000, 17, 0, 52 + 17 * 1448),
                        new Arrival(34 * 12_000, 17, 17 * 1448, 52 + 17 * 1448),
                        new Arrival(40 * 12_000, 6, 34 * 1448, 52 + 6 * 1448));

        arrivals.clear();
        Network even = network(link("ar", "a", "r", giga), link("rb", "r", "b", giga));
        send(even, 40, 0);
        finish(even);
        assertThat(arrivals)
                .as("which keep the next link busy")
                .containsExactly(new Arrival(41 * 12_000, 40, 0, 57_972));
    }

    @Test
    void whatGoesOnInPartsOvertakesNothing() {
        Direction jittery = new Direction(1e6, 30 * MILLI, 30 * MILLI, new Queue(10_000, false), Loss.NONE);
        Network network = network(link("ar", "a", "r", jittery), link("rb", "r", "b", ANY), link("rc", "r", "c", ANY));
        for (int i = 0; i < 100; i++) {
            Packet packet = packet(1 + i % 5, 40_000);
            packet.bytes.putInt(PacketSegmenter.KERNEL_HEADER + 16, 0x0a630002 + i % 2);
            packet.bytes.putInt(34, 100_000 * i);
            network.send(0, packet, 0);
        }
        finish(network);
        assertThat(arrivals.stream().mapToInt(Arrival::segments).sum()).isEqualTo(300);
        assertThat(arrivals).extracting(Arrival::tailNanos).isSorted();
        for (int to = 0; to < 2; to++) {
            int host = to;
            assertThat(arrivals.stream().map(Arrival::sequence).filter(number -> number / 100_000 % 2 == host))
                    .isSorted();
        }
    }

    @Test
    void aCutLosesThePartsThatAreNotAtTheOtherEnd() {
        Network network = network(link("ar", "a", "r", SLOW), link("rb", "r", "b", ANY));
        send(network, 10, 0);
        change(network, true, SLOW, 30 * MILLI);
        finish(network);
        assertThat(arrivals).extracting(Arrival::tailNanos).containsExactly(12 * MILLI, 24 * MILLI);
        assertThat(network.pipes().get(0).counts().cut).isEqualTo(8);
    }

    @Test
    void partsForWhichThereIsNoMemoryAreLostAndCounted() {
        // Of the ten segments' parts five have room.
        PacketPool scarce = new PacketPool(5 * PacketPool.SMALL);
        Topology topology = new Topology(
                1,
                List.of(new EmulatedHost("a", "", 0x0a630001), new EmulatedHost("b", "", 0x0a630002)),
                List.of("r"),
                List.of(link("ar", "a", "r", SLOW), link("rb", "r", "b", ANY)));
        Network network = network(topology, scarce);
        send(network, 10, 0);
        finish(network);
        assertThat(arrivals)
                .extracting(Arrival::tailNanos)
                .containsExactly(72 * MILLI, 84 * MILLI, 96 * MILLI, 108 * MILLI, 120 * MILLI);
        assertThat(scarce.refused()).isEqualTo(5);
    }

    @Test
    void aFullQueueTakesOfSeveralThoseForWhichThereIsRoom() {
        Network network = network(link(direction(12e6, 0, new Queue(4, false), Loss.NONE)));
        send(network, 10, 0);
        finish(network);
        assertThat(arrivals).containsExactly(new Arrival(4 * MILLI, 4, 0, 52 + 4 * 1448));
    }

    @Test
    void whatIsLeftAfterALossGoesOnWithHeadersOfItsOwn() {
        Network network = network(link(direction(12e6, 0, new Queue(1_000, false), new Loss(0.2, 2))));
        for (int i = 0; i < 200; i++) {
            send(network, 10, i * 100 * MILLI);
        }
        finish(network);
        PipeCounts counts = network.pipes().get(0).counts();
        int segments = arrivals.stream().mapToInt(Arrival::segments).sum();
        assertThat(counts.lost).isPositive();
        assertThat(segments).isEqualTo(2_000 - (int) counts.lost);
        for (int i = 0; i < arrivals.size(); i++) {
            Arrival arrival = arrivals.get(i);
            ByteBuffer header = ByteBuffer.wrap(headers.get(i));
            assertThat(arrival.ipBytes()).isEqualTo(52 + 1448 * arrival.segments());
            assertThat(arrival.sequence() % 1448).isZero();
            assertThat(header.getShort(12) & 0xffff).as("total length").isEqualTo(arrival.ipBytes());
            assertThat(header.get(1)).as("handed over as several").isEqualTo((byte) (arrival.segments() > 1 ? 1 : 0));
            if (arrival.segments() < 10) {
                assertThat(header.getShort(14) & 0xffff).as("identification").isEqualTo(arrival.sequence() / 1448);
                assertThat(sum(header, 10, 20)).as("checksum of the header").isEqualTo(0xffff);
            }
        }
    }

    /** Adds up in one's complement (RFC 1071). */
    private static int sum(ByteBuffer bytes, int at, int length) {
        int sum = 0;
        for (int i = 0; i < length; i += 2) {
            sum += bytes.getShort(at + i) & 0xffff;
        }
        while (sum > 0xffff) {
            sum = (sum >>> 16) + (sum & 0xffff);
        }
        return sum;
    }

    @Test
    void flowsKeepTheirLinkAndUseAllAlike() {
        Direction direction = direction(0, 0, Queue.DEFAULT, Loss.NONE);
        List<Direction> four = List.of(direction, direction, direction, direction);
        Network network = network(new Link("l", "a", "b", four, four));
        for (int port = 1_024; port < 5_024; port++) {
            for (int i = 0; i < 2; i++) {
                network.send(0, packet(1, port), 0);
            }
        }
        double chiSquare = 0;
        for (Pipe pipe : network.pipes().subList(0, 4)) {
            assertThat(pipe.counts().packets % 2).as("packets of whole flows").isZero();
            double flows = pipe.counts().packets / 2.0;
            chiSquare += (flows - 1_000) * (flows - 1_000) / 1_000;
        }
        // Three degrees of freedom: exceeded once in a thousand seeds.
        assertThat(chiSquare).isLessThan(16.27);
    }

    @Test
    void jitterStaysWithinItsBounds() {
        Direction direction = new Direction(0, 10 * MILLI, 2 * MILLI, Queue.DEFAULT, Loss.NONE);
        Network network = network(link(direction));
        for (int i = 0; i < 1_000; i++) {
            send(network, 1, i * 10 * MILLI);
        }
        finish(network);
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 1_000; i++) {
            long took = arrivals.get(i).tailNanos() - i * 10 * MILLI;
            least = Math.min(least, took);
            most = Math.max(most, took);
        }
        assertThat(least).isBetween(8 * MILLI, 8 * MILLI + MILLI / 10);
        assertThat(most).isBetween(12 * MILLI - MILLI / 10, 12 * MILLI);
    }

    @Test
    void packetsNearerToEachOtherThanTheJitterDoNotOvertake() {
        Direction direction = new Direction(0, 10 * MILLI, 2 * MILLI, Queue.DEFAULT, Loss.NONE);
        Network network = network(link(direction));
        for (int i = 0; i < 1_000; i++) {
            send(network, 1, i * MILLI / 10);
        }
        finish(network);
        assertThat(arrivals).hasSize(1_000);
        assertThat(arrivals).extracting(Arrival::tailNanos).isSorted();
    }

    private static void change(Network network, boolean isDown, Direction to, long nowNanos) {
        network.advance(nowNanos, Integer.MAX_VALUE);
        network.change(List.of(new Change.Part(new ShortestPaths.Step(0, false), isDown, List.of(to))), nowNanos);
    }

    @Test
    void aCutLosesWhatIsInTheQueueAndOnItsWayAndWhatComesUntilItIsMended() {
        Direction direction = direction(12e6, 10 * MILLI, Queue.DEFAULT, Loss.NONE);
        Network network = network(link(direction));
        send(network, 1, 0);
        // At the cut one has arrived, five are on their way, and of five in the queue one is being sent.
        for (int i = 0; i < 10; i++) {
            send(network, 1, 7 * MILLI);
        }
        change(network, true, direction, 12 * MILLI + MILLI / 2);
        assertThat(network.nextNanos()).isEqualTo(Long.MAX_VALUE);
        send(network, 3, 13 * MILLI);
        change(network, false, direction, 20 * MILLI);
        send(network, 1, 20 * MILLI);
        finish(network);
        assertThat(arrivals).extracting(Arrival::tailNanos).containsExactly(11 * MILLI, 31 * MILLI);
        PipeCounts counts = network.pipes().get(0).counts();
        assertThat(counts.cut).isEqualTo(10 + 3);
        assertThat(counts.packets).isEqualTo(15);
        assertThat(counts.bytes).as("those that had left the queue").isEqualTo(7 * SIZE);
    }

    @Test
    void anotherRateHoldsForWhatHasNotLeftTheQueue() {
        Network network = network(link(direction(12e6, 10 * MILLI, new Queue(4, false), Loss.NONE)));
        for (int i = 0; i < 4; i++) {
            send(network, 1, 0);
        }
        // One has left, of the second one half: the other half takes 1 ms now, and each that follows 2 ms.
        change(network, false, direction(6e6, 10 * MILLI, new Queue(4, false), Loss.NONE), MILLI + MILLI / 2);
        send(network, 1, 2 * MILLI);
        send(network, 1, 2 * MILLI);
        finish(network);
        assertThat(arrivals)
                .extracting(Arrival::tailNanos)
                .containsExactly(
                        11 * MILLI,
                        12 * MILLI + MILLI / 2,
                        14 * MILLI + MILLI / 2,
                        16 * MILLI + MILLI / 2,
                        18 * MILLI + MILLI / 2);
        assertThat(network.pipes().get(0).counts().overflowed).isEqualTo(1);
    }

    @Test
    void anotherLatencyHoldsForWhatHasNotLeftTheQueueAndNothingOvertakes() {
        Network network = network(link(direction(12e6, 50 * MILLI, Queue.DEFAULT, Loss.NONE)));
        send(network, 1, 0);
        send(network, 1, 0);
        change(network, false, direction(12e6, 10 * MILLI, Queue.DEFAULT, Loss.NONE), MILLI + MILLI / 2);
        send(network, 1, 2 * MILLI);
        send(network, 1, 60 * MILLI);
        change(network, false, direction(12e6, 20 * MILLI, Queue.DEFAULT, Loss.NONE), 60 * MILLI + MILLI / 2);
        finish(network);
        assertThat(arrivals)
                .extracting(Arrival::tailNanos)
                .containsExactly(51 * MILLI, 51 * MILLI, 51 * MILLI, 81 * MILLI);
    }

    @Test
    void withoutARateTheQueueIsEmptyAtOnce() {
        Network network = network(link(direction(12e6, 10 * MILLI, Queue.DEFAULT, Loss.NONE)));
        for (int i = 0; i < 3; i++) {
            send(network, 1, 0);
        }
        change(network, false, direction(0, 10 * MILLI, Queue.DEFAULT, Loss.NONE), MILLI);
        finish(network);
        assertThat(arrivals).extracting(Arrival::tailNanos).containsOnly(11 * MILLI);
    }

    @Test
    void otherLossesHoldForWhatComes() {
        Network network = network(link(direction(0, 0, Queue.DEFAULT, Loss.NONE)));
        change(network, false, direction(0, 0, Queue.DEFAULT, new Loss(0.5, 1)), 0);
        for (int i = 0; i < 1_000; i++) {
            send(network, 1, i);
        }
        finish(network);
        assertThat(network.pipes().get(0).counts().lost).isBetween(400L, 600L);
    }

    @Test
    void aHostHasTheAddressByWhichTheControllerKnowsItToo() {
        EmulatedHost b = new EmulatedHost("b", "", 0x0a630002, OptionalInt.of(0xc6120003));
        Link link = link(direction(0, MILLI, Queue.DEFAULT, Loss.NONE));
        Topology topology =
                new Topology(1, List.of(new EmulatedHost("a", "", 0x0a630001), b), List.of(), List.of(link));
        List<Integer> destinations = new ArrayList<>();
        Network network = new Network(topology, pool, packet -> destinations.add(packet.destination));
        Packet packet = packet(1, 1);
        packet.bytes.putInt(PacketSegmenter.KERNEL_HEADER + 16, 0xc6120003);
        assertThat(network.send(0, packet, 0)).isTrue();
        finish(network);
        assertThat(destinations).containsExactly(1);
    }

    @Test
    void aPacketToNobodyIsRefused() {
        Network network = network(link(direction(0, 0, Queue.DEFAULT, Loss.NONE)));
        Packet packet = packet(1, 1);
        packet.bytes.putInt(PacketSegmenter.KERNEL_HEADER + 16, 0x08080808);
        assertThat(network.send(0, packet, 0)).isFalse();
        assertThat(network.nextNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsNoPacketOfVersionFourIsNotRead() {
        Packet packet = packet(1, 1);
        packet.bytes.put(PacketSegmenter.KERNEL_HEADER, (byte) 0x60);
        assertThat(PacketSegmenter.read(packet, 100)).isFalse();
        assertThat(PacketSegmenter.read(packet(1, 1), 12)).isFalse();
    }
}
