package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Paths whose truth is known, by what probes them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ProbedPathIT {

    /** Of each way. */
    private static final int DELAY_MILLIS = 50;

    private static final int BYTES = 10_000;

    @TempDir
    Path work;

    /** Ten kilobytes are on their way for 50 ms in either direction, whoever's clock sees them go. */
    @Test
    void aTransferBackTakesAsLongAsTheWayToo() throws Exception {
        Map<String, Object> topology = Map.of(
                "hosts",
                Map.of("here", Map.of(), "there", Map.of()),
                "links",
                List.of(Map.of("between", List.of("here", "there"), "latency", DELAY_MILLIS + "ms")));
        try (EmulatedNetwork network = new EmulatedNetwork(work, "tun", topology)) {
            EmulatedNetwork.Wire server =
                    network.start("there", words("server", "iperf", "--listen", "0.0.0.0", "--port", "5201"));
            SlurmCluster.await(
                    "the server", () -> String.join(" ", server.lines()).contains("iperf server at"));
            String there = address(network, "there");
            String said = String.join(
                    "\n",
                    network.start(
                                    "here",
                                    words(
                                            "probe",
                                            there + ":5201",
                                            "--iperf",
                                            "5201",
                                            "--bytes",
                                            String.valueOf(BYTES),
                                            "--rounds",
                                            "3",
                                            "--json"))
                            .printed());
            server.end();
            JsonNode measured = new JsonMapper().readTree(said).path("measured");
            for (String way : List.of("there", "back")) {
                double megabits = measured.path("bandwidth." + way).path("next").asDouble();
                assertThat(BYTES * 8e-3 / megabits)
                        .as("milliseconds of a transfer %s, of %s", way, said)
                        .isGreaterThanOrEqualTo(DELAY_MILLIS);
            }
        }
    }

    private static List<String> words(String... arguments) {
        return Command.plainCommandLine(Command.controllerJar(), arguments);
    }

    /** Returns a host's address in the network; it has another one towards the controller. */
    private static String address(EmulatedNetwork network, String host) throws Exception {
        String told = network.start(host, List.of("hostname", "-I")).printed().get(0);
        return Stream.of(told.strip().split(" "))
                .filter(each -> each.startsWith("10."))
                .findFirst()
                .orElseThrow(() -> new AssertionError(told));
    }

    /** A cable carries packets of 1,500 bytes, and the system would break larger ones. */
    @Test
    void theLargestPacketOfAPathOfVersionSixIsFound() throws Exception {
        String missing = Namespaces.missing(work);
        assumeTrue(missing.isEmpty(), missing);
        try (Namespaces machines = Namespaces.open(work, 1)) {
            machines.addSix();
            Path file = Files.writeString(work.resolve("way.yml"), """
                    target: "stamp://[%s]:8620"
                    client: { with: { count: 3, interval: 1ms, wait: 10s, mtu: true } }
                    testbed: { kind: in-process }
                    load: { clients: 1, calls: 2, timeout: 60s }
                    """.formatted(machines.six(1)));
            List<String> server = machines.on(1, words("server", "stamp", "--listen", "::", "--port", "8620"));
            try (Command reflector = Command.start(work, server)) {
                reflector.awaitOutput(output -> output.contains("stamp server at"));
                try (Command run =
                        Command.diperf(work, "run", file.toString(), "--out", "out", "--no-report", "--no-progress")) {
                    assertThat(run.exitCode()).as(run.output()).isZero();
                }
            }
            JsonNode mtu =
                    new RunFolder(work.resolve("out")).summary().path("metrics").path("mtu");
            assertThat(mtu.path("min").asInt()).isEqualTo(1500);
            assertThat(mtu.path("max").asInt()).isEqualTo(1500);
        }
    }
}
