package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.core.contract.ParameterContract;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.plugins.emulated.topology.Address;
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

/** What is made of the keys of a testbed; where in a file bad ones stand is looked at with the controller. */
@Timeout(60)
class TopologyReaderTests {

    private static final long SEED = 9;

    private static NetworkDeclaration read(Map<String, Object> keys) {
        return TopologyReader.read(Parameters.read(Keys.ALL, keys, SEED), SEED);
    }

    private static Map<String, Object> keys(Object hosts, Object links) {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("hosts", hosts);
        keys.put("links", links);
        return keys;
    }

    private static final Map<String, Object> TWO = Map.of("a", Map.of(), "b", Map.of());

    @Test
    void theKeysKeepToTheContract() {
        ParameterContract.check(Keys.ALL);
    }

    @Test
    void anEngineThatCannotCarryANetworkIsRefused() {
        Map<String, Object> keys =
                keys(TWO, List.of(Map.of("between", List.of("a", "b"), "rate", "1Mbit/s", "queue", "64KiB")));
        assertThat(read(keys).engine()).isEqualTo("auto");
        keys.put("engine", "netem");
        assertThatThrownBy(() -> read(keys))
                .isInstanceOf(Unusable.class)
                .hasMessage(
                        "netem limits queues in packets; got a queue of 65536 bytes on link 'a-b'; use the engine tun");
    }

    @Test
    void whatOnlyOneEngineCanIsRefusedWithAnother() {
        Map<String, Object> keys = keys(TWO, List.of(Map.of("between", List.of("a", "b"))));
        keys.put("engine", "netem");
        keys.put("events", List.of(Map.of("at", "1s", "link", "a-b", "down", true)));
        assertThatThrownBy(() -> read(keys))
                .isInstanceOf(Unusable.class)
                .hasMessage("netem cannot change links while the load runs (testbed.events); use the engine tun");
        keys.remove("events");
        keys.put("control", "in-band");
        keys.put("place", Map.of("testers", "a", "controller", "b"));
        assertThatThrownBy(() -> read(keys))
                .isInstanceOf(Unusable.class)
                .hasMessage("netem cannot have the controller as a host (control: in-band); use the engine tun");
        keys.put("engine", "tun");
        assertThat(read(keys).controller()).isEqualTo("b");
    }

    @Test
    void unlessTheFileSaysOtherwiseTheKernelCarriesWhatItCanWhereItCan() {
        Map<String, Object> keys = keys(TWO, List.of(Map.of("between", List.of("a", "b"))));
        assertThat(Engines.whyNotNetem(read(keys), true)).isEmpty();
        assertThat(Engines.whyNotNetem(read(keys), false)).contains("on this machine");
        keys.put("engine", "tun");
        assertThat(Engines.whyNotNetem(read(keys), true)).contains("the file specifies tun");
        keys.remove("engine");
        keys.put("events", List.of(Map.of("at", "1s", "link", "a-b", "down", true)));
        assertThat(Engines.whyNotNetem(read(keys), true)).contains("testbed.events");
    }

    @Test
    void inVirtualTimeTheKernelCarriesWhatItCan() throws Exception {
        Map<String, Object> keys = keys(TWO, List.of(Map.of("between", List.of("a", "b"))));
        keys.put("engine", "virtual");
        assertThat(Engines.carrier(read(keys))).isEqualTo("netem");
        keys.put("events", List.of(Map.of("at", "1s", "link", "a-b", "down", true)));
        assertThat(Engines.carrier(read(keys))).isEqualTo("tun");
        keys.remove("events");
        keys.put("engine", "virtual-tun");
        assertThat(Engines.carrier(read(keys))).isEqualTo("tun");
    }

