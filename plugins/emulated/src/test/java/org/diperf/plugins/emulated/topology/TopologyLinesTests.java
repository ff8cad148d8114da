package org.diperf.plugins.emulated.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topologies as lines, and texts of their parts. */
@Timeout(60)
class TopologyLinesTests {

    @Test
    void whatIsWrittenIsReadAgain() {
        Direction there = new Direction(1e9 / 3, 1, 0, new Queue(5, false), new Loss(0.005, 5));
        Direction back = new Direction(0, 10_000_000, 1_000, new Queue(64 << 10, true), Loss.NONE);
        Topology topology = new Topology(
                -7,
                List.of(
                        new EmulatedHost("a", "", Address.parse("10.99.0.1")),
                        new EmulatedHost(
                                "b-1", "wan", Address.parse("200.1.2.3"), OptionalInt.of(Address.parse("198.18.0.3")))),
                List.of("r", "s"),
                List.of(
                        new Link("one", "a", "r", List.of(there, back), List.of(back, back), OptionalLong.of(17)),
                        new Link("two", "r", "b-1", List.of(there), List.of(there))));
        assertThat(TopologyLines.read(TopologyLines.write(topology))).isEqualTo(topology);
    }

    @Test
    void anOrderToChangeLinksIsReadAgain() {
        Direction one = new Direction(1e9 / 3, 1, 0, new Queue(5, false), new Loss(0.005, 5));
        Direction other = new Direction(0, 10_000_000, 1_000, new Queue(64 << 10, true), Loss.NONE);
        Change change = new Change(
                20,
                "link one: down",
                List.of(
                        new Change.Part(new ShortestPaths.Step(3, false), true, List.of(one, other)),
                        new Change.Part(new ShortestPaths.Step(0, true), false, List.of(other))));
        Change.Order order = change.order(7, -1_000);
        assertThat(order.atNanos()).isEqualTo(-980);
        assertThat(Change.Order.parse(order.line())).isEqualTo(order);
        assertThatThrownBy(() -> Change.Order.parse("chance 1 2")).hasMessageContaining("'chance 1 2'");
    }

    @Test
    void otherLinesAreRefused() {
        assertThatThrownBy(() -> TopologyLines.read(List.of("hosts a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hosts a");
    }

    @Test
    void ratesAndAddressesAreParsedAndFormatted() {
        for (String rate : List.of("56kbit/s", "1.5Mbit/s", "100Mbit/s", "1Gbit/s", "300bit/s")) {
            assertThat(BitRate.format(BitRate.parse(rate))).isEqualTo(rate);
        }
        for (String rate : List.of("0Mbit/s", "-1Mbit/s", "100", "1MB/s", "1Gbit", "")) {
            assertThatThrownBy(() -> BitRate.parse(rate)).hasMessageContaining("'" + rate + "'");
        }
        assertThat(Address.format(Address.parse("198.18.0.255"))).isEqualTo("198.18.0.255");
        for (String address : List.of("10.99.0", "10.99.0.256", "10.99.0.01", "server")) {
            assertThatThrownBy(() -> Address.parse(address)).hasMessageContaining("'" + address + "'");
        }
    }
}
