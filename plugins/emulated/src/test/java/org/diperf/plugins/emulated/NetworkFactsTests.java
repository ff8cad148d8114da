package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.diperf.plugins.emulated.annex.NetworkUsage;
import org.diperf.plugins.emulated.annex.NetworkUsage.Role;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the record of a run keeps of a network: two users at a router, and two parallel links to the server. */
@Timeout(60)
class NetworkFactsTests {

    private static final long MILLI = 1_000_000L;

    private static Direction direction(double rate, long latencyMillis) {
        return new Direction(rate, latencyMillis * MILLI, 0, Queue.DEFAULT, Loss.NONE);
    }

    private static NetworkFacts facts(Change... changes) {
        List<Direction> near = List.of(direction(1e9, 1));
        List<Direction> far = List.of(direction(1e6, 3), direction(1e6, 3));
        List<Direction> farBack = List.of(direction(2e6, 5), direction(2e6, 5));
        Topology topology = new Topology(
                1,
                List.of(
                        new EmulatedHost("user-1", "wan", 1),
                        new EmulatedHost("user-2", "wan", 2),
                        new EmulatedHost("server", "", 3)),
                List.of("r"),
                List.of(
                        new Link("user-1-r", "user-1", "r", near, near),
                        new Link("user-2-r", "user-2", "r", near, near),
                        new Link("bone", "r", "server", far, farBack)));
        Map<String, List<String>> groups =
                Map.of("user", List.of("user-1", "user-2"), "server", List.of("server"), "r", List.of("r"));
        return new NetworkFacts(new NetworkDeclaration(
                "tun",
                Routing.STATIC,
                topology,
                groups,
                Map.of(),
                List.of(changes),
                List.of("user-1", "user-2"),
                "server",
                "",
                null));
    }

    @Test
    void hostsOfOneCountAreOneNodeAndTheirLinksOneLink() {
        NetworkUsage network =
                facts().network("tun", new EngineReport(8), OptionalLong.empty(), OptionalLong.of(0), List.of());
        assertThat(network.nodes())
                .containsExactlyInAnyOrder(
                        new NetworkUsage.Node("user", 2, "wan", Role.TESTERS),
                        new NetworkUsage.Node("server", 1, "", Role.SERVICE),
                        new NetworkUsage.Node("r", 1, "", Role.ROUTER));
        assertThat(network.links()).hasSize(2);
        NetworkUsage.Link users = network.links().get(0);
        assertThat(users.name()).isEqualTo("user-r");
        assertThat(users.count()).isEqualTo(2);
        assertThat(users.from()).isEqualTo("user");
        assertThat(users.back().parts()).containsExactly("user-1-r.back", "user-2-r.back");
        NetworkUsage.Link bone = network.links().get(1);
        assertThat(bone.count()).isEqualTo(1);
        assertThat(bone.there().parts()).containsExactly("bone.0.there", "bone.1.there");
        assertThat(bone.back().bitsPerSecond()).isEqualTo(2e6);
        assertThat(network.shortestRoundTripNanos()).isEqualTo((1 + 3 + 5 + 1) * MILLI);
        assertThat(network.shortestWayNanos()).as("from user to user").isEqualTo(2 * MILLI);
        assertThat(network.carried()).as("the engine has said nothing").isNull();
    }

    @Test
    void whatLinksCarriedIsAddedUp() {
        EngineReport report = new EngineReport(8);
        List<String> lines = new ArrayList<>();
        for (int pipe = 0; pipe < 8; pipe++) {
            lines.add("pipe " + pipe + " " + (1 << pipe) + " 10 0 2 3 1 0 0");
        }
        lines.add("engine 7 100 1 2 3 4 5 6 8 9");
        lines.forEach(report::read);
        NetworkUsage network = facts().network("tun", report, OptionalLong.empty(), OptionalLong.of(11), List.of());
        // Links there before those back: user-1, user-2, then the two of the bone.
        NetworkUsage.Way there = network.links().get(0).there();
        assertThat(there.packets()).isEqualTo(1 + 4);
        assertThat(there.bytes()).isEqualTo(20);
        assertThat(there.lost()).as("lost, or dropped by a cut").isEqualTo(6);
        assertThat(there.overflowed()).isEqualTo(6);
        assertThat(network.links().get(1).there().packets()).isEqualTo(16 + 32);
        assertThat(network.links().get(1).back().packets()).isEqualTo(64 + 128);
        assertThat(network.carried())
                .isEqualTo(new NetworkUsage.Carried(
                        "tun", 100, new NetworkUsage.Times(1, 2, 3), null, new NetworkUsage.Times(4, 5, 6), 11L, 9, 8));
        assertThat(facts().network("netem", report, OptionalLong.of(44), OptionalLong.empty(), List.of())
                        .carried())
                .as("an engine without turns")
                .isEqualTo(
                        new NetworkUsage.Carried("netem", 100, new NetworkUsage.Times(1, 2, 3), 44L, null, null, 9, 8));
    }

    private static Change change(boolean isBack, long latencyMillis) {
        return new Change(
                1,
                "bone",
                List.of(new Change.Part(
                        new ShortestPaths.Step(2, isBack),
                        false,
                        List.of(direction(1e6, latencyMillis), direction(1e6, latencyMillis)))));
    }

    @Test
    void theShortestRoundTripIsThatOfTheWholeRun() {
        assertThat(shortestMillis(change(false, 1))).as("3 ms become 1").isEqualTo(1 + 1 + 5 + 1);
        assertThat(shortestMillis(change(false, 1), change(false, 9))).isEqualTo(1 + 1 + 5 + 1);
        assertThat(shortestMillis(change(true, 9))).as("it was shorter before").isEqualTo(1 + 3 + 5 + 1);
    }

    private static long shortestMillis(Change... changes) {
        return facts(changes)
                        .network("tun", new EngineReport(8), OptionalLong.empty(), OptionalLong.of(0), List.of())
                        .shortestRoundTripNanos()
                / MILLI;
    }
}