    @Test
    void theInformationServiceIsOnAHost() {
        Map<String, Object> keys = keys(TWO, List.of(Map.of("between", List.of("a", "b"))));
        keys.put("information", Map.of("on", "b"));
        assertThat(read(keys).information()).isEqualTo(new DirectoryAddress("b", 2135));
        assertThat(TopologyText.of(read(keys)))
                .contains("information service at ldap://b:2135/Mds-Vo-name=local,o=grid");
        keys.put("information", Map.of("on", "c"));
        assertThatThrownBy(() -> read(keys)).isInstanceOf(Unusable.class).hasMessageContaining("got 'c'");
        keys.put("information", Map.of("on", "b", "port", 70_000L));
        assertThatThrownBy(() -> read(keys))
                .hasMessageContaining("expected a whole number from 1 to 65535, got '70000'");
        keys.put("information", Map.of("port", 2L));
        assertThatThrownBy(() -> read(keys)).hasMessageContaining("host of the information service");
        keys.put("information", Map.of("on", "b", "to", "b"));
        assertThatThrownBy(() -> read(keys)).hasMessageContaining("expected one of [on, port], got 'to'");
    }

    @Test
    void aCountMakesHostsAndALinkToEachOfThem() {
        Map<String, Object> hosts = new LinkedHashMap<>();
        hosts.put("user", Map.of("count", 2L, "site", "wan"));
        hosts.put("server", Map.of("address", "10.99.0.2"));
        Map<String, Object> keys = keys(
                hosts,
                List.of(
                        Map.of("between", List.of("user", "r"), "rate", "1Gbit/s", "latency", "3ms", "queue", 2_000L),
                        Map.of("name", "bone", "between", List.of("r", "server"), "jitter", "1ms", "latency", "9ms")));
        keys.put("routers", List.of("r"));
        keys.put("place", Map.of("service", "server", "testers", "user"));
        NetworkDeclaration declared = read(keys);
        assertThat(declared.topology().hosts())
                .containsExactly(
                        new EmulatedHost("user-1", "wan", Address.parse("10.99.0.1")),
                        new EmulatedHost("user-2", "wan", Address.parse("10.99.0.3")),
                        new EmulatedHost("server", "", Address.parse("10.99.0.2")));
        Direction near = new Direction(1e9, 3_000_000, 0, new Queue(2_000, false), Loss.NONE);
        Direction far = new Direction(0, 9_000_000, 1_000_000, Queue.DEFAULT, Loss.NONE);
        assertThat(declared.topology().links())
                .containsExactly(
                        new Link("user-1-r", "user-1", "r", List.of(near), List.of(near)),
                        new Link("user-2-r", "user-2", "r", List.of(near), List.of(near)),
                        new Link("bone", "r", "server", List.of(far), List.of(far)));
        assertThat(declared.testers()).containsExactly("user-1", "user-2");
        assertThat(declared.service()).isEqualTo("server");
        assertThat(declared.topology().seed()).isEqualTo(SEED);
        assertThat(TopologyText.of(declared))
                .containsExactly(
                        "hosts user-1 to user-2, 10.99.0.1 to 10.99.0.3, site wan, for testers",
                        "host server, 10.99.0.2, for the service",
                        "routers r",
                        "link each user – r, 1Gbit/s, 3ms, queue 2000 packets",
                        "link bone: r – server, any rate, 9ms ± 1ms, queue 1000 packets",
                        "way from each user to server: 2 links, round trip 24ms, 1Gbit/s there, 1Gbit/s back");
    }

    @Test
    void theWayBackDiffersInWhatIsSaidOfIt() {
        Link link = read(keys(
                        TWO,
                        List.of(Map.of(
                                "between",
                                List.of("a", "b"),
                                "rate",
                                "8Mbit/s",
                                "latency",
                                "10ms",
                                "queue",
                                "64KiB",
                                "back",
                                Map.of("rate", "1Mbit/s", "loss", "2%")))))
                .topology()
                .links()
                .get(0);
        Queue queue = new Queue(64 << 10, true);
        assertThat(link.there()).containsExactly(new Direction(8e6, 10_000_000, 0, queue, Loss.NONE));
        assertThat(link.back()).containsExactly(new Direction(1e6, 10_000_000, 0, queue, new Loss(0.02, 1)));
    }

