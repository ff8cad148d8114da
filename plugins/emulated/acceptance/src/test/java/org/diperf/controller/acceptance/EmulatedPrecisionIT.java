package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertAll;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every engine of an emulated network makes of a topology, against arithmetic. On links whose packets are counted the
 * bounds are the same everywhere; of times and rates they are those of a machine with nothing else to do in the long check.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedPrecisionIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    /** Where nobody else's work takes time: the bounds are those of the long check. */
    private static final boolean EXACT = LONG || Boolean.getBoolean("diperf.virtual");

    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;

    private static final List<Integer> ROUND_TRIP_MILLIS = List.of(1, 10, 30, 100);
    private static final double MAX_LATE_NANOS = EXACT ? 100 * MICRO : 20 * MILLI;
    /** The kernel's netem knows latencies in steps of 64 ns; there are four of them in a round trip of two links. */
    private static final double MAX_EARLY_NANOS = 4 * 64;

    private static final int ECHOES = LONG ? 500 : 60;
    private static final int ECHO_GAP_MICROS = 10_000;
    /** IP and ICMP headers alone. */
    private static final int ECHO_BYTES = 28;

    private static final List<Integer> RATES_MBIT = List.of(1, 10, 100);
    private static final int PACKET_BYTES = 1_000;
    private static final int RATE_SECONDS = LONG ? 3 : 2;
    /** Of the declared rate; whoever waits for the processor does not fill a link. */
    private static final double MIN_RATE = EXACT ? 0.99 : 0.5;

    private static final double MAX_RATE = 1.01;

    private static final double MIN_GOODPUT = EXACT ? 0.95 : 0.05;
    private static final int OMIT_MILLIS = EXACT ? 3_000 : 1_000;
    private static final int SPAN_MILLIS = LONG ? 5_000 : 1_000;

    private static final int LOSS_PACKETS = LONG ? 100_000 : 20_000;
    private static final double LOSS = 0.02;
    private static final int BURST = 3;
    /** It loses packets one by one. */
    private static final String WITHOUT_BURSTS = "netem";

    private static final int LINKS = 4;
    private static final int FLOWS = 400;
    private static final int FLOW_PACKETS = 5;

    /** So few that a sender which has to wait for the processor still sends them all while the first one leaves. */
    private static final int ROOM = 5;

    private static final int QUIET_MILLIS = 1_000;
    /** Printed by {@link #main} at its end. */
    static final String PASSED = "passed";

    /** The first host of a topology. */
    private static final String SERVER = "10.99.0.1";

    @TempDir
    Path work;

    static Stream<String> engines() {
        return EmulatedNetwork.engines();
    }

    private final Map<String, Object> hosts = new LinkedHashMap<>(Map.of("server", Map.of()));
    private final List<Object> links = new ArrayList<>();

    private void link(String from, String to, Object... keys) {
        Map<String, Object> link = new LinkedHashMap<>(Map.of("between", List.of(from, to)));
        for (int i = 0; i < keys.length; i += 2) {
            link.put((String) keys[i], keys[i + 1]);
        }
        links.add(link);
    }

    /** Makes a host on whose way to the server there is a link with some keys. */
    private void host(String name, Object... keys) {
        hosts.put(name, Map.of());
        link(name, "hub", keys);
    }

    private Map<String, Object> topology(int burst) {
        ROUND_TRIP_MILLIS.forEach(millis -> host("far-" + millis, "latency", millis * 500 + "us"));
        RATES_MBIT.forEach(rate -> host("slow-" + rate, "rate", rate + "Mbit/s", "queue", 100_000L));
        host("wide", "rate", "1Gbit/s", "latency", "15ms", "queue", 10_000L);
        host("full", "rate", "20kbit/s", "queue", (long) ROOM);
        host("lossy", "loss", Map.of("rate", LOSS * 100 + "%", "burst", (long) burst));
        host("many", "parallel", (long) LINKS, "loss", Map.of("rate", "99.9999%", "on", List.of(0L)));
        hosts.put("two", Map.of());
        link("two", "r", "rate", "100kbit/s", "latency", "3ms");
        link("r", "hub", "rate", "200kbit/s", "latency", "4ms");
        link("hub", "server");
        return Map.of("hosts", hosts, "routers", List.of("r", "hub"), "links", links);
    }

    /** Runs it without a test engine around, where that would take long; the argument is what carries the packets. */
    public static void main(String[] arguments) throws Exception {
        EmulatedPrecisionIT suite = new EmulatedPrecisionIT();
        suite.work = Files.createTempDirectory("precision");
        suite.everythingIsAsTheTopologySays(arguments[0]);
        System.out.println(PASSED);
    }

    @ParameterizedTest
    @MethodSource("engines")
    @NeedsCalmMachine
    void everythingIsAsTheTopologySays(String engine) throws Exception {
        int burst = engine.equals(WITHOUT_BURSTS) ? 1 : BURST;
        try (EmulatedNetwork network = new EmulatedNetwork(work, engine, topology(burst))) {
            assertAll(
                    () -> roundTrips(network),
                    () -> rates(network),
                    () -> goodput(network, 1),
                    () -> goodput(network, 4),
                    () -> losses(network, burst),
                    () -> flows(network),
                    () -> overflow(network));
        }
    }

    /** All at once: they share nothing but the engine. */
    private void roundTrips(EmulatedNetwork network) throws Exception {
        Map<String, Double> wanted = new LinkedHashMap<>();
        ROUND_TRIP_MILLIS.forEach(millis -> wanted.put("far-" + millis, millis * MILLI));
        // Two links in a row add up: what a packet takes to be sent on each, and the distances.
        wanted.put("two", 2 * (ECHO_BYTES * 8 / 100e3 + ECHO_BYTES * 8 / 200e3) * 1e9 + 2 * (3 + 4) * MILLI);
        Map<String, EmulatedNetwork.Wire> running = new LinkedHashMap<>();
        for (String host : wanted.keySet()) {
            running.put(host, network.start(host, "echo", SERVER, ECHOES, ECHO_GAP_MICROS));
        }
        for (String host : wanted.keySet()) {
            long[] nanos = running.get(host).printed().stream()
                    .mapToLong(Long::parseLong)
                    .sorted()
                    .toArray();
            assertThat(nanos).as("round trips of " + host).hasSize(ECHOES);
            assertThat(nanos[0] - wanted.get(host))
                    .as("the shortest of " + host + ", nanoseconds too long")
                    .isGreaterThanOrEqualTo(-MAX_EARLY_NANOS);
            assertThat(nanos[ECHOES / 2] - wanted.get(host))
                    .as("p50 of " + host + ", nanoseconds too long")
                    .isLessThanOrEqualTo(MAX_LATE_NANOS);
        }
    }

    /** One packet of UDP that was heard. */
    private record Heard(int port, int number, long nanos) {}

    private static List<Heard> heard(EmulatedNetwork.Wire listener) throws Exception {
        return listener.printed().stream()
                .map(line -> line.split(" "))
                .map(word -> new Heard(Integer.parseInt(word[0]), Integer.parseInt(word[1]), Long.parseLong(word[2])))
                .toList();
    }

    private static List<Heard> heard(EmulatedNetwork network, String from, Object... words) throws Exception {
        int port = FreePorts.take();
        EmulatedNetwork.Wire listener = network.startReady("server", "listen", port, QUIET_MILLIS);
        List<Object> all = new ArrayList<>(List.of("send", SERVER, port));
        all.addAll(List.of(words));
        network.start(from, all.toArray()).printed();
        return heard(listener);
    }

    private void rates(EmulatedNetwork network) throws Exception {
        for (int rate : RATES_MBIT) {
            int packets = rate * 1_000_000 / 8 / PACKET_BYTES * RATE_SECONDS;
            double offered = 1.5 * packets / RATE_SECONDS;
            List<Heard> heard = heard(network, "slow-" + rate, 1, packets, PACKET_BYTES, offered);
            assertThat(heard).as("packets at " + rate + " Mbit/s").hasSize(packets);
            // The first ones make the queue from which the others come without a gap.
            int first = packets / 4;
            long nanos = heard.get(packets - 1).nanos - heard.get(first).nanos;
            assertThat((packets - 1 - first) * PACKET_BYTES * 8e3 / nanos)
                    .as("Mbit/s of a link of " + rate)
                    .isBetween(rate * MIN_RATE, rate * MAX_RATE);
        }
    }

    private void goodput(EmulatedNetwork network, int flows) throws Exception {
        int port = FreePorts.take();
        EmulatedNetwork.Wire sink = network.startReady("server", "sink", port, flows, OMIT_MILLIS, SPAN_MILLIS);
        EmulatedNetwork.Wire source = network.start("wide", "flow", SERVER, port, flows);
        double bits = Double.parseDouble(sink.printed().get(0));
        source.end();
        assertThat(bits / 1e9)
                .as("Gbit/s of payload, flows: " + flows)
                // All but the headers of packets of 1,500 bytes with time stamps.
                .isBetween(MIN_GOODPUT, 1_448 / 1_500.0 * 1.005);
    }

    private void losses(EmulatedNetwork network, int burst) throws Exception {
        List<Heard> heard = heard(network, "lossy", 1, LOSS_PACKETS, 100, 10_000);
        int expected = 0;
        int lost = 0;
        for (Heard each : heard) {
            int gap = each.number - expected;
            assertThat(gap % burst).as("packets lost in a row: " + gap).isZero();
            lost += gap;
            expected = each.number + 1;
        }
        // Bursts begin independently: so many of them, with the variance of a binomial number at most.
        double deviation = burst * Math.sqrt(LOSS_PACKETS * LOSS / burst);
        assertThat((double) lost).as("packets lost").isCloseTo(LOSS_PACKETS * LOSS, within(4 * deviation));
    }

    /** One of the parallel links loses everything: of the flows so many are gone, each of them as a whole. */
    private void flows(EmulatedNetwork network) throws Exception {
        Map<Integer, Integer> packets = new TreeMap<>();
        for (Heard each : heard(network, "many", FLOWS, FLOWS * FLOW_PACKETS, 100, 10_000)) {
            packets.merge(each.port, 1, Integer::sum);
        }
        assertThat(packets.values()).as("packets of a flow that is not lost").containsOnly(FLOW_PACKETS);
        double share = 1.0 / LINKS;
        assertThat((double) FLOWS - packets.size())
                .as("flows on one of the links")
                .isCloseTo(FLOWS * share, within(4 * Math.sqrt(FLOWS * share * (1 - share))));
    }

    /** Twice as many as there is room for, while the first is still being sent. */
    private void overflow(EmulatedNetwork network) throws Exception {
        List<Heard> heard = heard(network, "full", 1, 2 * ROOM, 1_000, 0);
        assertThat(heard)
                .extracting(Heard::number)
                .containsExactlyElementsOf(IntStream.range(0, ROOM).boxed().toList());
    }
}
