package org.diperf.controller.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.diperf.core.ports.FreePorts;

/**
 * Ten topologies, each carried by tun and by netem, and what the same programs see of them. Prints a line for each number, with both
 * values and how far apart they may be; ends with an error where they do not agree.
 */
final class EngineAgreement {

    /** Printed at the end where all agree. */
    static final String AGREED = "the engines agree";

    private static final List<String> ENGINES = List.of("tun", "netem");
    private static final String SERVER = "10.99.0.1";
    private static final int ECHOES = 200;
    private static final int ECHO_GAP_MICROS = 10_000;
    private static final int QUIET_MILLIS = 1_000;
    /** Of both engines: nobody computes in virtual time, but looks at the clock take some. */
    private static final double ECHO_NANOS = 5e3;

    private static final double RATE = 0.01;
    /** Standard deviations of the difference of two random numbers. */
    private static final double SIGMAS = 4;

    private static final int LOSS_PACKETS = 20_000;
    private static final double LOSS = 0.02;
    private static final int FLOWS = 400;
    private static final int LINKS = 4;
    private static final double JITTER_NANOS = 2e6;

    /**
     * A number that programs saw.
     *
     * @param apart how far apart those of two engines may be
     */
    private record Seen(String what, double value, double apart) {}

    private interface Look {
        List<Seen> at(EmulatedNetwork network) throws Exception;
    }

    /** One topology: a client, a server, and links between them. */
    private record Case(String name, List<Map<String, Object>> links, Look look) {}

    private final Path work;

    private EngineAgreement(Path work) {
        this.work = work;
    }

