package org.diperf.plugins.emulated.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shortest ways, worked out by hand. */
@Timeout(60)
class ShortestPathsTests {

    private static final long FAR = 1L << 40;

    private static Direction far(long nanos) {
        return new Direction(1e9, nanos, 0, Queue.DEFAULT, Loss.NONE);
    }

    private static Link link(String from, String to, long there, long back) {
        return new Link(from + to, from, to, List.of(far(there)), List.of(far(back)));
    }

    private static ShortestPaths ways(Link... links) {
        return new ShortestPaths(new Topology(
                1,
                List.of(new EmulatedHost("a", "", 1), new EmulatedHost("b", "", 2), new EmulatedHost("c", "", 3)),
                List.of("r", "s"),
                List.of(links)));
    }

    @Test
    void theShorterOfTwoWaysIsTaken() {
        ShortestPaths ways = ways(link("a", "b", 10, 10), link("a", "r", 2, 2), link("r", "b", 3, 3));
        assertThat(ways.between(0, 1))
                .containsExactly(new ShortestPaths.Step(1, false), new ShortestPaths.Step(2, false));
        assertThat(ways.between(1, 0))
                .containsExactly(new ShortestPaths.Step(2, true), new ShortestPaths.Step(1, true));
        assertThat(ways.latencyNanos(0, 1)).isEqualTo(5);
    }

    @Test
    void ofTwoThatAreAlikeThatOfFewerLinks() {
        ShortestPaths ways = ways(link("a", "r", 2, 2), link("r", "b", 3, 3), link("a", "b", 5, 5));
        assertThat(ways.between(0, 1)).containsExactly(new ShortestPaths.Step(2, false));
    }

    @Test
    void theWayBackMayBeAnother() {
        ShortestPaths ways = ways(link("a", "b", 1, 10), link("a", "r", 2, 2), link("r", "b", 2, 2));
        assertThat(ways.between(0, 1)).containsExactly(new ShortestPaths.Step(0, false));
        assertThat(ways.between(1, 0))
                .containsExactly(new ShortestPaths.Step(2, true), new ShortestPaths.Step(1, true));
    }

    @Test
    void hostsPassNothingOn() {
        ShortestPaths ways = ways(link("a", "b", 1, 1), link("b", "c", 1, 1));
        assertThat(ways.between(0, 2)).isEmpty();
        assertThat(ways.between(1, 2)).hasSize(1);
    }

    /** Hosts with one link and with several, to routers and to each other. */
    private static Topology random(SplittableRandom random) {
        List<EmulatedHost> hosts = IntStream.range(0, 6)
                .mapToObj(i -> new EmulatedHost("h" + i, "", 1 + i))
                .toList();
        List<String> routers = List.of("r0", "r1", "r2", "r3");
        List<Link> links = new ArrayList<>();
        for (EmulatedHost host : hosts) {
            for (int i = random.nextInt(2); i < 2; i++) {
                boolean isToHost = random.nextInt(5) == 0 && !host.name().equals("h0");
                String to = isToHost ? "h0" : "r" + random.nextInt(4);
                links.add(new Link("l" + links.size(), host.name(), to, far(random), far(random)));
            }
        }
        for (int i = 1; i < 4; i++) {
            links.add(new Link("l" + links.size(), "r" + i, "r" + random.nextInt(i), far(random), far(random)));
            links.add(new Link("l" + links.size(), "r" + random.nextInt(i), "r" + i, far(random), far(random)));
        }
        return new Topology(1, hosts, routers, links);
    }

    private static List<Direction> far(SplittableRandom random) {
        return List.of(far(random.nextLong(1, 9)));
    }

    @Test
    void noOtherWayIsShorter() {
        for (long seed = 1; seed <= 200; seed++) {
            Topology topology = random(new SplittableRandom(seed));
            ShortestPaths ways = new ShortestPaths(topology);
            long[][] least = least(topology);
            for (int from = 0; from < 6; from++) {
                for (int to = 0; to < 6; to++) {
                    List<ShortestPaths.Step> way = ways.between(from, to);
                    String at = "from " + from + " to " + to + ", seed " + seed;
                    if (from == to || least[from][to] == FAR) {
                        assertThat(way).as(at).isEmpty();
                        continue;
                    }
                    assertThat(ways.latencyNanos(from, to)).as(at).isEqualTo(least[from][to]);
                    String node = "h" + from;
                    for (ShortestPaths.Step step : way) {
                        Link link = topology.links().get(step.link());
                        assertThat(step.isBack() ? link.to() : link.from())
                                .as(at)
                                .isEqualTo(node);
                        node = step.isBack() ? link.from() : link.to();
                    }
                    assertThat(node).as(at).isEqualTo("h" + to);
                }
            }
        }
    }

    /** Finds the latencies of all shortest ways (Floyd and Warshall), over routers alone. */
    private static long[][] least(Topology topology) {
        List<String> nodes = topology.nodes();
        long[][] least = new long[nodes.size()][nodes.size()];
        for (long[] row : least) {
            Arrays.fill(row, FAR);
        }
        for (Link link : topology.links()) {
            int from = nodes.indexOf(link.from());
            int to = nodes.indexOf(link.to());
            least[from][to] = Math.min(least[from][to], link.there().get(0).latencyNanos());
            least[to][from] = Math.min(least[to][from], link.back().get(0).latencyNanos());
        }
        for (int over = topology.hosts().size(); over < nodes.size(); over++) {
            for (int from = 0; from < nodes.size(); from++) {
                for (int to = 0; to < nodes.size(); to++) {
                    least[from][to] = Math.min(least[from][to], least[from][over] + least[over][to]);
                }
            }
        }
        return least;
    }
}
