package org.diperf.plugins.emulated.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shortest ways, worked out by hand. */
@Timeout(60)
class ShortestPathsTests {

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
}
