package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How far forecasts are off next to traffic of four shapes, and what probes cost traffic. The figures are those of the page on the service. */
@Tag("alone")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class NwsShapesIT {

    private static final String Y = "10.99.0.102";
    private static final int PORT = 9000;
    private static final int PACKET_BYTES = 1000;
    private static final int ROUNDS = 60;
    /** Of a program of traffic: its end is waited for no longer than a minute. */
    private static final int PIECE_SECONDS = 20;

    private static final int SPAN_SECONDS = 20;
    private static final int TRIALS = 3;

    @TempDir
    Path work;

    private static void passSeconds(double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** Traffic from x to y while forecasts are made. */
    private interface Traffic {
        void run(WeatherNetwork weather, double seconds) throws Exception;
    }

    /** Sends at a rate, in packets of a thousand bytes. */
    private static void send(WeatherNetwork weather, double megabits, double seconds) throws Exception {
        int rate = (int) (megabits * 1e6 / 8 / PACKET_BYTES);
        weather.wire("x", "send", Y, PORT, 1, (int) (rate * seconds), PACKET_BYTES, rate)
                .printed();
    }

    private static void bulk(WeatherNetwork weather) throws Exception {
        EmulatedNetwork.Wire sink = weather.readyWire("y", "sink", PORT, 1, 0, PIECE_SECONDS * 1000);
        EmulatedNetwork.Wire flow = weather.wire("x", "flow", Y, PORT, 1);
        sink.printed();
        flow.end();
    }

    private static void onAndOff(WeatherNetwork weather) throws Exception {
        send(weather, 16, PIECE_SECONDS / 2.0);
        passSeconds(PIECE_SECONDS / 2.0);
    }

    private interface Piece {
        void run(WeatherNetwork weather) throws Exception;
    }

    private static Traffic inPieces(Piece piece) {
        return (weather, seconds) -> {
            for (int at = 0; at < seconds; at += PIECE_SECONDS) {
                piece.run(weather);
            }
        };
    }

    @Test
    void forecastsOfPathsNextToTrafficOfFourShapes() throws Exception {
        shape("none", (weather, seconds) -> passSeconds(seconds));
        shape("steady", inPieces(weather -> send(weather, 10, PIECE_SECONDS)));
        shape("on and off", inPieces(NwsShapesIT::onAndOff));
        shape("a TCP flow", inPieces(NwsShapesIT::bulk));
    }

    private void shape(String name, Traffic traffic) throws Exception {
        try (WeatherNetwork weather =
                new WeatherNetwork(Files.createDirectory(work.resolve(name.replace(' ', '-'))), "20Mbit/s")) {
            String from = WeatherNetwork.address(1);
            String to = WeatherNetwork.address(8);
            weather.ask("clique", "two", "--members", from + "," + to, "--period", "1s");
            traffic.run(weather, ROUNDS);
            StringBuilder row = new StringBuilder("shape | " + name);
            for (String resource : List.of("bandwidthTcp", "latencyTcp")) {
                String text = String.join(
                        "\n",
                        weather.ask(
                                "extract",
                                resource,
                                "--from",
                                from,
                                "--to",
                                to,
                                "--name-server",
                                WeatherNetwork.BASE,
                                "--json"));
                JsonNode values = new JsonMapper().readTree(text).get("values");
                assertThat(values.size()).isGreaterThan(ROUNDS / 2);
                JsonNode last = values.get(values.size() - 1);
                List<Double> all = new ArrayList<>();
                values.forEach(each -> all.add(each.get("value").asDouble()));
                double mean = all.stream().mapToDouble(each -> each).average().orElseThrow();
                double lastValue = 0;
                for (int i = 1; i < all.size(); i++) {
                    lastValue += Math.abs(all.get(i) - all.get(i - 1)) / (all.size() - 1);
                }
                double mae = last.get("mae").asDouble();
                row.append(String.format(
                        Locale.ROOT,
                        " | %s mean %.3g, MAE %.3g (%.0f %%), RMSE %.3g, last value's MAE %.3g, %d values",
                        resource,
                        mean,
                        mae,
                        100 * mae / mean,
                        last.get("rmse").asDouble(),
                        lastValue,
                        all.size()));
                assertThat(mae)
                        .as("%s of %s, against the last value", resource, name)
                        .isLessThan(1.15 * lastValue);
            }
            System.out.println(row);
        }
    }

    private static double goodputMegabits(WeatherNetwork weather) throws Exception {
        EmulatedNetwork.Wire sink = weather.readyWire("y", "sink", PORT, 1, 3000, SPAN_SECONDS * 1000);
        EmulatedNetwork.Wire flow = weather.wire("x", "flow", Y, PORT, 1);
        double bits = Double.parseDouble(sink.printed().get(0));
        flow.end();
        return bits / 1e6;
    }

    private static double median(List<Double> of) {
        return DoubleStream.of(of.stream().mapToDouble(each -> each).sorted().toArray())
                .skip(of.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatProbesCostAFlow() throws Exception {
        List<Double> alone = new ArrayList<>();
        List<Double> probed = new ArrayList<>();
        List<Double> shared = new ArrayList<>();
        try (WeatherNetwork weather = new WeatherNetwork(work, "20Mbit/s")) {
            for (int i = 0; i < TRIALS; i++) {
                alone.add(goodputMegabits(weather));
                weather.clique("all", "15s");
                int before = weather.probes().size();
                probed.add(goodputMegabits(weather));
                assertThat(weather.probes().size() - before).isGreaterThan(30);
                weather.ask("stop", "all", "--name-server", WeatherNetwork.BASE);
                EmulatedNetwork.Wire sink = weather.readyWire("y", "sink", PORT + 1, 1, 0, (SPAN_SECONDS + 5) * 1000);
                EmulatedNetwork.Wire greedy = weather.wire("x", "flow", Y, PORT + 1, 1);
                shared.add(goodputMegabits(weather));
                sink.printed();
                greedy.end();
            }
        }
        double cost = 100 * (1 - median(probed) / median(alone));
        double greedyCost = 100 * (1 - median(shared) / median(alone));
        System.out.printf(
                Locale.ROOT,
                "shape of a flow: alone %s, next to a clique of eight %s: %.1f %% less; next to one greedy flow %s: %.1f %% less Mbit/s%n",
                alone,
                probed,
                cost,
                shared,
                greedyCost);
        assertThat(cost).isBetween(-5.0, 25.0);
        assertThat(greedyCost).isGreaterThan(2 * cost);
    }
}
