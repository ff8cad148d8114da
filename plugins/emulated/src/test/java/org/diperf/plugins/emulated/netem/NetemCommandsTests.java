package org.diperf.plugins.emulated.netem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands for {@code a – r – b}, with two links between r and b. */
@Timeout(60)
class NetemCommandsTests {

    private static final Direction NEAR = new Direction(0, 1_500_000, 0, Queue.DEFAULT, Loss.NONE);
    private static final Direction THERE = new Direction(12e6, 2_000_250, 500_000, new Queue(20, false), Loss.NONE);
    private static final Direction BACK = new Direction(8e6, 0, 0, new Queue(7, false), Loss.NONE);
    private static final Direction LOSSY = new Direction(0, 0, 0, Queue.DEFAULT, new Loss(0.005, 1));

    private static Topology topology(Link... links) {
        return new Topology(
                1,
                List.of(new EmulatedHost("a", "", 0x0a630001), new EmulatedHost("b", "", 0x0a630002)),
                List.of("r"),
                List.of(links));
    }

    private final NetemCommands commands = new NetemCommands(topology(
            new Link("ar", "a", "r", List.of(NEAR), List.of(NEAR)),
            new Link("rb", "r", "b", List.of(THERE, LOSSY), List.of(BACK, LOSSY))));

    @Test
    void eachPhysicalLinkIsAPairBetweenTheNetworksOfItsNodes() {
        Map<String, Long> holders = Map.of("a", 11L, "b", 12L, "r", 13L);
        assertThat(commands.pairs(holders::get))
                .containsExactly(
                        "link add l0m0a address 02:00:00:00:00:00 netns 11 type veth peer name l0m0b address"
                                + " 02:00:00:00:00:00 netns 13",
                        "link add l1m0a address 02:00:00:01:00:00 netns 13 type veth peer name l1m0b address"
                                + " 02:00:00:01:00:00 netns 12",
                        "link add l1m1a address 02:00:00:01:01:00 netns 13 type veth peer name l1m1b address"
                                + " 02:00:00:01:01:00 netns 12");
    }

    @Test
    void hostsHaveTheirAddressAndEachNodeARouteToEachHost() {
        Map<String, List<String>> lines = commands.devicesAndRoutes();
        String up = " arp off gso_max_segs 1 txqueuelen 10000 mtu 1500 up";
        assertThat(lines.get("a"))
                .containsExactly(
                        "addr add 10.99.0.1/32 dev lo",
                        "link set l0m0a" + up,
                        "route add 10.99.0.2 src 10.99.0.1 dev l0m0a");
        assertThat(lines.get("r"))
                .containsExactly(
                        "link set l0m0b" + up,
                        "link set l1m0a" + up,
                        "link set l1m1a" + up,
                        "route add 10.99.0.2 nexthop dev l1m0a nexthop dev l1m1a",
                        "route add 10.99.0.1 dev l0m0b");
        assertThat(lines.get("b")).contains("route add 10.99.0.1 src 10.99.0.2 nexthop dev l1m0b nexthop dev l1m1b");
    }

    @Test
    void aDeviceDoesToPacketsWhatTheLinkDoesInItsDirection() {
        Map<String, List<String>> lines = commands.disciplines();
        assertThat(lines.get("a"))
                .containsExactly("qdisc add dev l0m0a root handle 1: netem limit 10000000 delay 1500us");
        // The queue is of its own, below: what is on its way is not in it. Rates are of IP packets.
        assertThat(lines.get("r"))
                .containsExactly(
                        "qdisc add dev l0m0b root handle 1: netem limit 10000000 delay 1500us",
                        "qdisc add dev l1m0a root handle 1: netem limit 10000000 delay 2000.25us 500us rate 100gbit",
                        "qdisc add dev l1m0a parent 1:1 handle 2: netem limit 20 rate 12000000bit -14",
                        "qdisc add dev l1m1a root handle 1: netem limit 10000000 loss random 0.5%");
        assertThat(lines.get("b"))
                .containsExactly(
                        "qdisc add dev l1m0b root handle 2: netem limit 7 rate 8000000bit -14",
                        "qdisc add dev l1m1b root handle 1: netem limit 10000000 loss random 0.5%");
    }

    @Test
    void whatNetemCannotDoIsSaid() {
        Direction bursts = new Direction(0, 0, 0, Queue.DEFAULT, new Loss(0.1, 3));
        Direction bytes = new Direction(1e6, 0, 0, new Queue(64_000, true), Loss.NONE);
        assertThat(NetemCommands.refusal(topology(new Link("l", "a", "b", List.of(NEAR), List.of(bursts)))))
                .contains("losses of 3 in a row on link 'l'");
        assertThat(NetemCommands.refusal(topology(new Link("l", "a", "b", List.of(bytes), List.of(NEAR)))))
                .contains("a queue of 64000 bytes on link 'l'");
        assertThat(NetemCommands.refusal(
                        topology(new Link("l", "a", "b", List.of(NEAR), List.of(NEAR), OptionalLong.of(1)))))
                .contains("a hash-seed on link 'l'");
        assertThat(NetemCommands.refusal(topology(new Link("l", "a", "b", List.of(THERE), List.of(BACK)))))
                .isEmpty();
    }
}