    private static Map<String, Object> link(Object... keys) {
        Map<String, Object> link = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i += 2) {
            link.put((String) keys[i], keys[i + 1]);
        }
        return link;
    }

    private List<Case> cases() {
        return List.of(
                new Case("a round trip", List.of(link("latency", "5ms")), EngineAgreement::echoes),
                new Case(
                        "two links in a row",
                        List.of(link("rate", "1Mbit/s", "latency", "3ms"), link("rate", "2Mbit/s", "latency", "4ms")),
                        EngineAgreement::echoes),
                new Case(
                        "another way back",
                        List.of(link(
                                "rate",
                                "1Mbit/s",
                                "latency",
                                "5ms",
                                "back",
                                Map.of("rate", "300kbit/s", "latency", "20ms"))),
                        EngineAgreement::echoes),
                new Case("jitter", List.of(link("latency", "10ms", "jitter", "2ms")), EngineAgreement::spread),
                new Case("a rate", List.of(link("rate", "10Mbit/s", "queue", 100_000L)), EngineAgreement::rate),
                new Case(
                        "one flow over a long link",
                        List.of(link("rate", "200Mbit/s", "latency", "15ms", "queue", 10_000L)),
                        network -> goodput(network, 1)),
                new Case(
                        "four flows whose queue is full",
                        List.of(link("rate", "50Mbit/s", "latency", "10ms", "queue", 100L)),
                        network -> goodput(network, 4)),
                new Case("a full queue", List.of(link("rate", "100kbit/s", "queue", 20L)), EngineAgreement::overflow),
                new Case("losses", List.of(link("loss", LOSS * 100 + "%")), EngineAgreement::losses),
                new Case(
                        "parallel links, one of which loses all",
                        List.of(link("parallel", (long) LINKS, "loss", Map.of("rate", "99.9999%", "on", List.of(0L)))),
                        EngineAgreement::flows));
    }

    private static Map<String, Object> topology(Case each) {
        List<Object> links = new ArrayList<>();
        List<String> routers = new ArrayList<>();
        String from = "client";
        for (int i = 0; i < each.links.size(); i++) {
            boolean isLast = i == each.links.size() - 1;
            String to = isLast ? "server" : "r" + i;
            if (!isLast) {
                routers.add(to);
            }
            Map<String, Object> link = new LinkedHashMap<>(each.links.get(i));
            link.put("between", List.of(from, to));
            links.add(link);
            from = to;
        }
        Map<String, Object> keys = new HashMap<>();
        keys.put("hosts", Map.of("server", Map.of("address", SERVER), "client", Map.of()));
        if (!routers.isEmpty()) {
            keys.put("routers", routers);
        }
        keys.put("links", links);
        return keys;
    }

    private static double[] roundTrips(EmulatedNetwork network) throws Exception {
        return network.start("client", "echo", SERVER, ECHOES, ECHO_GAP_MICROS).printed().stream()
                .mapToDouble(Double::parseDouble)
                .sorted()
                .toArray();
    }

    private static List<Seen> echoes(EmulatedNetwork network) throws Exception {
        double[] nanos = roundTrips(network);
        return List.of(
                new Seen("echoes", nanos.length, 0),
                new Seen("shortest round trip, ns", nanos[0], ECHO_NANOS),
                new Seen("p50 of round trips, ns", nanos[nanos.length / 2], ECHO_NANOS));
    }

    /** Each way is off by a number that is uniform from -2 to 2 ms; of their sum a quantile has a known deviation. */
    private static List<Seen> spread(EmulatedNetwork network) throws Exception {
        double[] nanos = roundTrips(network);
        double mean = Arrays.stream(nanos).average().orElseThrow();
        double deviation = JITTER_NANOS * Math.sqrt(2.0 / 3) / Math.sqrt(ECHOES) * Math.sqrt(2);
        // The density of the sum at its middle is 1 / (2 * 2 ms).
        double ofMedian = 0.5 * 2 * JITTER_NANOS / Math.sqrt(ECHOES) * Math.sqrt(2);
        return List.of(
                new Seen("echoes", nanos.length, 0),
                new Seen("mean of round trips, ns", mean, SIGMAS * deviation),
                new Seen("p50 of round trips, ns", nanos[nanos.length / 2], SIGMAS * ofMedian));
    }

    private static List<String[]> heard(EmulatedNetwork network, Object... words) throws Exception {
        int port = FreePorts.take();
        EmulatedNetwork.Wire listener = network.startReady("server", "listen", port, QUIET_MILLIS);
        List<Object> all = new ArrayList<>(List.of("send", SERVER, port));
        all.addAll(List.of(words));
        network.start("client", all.toArray()).printed();
        return listener.printed().stream().map(line -> line.split(" ")).toList();
    }

    private static List<Seen> rate(EmulatedNetwork network) throws Exception {
        List<String[]> heard = heard(network, 1, 2_500, 1_000, 1_900);
        long first = Long.parseLong(heard.get(heard.size() / 4)[2]);
        long last = Long.parseLong(heard.get(heard.size() - 1)[2]);
        double rate = (heard.size() - 1 - heard.size() / 4) * 8e12 / (last - first);
        return List.of(new Seen("packets", heard.size(), 0), new Seen("bit/s", rate, RATE * rate));
    }

    private static List<Seen> goodput(EmulatedNetwork network, int flows) throws Exception {
        int port = FreePorts.take();
        EmulatedNetwork.Wire sink = network.startReady("server", "sink", port, flows, 2_000, 3_000);
        EmulatedNetwork.Wire source = network.start("client", "flow", SERVER, port, flows);
        double bits = Double.parseDouble(sink.printed().get(0));
        source.end();
        return List.of(new Seen("bit/s of payload", bits, RATE * bits));
    }

    private static List<Seen> overflow(EmulatedNetwork network) throws Exception {
        List<Seen> seen = new ArrayList<>();
        List<String[]> heard = heard(network, 1, 60, 1_000, 0);
        seen.add(new Seen("packets", heard.size(), 0));
        for (int i = 0; i < heard.size(); i++) {
            seen.add(new Seen("number of packet " + i, Long.parseLong(heard.get(i)[1]), 0));
        }
        return seen;
    }

    private static List<Seen> losses(EmulatedNetwork network) throws Exception {
        double deviation = Math.sqrt(2 * LOSS_PACKETS * LOSS * (1 - LOSS));
        return List.of(
                new Seen("packets", heard(network, 1, LOSS_PACKETS, 100, 10_000).size(), SIGMAS * deviation));
    }

    private static List<Seen> flows(EmulatedNetwork network) throws Exception {
        TreeSet<String> ports = new TreeSet<>();
        List<String[]> heard = heard(network, FLOWS, 5 * FLOWS, 100, 10_000);
        heard.forEach(each -> ports.add(each[0]));
        double share = 1.0 / LINKS;
        return List.of(
                new Seen("packets of a flow", (double) heard.size() / ports.size(), 0),
                new Seen("flows", ports.size(), SIGMAS * Math.sqrt(2 * FLOWS * share * (1 - share))));
    }

    private List<Seen> seen(Case each, String engine) throws Exception {
        Path folder = Files.createTempDirectory(work, engine);
        try (EmulatedNetwork network = new EmulatedNetwork(folder, engine, topology(each))) {
            return each.look.at(network);
        }
    }

    private boolean agree(Case each) throws Exception {
        List<Seen> tun = seen(each, ENGINES.get(0));
        List<Seen> netem = seen(each, ENGINES.get(1));
        boolean all = tun.size() == netem.size();
        for (int i = 0; i < Math.min(tun.size(), netem.size()); i++) {
            Seen one = tun.get(i);
            Seen other = netem.get(i);
            boolean agrees = Math.abs(one.value - other.value) <= Math.max(one.apart, other.apart);
            all &= agrees;
            System.out.printf(
                    Locale.ROOT,
                    "%s, %s: tun %.1f, netem %.1f, at most %.1f apart%s%n",
                    each.name,
                    one.what,
                    one.value,
                    other.value,
                    Math.max(one.apart, other.apart),
                    agrees ? "" : ": NOT");
        }
        return all;
    }

    /** Runs in virtual time. Arguments: the numbers of some cases, from 0; none: all. */
    public static void main(String[] arguments) throws Exception {
        EngineAgreement suite = new EngineAgreement(Files.createTempDirectory("agreement"));
        List<Case> cases = suite.cases();
        boolean all = true;
        for (int i = 0; i < cases.size(); i++) {
            if (arguments.length == 0 || List.of(arguments).contains(Integer.toString(i))) {
                all &= suite.agree(cases.get(i));
            }
        }
        if (!all) {
            throw new IllegalStateException("The engines do not agree");
        }
        System.out.println(AGREED);
    }
}