    @Test
    void noLinkHasTheNameOfOneOfParallelLinks() {
        List<Object> links = new ArrayList<>(List.of(
                Map.of("name", "bone", "between", List.of("a", "b"), "parallel", 2L),
                Map.of("name", "bone.0", "between", List.of("a", "b"))));
        String wanted = "expected unique link names, got a second 'bone.0'; name the links, or use 'parallel' for "
                + "several links between the same nodes, which are then named NAME.0, NAME.1 and so on";
        assertThatThrownBy(() -> read(keys(TWO, links)))
                .isInstanceOf(Unusable.class)
                .hasMessage(wanted);
        Collections.reverse(links);
        assertThatThrownBy(() -> read(keys(TWO, links)))
                .isInstanceOf(Unusable.class)
                .hasMessage(wanted);
        links.set(0, Map.of("name", "bone.2", "between", List.of("a", "b")));
        assertThat(read(keys(TWO, links)).topology().pipes().stream().map(Topology.Pipe::name))
                .hasSize(6)
                .doesNotHaveDuplicates();
    }

    @Test
    void lossesMayBeOnSomeOfParallelLinks() {
        Link link = read(keys(
                        TWO,
                        List.of(Map.of(
                                "between",
                                List.of("a", "b"),
                                "parallel",
                                3L,
                                "choose",
                                "flow-hash",
                                "hash-seed",
                                17L,
                                "loss",
                                Map.of("rate", 0.005, "burst", 5L, "on", List.of(0L, 2L))))))
                .topology()
                .links()
                .get(0);
        assertThat(link.there())
                .extracting(Direction::loss)
                .containsExactly(new Loss(0.005, 5), Loss.NONE, new Loss(0.005, 5));
        assertThat(link.hashSeed()).hasValue(17);
    }

    private static List<Change> changes(Map<String, Object> link, Map<?, ?>... events) {
        Map<String, Object> between = new LinkedHashMap<>(link);
        between.put("name", "bone");
        between.put("between", List.of("a", "b"));
        Map<String, Object> keys = keys(TWO, List.of(between));
        keys.put("events", List.of(events));
        return read(keys).changes();
    }

    @Test
    void aChangeHoldsForBothWaysButForWhatDiffersOnTheWayBackUntilTheNextOne() {
        Map<String, Object> slower = new LinkedHashMap<>();
        slower.put("at", "40s");
        slower.put("link", "bone");
        slower.put("rate", "10Mbit/s");
        slower.put("back", Map.of("latency", "50ms"));
        List<Change> changes = changes(
                Map.of("rate", "1Gbit/s", "latency", "9ms", "back", Map.of("rate", "2Gbit/s")),
                slower,
                Map.of("at", "20s", "link", "bone", "down", true),
                Map.of("at", "30s", "link", "bone", "down", false),
                Map.of("at", "50s", "link", "bone", "back", Map.of("down", true)));
        assertThat(changes)
                .extracting(Change::text)
                .containsExactly(
                        "link bone: down",
                        "link bone: up",
                        "link bone: rate 10Mbit/s; back latency 50ms",
                        "link bone: back down");
        assertThat(changes)
                .extracting(Change::afterNanos)
                .containsExactly(20_000_000_000L, 30_000_000_000L, 40_000_000_000L, 50_000_000_000L);
        ShortestPaths.Step there = new ShortestPaths.Step(0, false);
        ShortestPaths.Step back = new ShortestPaths.Step(0, true);
        Direction first = new Direction(1e9, 9_000_000, 0, Queue.DEFAULT, Loss.NONE);
        Direction firstBack = new Direction(2e9, 9_000_000, 0, Queue.DEFAULT, Loss.NONE);
        Direction then = new Direction(1e7, 9_000_000, 0, Queue.DEFAULT, Loss.NONE);
        Direction thenBack = new Direction(1e7, 50_000_000, 0, Queue.DEFAULT, Loss.NONE);
        assertThat(changes)
                .extracting(Change::parts)
                .containsExactly(
                        List.of(
                                new Change.Part(there, true, List.of(first)),
                                new Change.Part(back, true, List.of(firstBack))),
                        List.of(
                                new Change.Part(there, false, List.of(first)),
                                new Change.Part(back, false, List.of(firstBack))),
                        List.of(
                                new Change.Part(there, false, List.of(then)),
                                new Change.Part(back, false, List.of(thenBack))),
                        List.of(new Change.Part(back, true, List.of(thenBack))));
    }

