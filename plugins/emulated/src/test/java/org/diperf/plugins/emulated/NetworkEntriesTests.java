package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.plugins.emulated.limits.Limits;
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

/** What a directory says of a network, whose engine says what these tests write. */
@Timeout(60)
class NetworkEntriesTests {

    private static final long S = 1_000_000_000L;
    private static final Direction THERE = new Direction(8e6, 9_000_000, 0, new Queue(60, false), new Loss(0.005, 1));
    private static final Direction BACK = new Direction(0, 9_000_000, 1_000_000, Queue.DEFAULT, Loss.NONE);

    private final Topology topology = new Topology(
            1,
            List.of(new EmulatedHost("user", "wan", 0x0a630001), new EmulatedHost("server", "", 0x0a630002)),
            List.of("r"),
            List.of(
                    new Link("user-r", "user", "r", List.of(BACK), List.of(BACK)),
                    new Link("bone", "r", "server", List.of(THERE), List.of(BACK))));

    private final EngineMessages engine = new EngineMessages(4);
    private final LinkStates states = new LinkStates(topology);

    private NetworkEntries entries(Optional<CarrierStatistics> words) {
        NetworkDeclaration declared = new NetworkDeclaration(
                "tun",
                Routing.STATIC,
                topology,
                Map.of("user", List.of("user"), "server", List.of("server"), "r", List.of("r")),
                Map.of("server", new Limits(0.5, 512 << 20, 20_000_000)),
                List.of(),
                List.of("user"),
                "server",
                "",
                null);
        return new NetworkEntries(declared, states, words, () -> 0);
    }

    private static Entry entry(NetworkEntries entries, String first) {
        return entries.now().stream()
                .filter(entry -> entry.getDN().equals(first + "Mds-Vo-name=local,o=grid"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(first + " in " + entries.now()));
    }

    private static Entry link(NetworkEntries entries, String name) {
        return entry(entries, "Mds-Net-name=" + name + ",");
    }

    @Test
    void hostsRoutersAndLinksAreAsTheyAreDeclared() {
        NetworkEntries entries = entries(Optional.empty());
        assertThat(entries.now()).hasSize(2 + 2 + 1 + 4);
        Entry server = entry(entries, "Mds-Host-hn=server,");
        assertThat(server.getAttributeValue("Mds-Net-addr")).isEqualTo("10.99.0.2");
        assertThat(server.getAttributeValue("Mds-Cpu-Total-count")).isEqualTo("1");
        assertThat(server.getAttributeValue("Mds-Emulated-processors")).isEqualTo("0.5");
        assertThat(server.getAttributeValue("Mds-Memory-Ram-Total-sizeMB")).isEqualTo("512");
        assertThat(server.getAttributeValue("Mds-Emulated-disk-bytesPerSecond")).isEqualTo("20000000");
        assertThat(entry(entries, "Mds-Host-hn=user,").getAttributeValue("Mds-Emulated-site"))
                .isEqualTo("wan");
        assertThat(entry(entries, "Mds-Emulated-router-name=r,").hasObjectClass("MdsEmulatedRouter"))
                .isTrue();
        Entry bone = link(entries, "bone.there");
        assertThat(bone.getAttributeValue("Mds-Emulated-from")).isEqualTo("r");
        assertThat(bone.getAttributeValue("Mds-Emulated-to")).isEqualTo("server");
        assertThat(bone.getAttributeValue("Mds-Emulated-bitsPerSecond")).isEqualTo("8000000");
        assertThat(bone.getAttributeValue("Mds-Emulated-latencyMicros")).isEqualTo("9000");
        assertThat(bone.getAttributeValue("Mds-Emulated-lossRate")).isEqualTo("0.005");
        assertThat(bone.getAttributeValue("Mds-Emulated-queueLimit")).isEqualTo("60");
        assertThat(bone.getAttributeValue("Mds-Emulated-up")).isEqualTo("TRUE");
        assertThat(bone.getAttributeValue("Mds-validfrom")).isEqualTo("19700101000000Z");
        assertThat(bone.hasAttribute("Mds-Emulated-packets")).as("nobody says").isFalse();
        Entry back = link(entries, "bone.back");
        assertThat(back.getAttributeValue("Mds-Emulated-from")).isEqualTo("server");
        assertThat(back.hasAttribute("Mds-Emulated-bitsPerSecond")).isFalse();
        assertThat(back.getAttributeValue("Mds-Emulated-jitterMicros")).isEqualTo("1000");
    }

    @Test
    void stateIsOfTheTimeSinceTheSampleBefore() {
        NetworkEntries entries = entries(Optional.of(engine));
        engine.said("pipe 2 10 100000 200000000 1 2 3 4 5");
        engine.said("engine " + 5 * S + " 0 0 0 0 0 0 0 0 0");
        entries.sample();
        assertThat(link(entries, "bone.there").hasAttribute("Mds-Emulated-usePercent"))
                .isFalse();
        engine.said("pipe 2 30 600000 700000000 2 4 6 7 9");
        engine.said("engine " + 6 * S + " 0 0 0 0 0 0 0 0 0");
        entries.sample();
        Entry bone = link(entries, "bone.there");
        assertThat(bone.getAttributeValue("Mds-Emulated-usePercent")).isEqualTo("50");
        assertThat(bone.getAttributeValue("Mds-Emulated-sentBitsPerSecond")).isEqualTo("4000000");
        assertThat(bone.getAttributeValue("Mds-Emulated-packets")).isEqualTo("30");
        assertThat(bone.getAttributeValue("Mds-Emulated-lost")).as("and cut").isEqualTo("8");
        assertThat(bone.getAttributeValue("Mds-Emulated-overflowed")).isEqualTo("4");
        assertThat(bone.getAttributeValue("Mds-Emulated-queuedPackets")).isEqualTo("7");
        entries.sample();
        assertThat(link(entries, "bone.there").getAttributeValue("Mds-Emulated-usePercent"))
                .as("the engine has said nothing new")
                .isEqualTo("50");
    }

    @Test
    void aChangeIsSeenAtOnceAndOnlyWhereItIs() {
        NetworkEntries entries = entries(Optional.empty());
        states.listen(entries::changed);
        Direction slow = new Direction(1e6, 50_000_000, 0, Queue.DEFAULT, Loss.NONE);
        states.changed(new Change(
                0,
                "bone: down",
                List.of(
                        new Change.Part(new ShortestPaths.Step(1, false), true, List.of(slow)),
                        new Change.Part(new ShortestPaths.Step(0, true), false, List.of(slow)))));
        assertThat(link(entries, "bone.there").getAttributeValue("Mds-Emulated-up"))
                .isEqualTo("FALSE");
        assertThat(link(entries, "bone.there").getAttributeValue("Mds-Emulated-latencyMicros"))
                .isEqualTo("50000");
        assertThat(link(entries, "bone.back").getAttributeValue("Mds-Emulated-up"))
                .isEqualTo("TRUE");
        assertThat(link(entries, "user-r.back").getAttributeValue("Mds-Emulated-bitsPerSecond"))
                .isEqualTo("1000000");
        assertThat(link(entries, "user-r.there").hasAttribute("Mds-Emulated-bitsPerSecond"))
                .isFalse();
    }
}
