package org.diperf.plugins.emulated.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

/** A client and a server at two of three routers that form a triangle; lines are as bird 2.0.12 and iproute2 6.1 write them. */
@Timeout(60)
class RoutingWatcherTests {

    private static final Routing OSPF = new Routing(Routing.Protocol.OSPF, false, 1, 4, 9, Map.of());
    private static final long SECOND = 1_000_000_000;
    /** The wall clock is ahead by this. */
    private static final long WALL = 1_795_546_000 * SECOND;

    private final List<String> happened = new ArrayList<>();
    private final RoutingWatcher watch = new RoutingWatcher(
            topology(),
            OSPF,
            List.of("client"),
            "server",
            (atNanos, what) -> happened.add(atNanos / 1_000_000 + " " + what));

    private static Topology topology() {
        Direction way = new Direction(0, 2_000_000, 0, Queue.DEFAULT, Loss.NONE);
        List<Direction> ways = List.of(way);
        return new Topology(
                1,
                List.of(new EmulatedHost("client", "", 0x0a630001), new EmulatedHost("server", "", 0x0a630002)),
                List.of("r1", "r2", "r3"),
                List.of(
                        new Link("to-client", "client", "r1", ways, ways),
                        new Link("short", "r1", "r2", ways, ways),
                        new Link("to-server", "r2", "server", ways, ways),
                        new Link("second", "r2", "r3", ways, ways),
                        new Link("third", "r3", "r1", ways, ways)));
    }

    private void table(String router, String at, String rest) {
        watch.table(router, "[2026-11-24T18:" + at + "] " + rest, WALL);
    }

    private void log(String router, double atSeconds, String text) {
        watch.log(router, String.format(Locale.ROOT, "%.6f <TRACE> %s", WALL / SECOND + atSeconds, text), WALL);
    }

    /** All ways are known at 18:46:44, which is 4 s. */
    private void converge() {
        for (String[] pair :
                new String[][] {{"r1", "l1a"}, {"r1", "l4b"}, {"r2", "l1b"}, {"r2", "l3a"}, {"r3", "l3b"}, {"r3", "l4a"}
                }) {
            log(pair[0], 3, "inside: Neighbor 100.64.0.9 on " + pair[1] + " changed state from Loading to Full");
        }
        table("r1", "46:44.000000", "10.99.0.1 dev l0b proto bird scope link metric 32 ");
        table("r1", "46:44.000000", "10.99.0.2 via 100.80.0.3 dev l1a proto bird metric 32 ");
        table("r2", "46:44.000000", "10.99.0.1 via 100.80.0.2 dev l1b proto bird metric 32 ");
        table("r2", "46:44.000000", "10.99.0.2 dev l2a proto bird scope link metric 32 ");
        table("r3", "46:44.000000", "10.99.0.1 via 100.80.0.9 dev l4a proto bird metric 32 ");
        table("r3", "46:44.000000", "10.99.0.2 via 100.80.0.6 dev l3b proto bird metric 32 ");
        watch.advance(5 * SECOND);
    }

    private static Change cut(int link) {
        Direction way = new Direction(0, 2_000_000, 0, Queue.DEFAULT, Loss.NONE);
        return new Change(
                0,
                "link cut",
                List.of(
                        new Change.Part(new ShortestPaths.Step(link, false), true, List.of(way)),
                        new Change.Part(new ShortestPaths.Step(link, true), true, List.of(way))));
    }

    @Test
    void whatRoutersLackIsNamed() {
        assertThat(watch.lacks(SECOND, 0))
                .contains("r1 and r2 on link short are not neighbors yet", "r2 has no route to client, server");
        converge();
        assertThat(watch.lacks(5 * SECOND, 2 * SECOND)).containsExactly("routes are still changing");
        assertThat(watch.lacks(6 * SECOND, 2 * SECOND)).isEmpty();
        table("r3", "46:46.500000", "10.99.0.2 via 100.80.0.9 dev l4a proto bird metric 32 ");
        table("r1", "46:46.500000", "10.99.0.2 via 100.80.0.8 dev l4b proto bird metric 32 ");
        watch.advance(7 * SECOND);
        assertThat(watch.lacks(9 * SECOND, SECOND)).containsExactly("packets between some hosts are looping");
        table("r2", "46:47.000000", "Deleted 10.99.0.1 via 100.80.0.2 dev l1b proto bird metric 32 ");
        watch.advance(8 * SECOND);
        assertThat(watch.lacks(9 * SECOND, SECOND)).containsExactly("r2 has no route to client");
    }

