package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens does not depend on how a network is split, and no part does anything before it knows all that comes before. */
@Timeout(120)
class SliceTests {

    private static final long MILLI = 1_000_000;
    private static final int HOSTS = 24;

    /** A packet at the end of a link. */
    private record Reached(long atNanos, int link, long tag) {}

    private static final Comparator<Reached> IN_ORDER = Comparator.comparingLong(Reached::atNanos)
            .thenComparingInt(Reached::link)
            .thenComparingLong(Reached::tag);

    private record Outcome(List<Reached> trace, long digest, long delivered, long dropped) {}

    /** Carries all slices to the end as the processes do. */
    private static Outcome run(Topology topology, List<Flow> flows, Partition partition) {
        List<Reached> trace = new ArrayList<>();
        long[] window = new long[2];
        List<Slice> slices = IntStream.range(0, partition.count())
                .mapToObj(part -> new Slice(topology, flows, partition, part, (atNanos, link, tag) -> {
                    assertThat(atNanos).isBetween(window[0], window[1] - 1);
                    trace.add(new Reached(atNanos, link, tag));
                }))
                .toList();
        while (true) {
            long next = slices.stream().mapToLong(Slice::nextNanos).min().orElseThrow();
            if (next == Long.MAX_VALUE) {
                break;
            }
            window[0] = next;
            window[1] = next + Math.min(partition.lookaheadNanos(), Long.MAX_VALUE - next);
            slices.forEach(slice -> slice.advance(window[1]));
            slices.forEach(slice -> slice.handOver(
                    (part, link, done, tag, dueNanos) -> slices.get(part).receive(link, done, tag, dueNanos)));
        }
        trace.sort(IN_ORDER);
        return new Outcome(
                trace,
                slices.stream().mapToLong(Slice::digest).sum(),
                slices.stream().mapToLong(Slice::delivered).sum(),
                slices.stream().mapToLong(Slice::dropped).sum());
    }

    private static Direction direction(double rate, long latencyNanos, long jitterNanos, int queue, double loss) {
        return new Direction(rate, latencyNanos, jitterNanos, new Queue(queue, false), new Loss(loss, 2));
    }

    private static Link link(String from, String to, Direction direction) {
        return new Link(from + "-" + to, from, to, List.of(direction), List.of(direction));
    }

    /** Hosts at four routers; equal latencies, so that packets come at the same instants. */
    private static Topology topology(String shape, long seed) {
        List<EmulatedHost> hosts = IntStream.range(0, HOSTS)
                .mapToObj(i -> new EmulatedHost("h" + i, "", 1 + i))
                .toList();
        List<Link> links = new ArrayList<>();
        Direction bone = direction(5e6, 4 * MILLI, MILLI, 8, 0.01);
        List<String> between = switch (shape) {
            case "line" -> List.of("01", "12", "23");
            case "ring" -> List.of("01", "12", "23", "30");
            default -> List.of("01", "02", "03");
        };
        between.forEach(ends -> links.add(link("r" + ends.charAt(0), "r" + ends.charAt(1), bone)));
        // Several of them, chosen by the flow.
        List<Direction> two = List.of(bone, direction(0, 5 * MILLI, 0, 100, 0));
        links.add(new Link("more", "r1", "r2", two, two));
        for (int i = 0; i < HOSTS; i++) {
            links.add(link("h" + i, "r" + i % 4, direction(0, MILLI, 0, 4, 0)));
        }
        return new Topology(seed, hosts, List.of("r0", "r1", "r2", "r3"), links);
    }