    @Test
    void theDocumentedKeysOfAnEventAreThoseThatItMayHave() throws IOException {
        List<String> documented = new ArrayList<>();
        boolean isInside = false;
        for (String line : Files.readAllLines(Path.of("../../docs/emulated.md"))) {
            isInside = line.startsWith("| key of an event |") || isInside && line.startsWith("|");
            if (isInside) {
                Pattern.compile("`([a-z-]+)`")
                        .matcher(line.split("\\|")[1])
                        .results()
                        .forEach(key -> documented.add(key.group(1)));
            }
        }
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(EventReader.ALL).map(Parameter::name).toList());
    }

    @Test
    void theLinksOfACountChangeTogetherOrEachByItsName() {
        Map<String, Object> hosts = new LinkedHashMap<>();
        hosts.put("user", Map.of("count", 2L));
        hosts.put("server", Map.of());
        Map<String, Object> keys = keys(
                hosts, List.of(Map.of("between", List.of("user", "r")), Map.of("between", List.of("r", "server"))));
        keys.put("routers", List.of("r"));
        keys.put(
                "events",
                List.of(
                        Map.of("at", "1s", "link", "user-r", "latency", "5ms"),
                        Map.of("at", "2s", "link", "user-2-r", "down", true)));
        List<Change> changes = read(keys).changes();
        assertThat(changes.get(0).parts())
                .extracting(part -> part.step().link())
                .containsExactly(0, 0, 1, 1);
        assertThat(changes.get(1).parts())
                .extracting(part -> part.step().link())
                .containsExactly(1, 1);
        assertThat(changes.get(1).parts().get(0).members().get(0).latencyNanos())
                .isEqualTo(5_000_000);
    }

    @Test
    void withoutAPlaceTestersRunOnAllHosts() {
        NetworkDeclaration declared = read(keys(TWO, List.of(Map.of("between", List.of("a", "b")))));
        assertThat(declared.testers()).containsExactlyInAnyOrder("a", "b");
        assertThat(declared.service()).isEmpty();
    }

    @Test
    void hostsThatReachAThirdNeedNotReachOneAnother() {
        Map<String, Object> hosts = new LinkedHashMap<>();
        hosts.put("middle", Map.of());
        hosts.put("end", Map.of("count", 2L));
        assertThatThrownBy(() -> read(keys(hosts, List.of(Map.of("between", List.of("end", "middle"))))))
                .hasMessageContaining("got none from 'end-1' to 'end-2'");
    }

    @Test
    void theServiceHasOneHost() {
        Map<String, Object> keys = keys(Map.of("a", Map.of("count", 2L), "b", Map.of()), List.of());
        keys.put("routers", List.of("r"));
        keys.put("links", List.of(Map.of("between", List.of("a", "r")), Map.of("between", List.of("b", "r"))));
        keys.put("place", Map.of("service", "a"));
        assertThatThrownBy(() -> read(keys))
                .isInstanceOfSatisfying(
                        Unusable.class, e -> assertThat(e.parameter()).isEqualTo("place.service"))
                .hasMessageContaining("expected one host");
    }
}