    @Test
    void waysAreRestoredWhenTheLastRouterOnThemKnowsAnother() {
        converge();
        watch.begun(10 * SECOND);
        watch.changed(cut(1), 12 * SECOND);
        log("r1", 15.5, "inside: Neighbor 100.64.0.2 on l1a changed state from Full to Down");
        log("r1", 15.5, "inside: Neighbor 100.64.0.2 on l1a changed state from Down to Init");
        // Read later than what follows.
        table("r2", "46:56.250000", "10.99.0.1 via 100.80.0.7 dev l3a proto bird metric 32 ");
        table("r1", "46:55.750000", "10.99.0.2 via 100.80.0.8 dev l4b proto bird metric 32 ");
        log("r1", 15.75, "tables.ipv4 < replaced 10.99.0.2/32 0L 9G unicast");
        log("r1", 15.76, "tables.ipv4 < replaced 100.80.0.0/31 0L 9G unicast");
        // Of no packet between client and server.
        table("r3", "46:57.000000", "10.99.0.1 via 100.80.0.9 dev l4a proto bird metric 32 ");
        watch.advance(20 * SECOND);
        assertThat(watch.reroutings())
                .containsExactly(new Rerouting("link cut", 2 * SECOND, true, 6_250_000_000L, 7 * SECOND));
        assertThat(happened)
                .containsExactly("15500 r1 has lost r2 on link short", "15750 r1 has changed 1 way to hosts");
    }

    @Test
    void aWayThatIsNotUsedBreaksNothing() {
        converge();
        watch.begun(10 * SECOND);
        watch.changed(cut(4), 12 * SECOND);
        watch.advance(20 * SECOND);
        assertThat(watch.reroutings()).containsExactly(new Rerouting("link cut", 2 * SECOND, false, null, null));
        watch.changed(cut(2), 21 * SECOND);
        watch.advance(22 * SECOND);
        assertThat(watch.reroutings().get(1)).isEqualTo(new Rerouting("link cut", 11 * SECOND, true, null, null));
    }

    @Test
    void ofEquallyGoodWaysAllMustBeWhole() {
        converge();
        table(
                "r1",
                "46:45.000000",
                "10.99.0.2 proto bird metric 32 \\\tnexthop via 100.80.0.3 dev l1a weight 1 \\\tnexthop via 100.80.0.8"
                        + " dev l4b weight 1 ");
        watch.begun(10 * SECOND);
        watch.changed(cut(3), 12 * SECOND);
        watch.advance(13 * SECOND);
        assertThat(watch.reroutings().get(0).broke()).isTrue();
    }

    @Test
    void eachRouterHasItsConfiguration() {
        RouterPlan plan = new RouterPlan(topology(), OSPF);
        assertThat(plan.configuration("r1", Path.of("/logs/r1")))
                .contains("router id 100.64.0.1;", "log \"/logs/r1\" all;", "route 10.99.0.1/32 via \"l0b\";")
                .contains("interface \"l1a\" { type ptp; hello 1; dead 4; cost 201;")
                .doesNotContain("interface \"l0b\"", "bgp");
        assertThat(plan.addresses("r2")).contains("addr add 100.80.0.3/31 dev l1b", "addr add 100.64.0.2/32 dev lo");
        Routing bgp =
                new Routing(Routing.Protocol.BGP, true, 1, 4, 9, Map.of("r1", 64_512L, "r2", 64_513L, "r3", 64_513L));
        RouterPlan between = new RouterPlan(topology(), bgp);
        assertThat(between.configuration("r2", Path.of("/logs/r2")))
                .contains("local 100.80.0.3 as 64513;", "neighbor 100.80.0.2 as 64512;", "check link yes;")
                .contains("local 100.64.0.2 as 64513;", "neighbor 100.64.0.3 as 64513;", "multihop;")
                .contains("interface \"l3a\"")
                .doesNotContain("interface \"l1b\"");
        assertThat(between.neighbours("r2").values())
                .containsExactlyInAnyOrder("r1 on link short", "r3 on link second", "r3 in the same autonomous system");
    }
}