    private static List<Flow> flows(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int from = random.nextInt(HOSTS);
            int to = (from + 1 + random.nextInt(HOSTS - 1)) % HOSTS;
            boolean isSteady = random.nextInt(3) > 0;
            long start = isSteady ? 0 : random.nextLong(MILLI);
            flows.add(new Flow(from, to, start, 40, 500, random.nextBoolean() ? 1_000 : 0, 2 * MILLI, isSteady));
        }
        return flows;
    }

    private static Partition split(Topology topology, int count) {
        int[] parts = IntStream.range(0, topology.nodes().size())
                .map(node -> (node < HOSTS ? node % 4 : node - HOSTS) % count)
                .toArray();
        return Partition.of(topology, parts, count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "ring", "star"})
    void oneTwoAndFourPartsHaveTheSameTraceToTheNanosecond(String shape) {
        for (long seed = 1; seed <= 5; seed++) {
            Topology topology = topology(shape, seed);
            List<Flow> flows = flows(seed);
            Outcome one = run(topology, flows, Partition.whole(topology));
            assertThat(one.trace).as("packets at nodes, seed " + seed).hasSizeGreaterThan(4_000);
            assertThat(one.dropped).as("packets dropped, seed " + seed).isGreaterThan(100);
            assertThat(one.trace.stream().map(each -> each.atNanos).distinct().count())
                    .as("instants, of which several packets share some, seed " + seed)
                    .isLessThan(one.trace.size() * 9L / 10);
            for (int count : new int[] {2, 4}) {
                Outcome several = run(topology, flows, split(topology, count));
                String at = count + " parts, seed " + seed;
                assertThat(several.trace).as(at).hasSameSizeAs(one.trace);
                for (int i = 0; i < one.trace.size(); i++) {
                    assertThat(several.trace.get(i)).as(at).isEqualTo(one.trace.get(i));
                }
                assertThat(several.digest).as(at).isEqualTo(one.digest);
                assertThat(several.delivered).as(at).isEqualTo(one.delivered);
                assertThat(several.dropped).as(at).isEqualTo(one.dropped);
            }
        }
    }

    @Test
    void noPacketComesTooLateHoweverItsLatencyVaries() {
        Direction direction = direction(0, 4 * MILLI, 3 * MILLI, 100, 0);
        Topology topology = new Topology(
                3,
                List.of(new EmulatedHost("a", "", 1), new EmulatedHost("b", "", 2)),
                List.of(),
                List.of(link("a", "b", direction)));
        List<Flow> flows = List.of(
                new Flow(0, 1, 0, 2_000, 500, 500, MILLI, false), new Flow(1, 0, 0, 2_000, 500, 500, MILLI, false));
        Partition two = Partition.of(topology, new int[] {0, 1}, 2);
        assertThat(run(topology, flows, two).trace).isEqualTo(run(topology, flows, Partition.whole(topology)).trace);
    }

    @Test
    void theDigestTellsOneSeedFromAnother() {
        Topology topology = topology("ring", 1);
        Outcome one = run(topology, flows(1), Partition.whole(topology));
        Topology other = topology("ring", 2);
        assertThat(run(other, flows(1), Partition.whole(other)).digest).isNotEqualTo(one.digest);
    }

    @Test
    void aPacketFromAnotherPartThatIsDueInThePastIsRefused() {
        Topology topology = topology("line", 1);
        List<Flow> flows = List.of(new Flow(0, 1, 0, 1, 500, 0, MILLI, true));
        Slice second = new Slice(topology, flows, split(topology, 4), 1, Slice.Trace.NONE);
        second.advance(7 * MILLI);
        assertThatThrownBy(() -> second.receive(0, 1, 0, 7 * MILLI - 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Expected packets due at 7000000 ns or later from other engines, got one due at 6999999 ns");
        second.receive(0, 1, 0, 7 * MILLI);
        assertThat(second.nextNanos()).isEqualTo(7 * MILLI);
    }

    @Test
    void aPacketThatCannotBeIsRefused() {
        Topology topology = topology("line", 1);
        List<Flow> flows = List.of(new Flow(0, 1, 0, 1, 500, 0, MILLI, true));
        Slice second = new Slice(topology, flows, split(topology, 4), 1, Slice.Trace.NONE);
        assertThatThrownBy(() -> second.receive(-1, 1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> second.receive(0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> second.receive(0, 9, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> second.receive(0, 1, 1L << Integer.SIZE, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPartCountsWhatItsOwnNodesHaveToDo() {
        Topology topology = topology("line", 1);
        List<Flow> flows = List.of(new Flow(0, 4, 0, 10, 500, 500, 2 * MILLI, true));
        Slice first = new Slice(topology, flows, split(topology, 2), 0, Slice.Trace.NONE);
        first.advance(Long.MAX_VALUE);
        // Ten requests and their answers, each sent, at the router, and at the other host.
        assertThat(first.events()).isEqualTo(60);
        assertThat(first.delivered()).isEqualTo(20);
        assertThat(first.loads()[0]).isEqualTo(20);
        assertThat(first.loads()[HOSTS]).isEqualTo(20);
    }
}
