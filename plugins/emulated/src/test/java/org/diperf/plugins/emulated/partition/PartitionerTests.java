package org.diperf.plugins.emulated.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PartitionerTests {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private static Link link(String from, String to, long latencyNanos) {
        Direction direction = new Direction(1e9, latencyNanos, 0, Queue.DEFAULT, Loss.NONE);
        return new Link(from + "-" + to, from, to, List.of(direction), List.of(direction));
    }

    /** Routers in a row, each with hosts. */
    private static Topology row(int hostsOfEach, long... latencies) {
        List<EmulatedHost> hosts = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        int routers = latencies.length + 1;
        for (int i = 0; i < hostsOfEach * routers; i++) {
            hosts.add(new EmulatedHost("h" + i, "", 1 + i));
            links.add(link("h" + i, "r" + i / hostsOfEach, 100 * MICRO));
        }
        for (int i = 0; i < latencies.length; i++) {
            links.add(link("r" + i, "r" + (i + 1), latencies[i]));
        }
        return new Topology(
                1, hosts, IntStream.range(0, routers).mapToObj(i -> "r" + i).toList(), links);
    }

    @Test
    void theLongestLinkIsCutWhereTheWorkIsBalancedBothWays() {
        Topology topology = row(10, 2 * MILLI, 9 * MILLI, 2 * MILLI);
        Partition partition = Partitioner.split(topology, Load.ofTopology(topology), 2, 1);
        assertThat(partition.lookaheadNanos()).isEqualTo(9 * MILLI);
        assertThat(partition.parts().subList(0, 20)).containsOnly(partition.part(0));
        assertThat(partition.parts().subList(20, 40)).containsOnly(1 - partition.part(0));
    }

    @Test
    void balanceIsWorthAShorterLookahead() {
        Topology topology = row(10, 9 * MILLI, 8 * MILLI, 2 * MILLI);
        Partition partition = Partitioner.split(topology, Load.ofTopology(topology), 2, 1);
        // After the first router would be 9 ms, but one part with a quarter of the work.
        assertThat(partition.lookaheadNanos()).isEqualTo(8 * MILLI);
    }

    @Test
    void aVeryShortLookaheadIsWorthMoreThanBalance() {
        Topology topology = row(10, 9 * MILLI, 10 * MICRO, 2 * MILLI);
        Partition partition = Partitioner.split(topology, Load.ofTopology(topology), 2, 1);
        assertThat(partition.lookaheadNanos()).isGreaterThanOrEqualTo(2 * MILLI);
    }

    @Test
    void linksWithoutLatencyAboveTheirJitterStayWhole() {
        Topology topology = row(2, 0, 3 * MILLI, 0);
        Partition partition = Partitioner.split(topology, Load.ofTopology(topology), 4, 1);
        assertThat(partition.part(8)).isEqualTo(partition.part(9));
        assertThat(partition.part(10)).isEqualTo(partition.part(11));
        Direction shaky = new Direction(1e9, MILLI, MILLI, Queue.DEFAULT, Loss.NONE);
        Topology only = new Topology(
                1,
                List.of(new EmulatedHost("a", "", 1), new EmulatedHost("b", "", 2)),
                List.of(),
                List.of(new Link("l", "a", "b", List.of(shaky), List.of(shaky))));
        assertThatThrownBy(() -> Partitioner.split(only, Load.ofTopology(only), 2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("into 2 parts");
        assertThatThrownBy(() -> Partition.of(only, new int[] {0, 1}, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("latency above their jitter");
    }

    /** Routers joined at random, which no line of thought splits well. */
    private static Topology random(int routers, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Link> links = new ArrayList<>();
        for (int i = 1; i < routers; i++) {
            links.add(link("r" + i, "r" + random.nextInt(i), MILLI));
            int other = random.nextInt(i);
            if (links.stream().noneMatch(new Namesake("r" + i + "-r" + other)::isNamed)) {
                links.add(link("r" + i, "r" + other, MILLI));
            }
        }
        return new Topology(
                1, List.of(), IntStream.range(0, routers).mapToObj(i -> "r" + i).toList(), links);
    }

    private record Namesake(String name) {

        boolean isNamed(Link link) {
            return link.name().equals(name);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void theWorkIsBalancedWithinAFewPercentAndFewLinksAreCut(int count) {
        for (long seed = 1; seed <= 5; seed++) {
            Topology topology = random(1_000, seed);
            Load load = Load.ofTopology(topology);
            Partition partition = Partitioner.split(topology, load, count, seed);
            assertThat(load.imbalance(partition)).as("imbalance, seed " + seed).isLessThan(1.06);
            int[] alternate = new int[1_000];
            Arrays.setAll(alternate, node -> node % count);
            long cut = cut(topology, partition);
            long cutOfAlternate = cut(topology, Partition.of(topology, alternate, count));
            assertThat(cut).as("links cut, seed " + seed).isLessThan(cutOfAlternate * 6 / 10);
        }
    }

    private static long cut(Topology topology, Partition partition) {
        return topology.ends().stream()
                .filter(end -> partition.part(end.from()) != partition.part(end.to()))
                .count();
    }

    @Test
    void theSameSeedGivesTheSamePartition() {
        Topology topology = random(300, 7);
        Load load = Load.ofTopology(topology);
        assertThat(Partitioner.split(topology, load, 4, 3)).isEqualTo(Partitioner.split(topology, load, 4, 3));
    }
}
