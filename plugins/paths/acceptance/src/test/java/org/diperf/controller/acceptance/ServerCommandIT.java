package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A server that a client plugin brings, and a run with it, each as its page has them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerCommandIT {

    @TempDir
    Path folder;

    @Tag("quick")
    @ParameterizedTest
    @CsvSource({
        "iperf, '{ bytes: 2MB, parallel: 2 }', rate.remote",
        "iperf, '{ protocol: udp, time: 300ms, rate: 4Mbit/s, bidirectional: true }', back.packets",
        "stamp, '{ count: 20, interval: 1ms, wait: 10s }', bound",
        "nws, '{ size: 1MB }', bandwidth.forecast",
    })
    void aServerRunsUntilItIsStoppedAndARunMeasuresTheWayToIt(String plugin, String with, String metric)
            throws Exception {
        int port = FreePorts.take();
        try (Command server = Command.diperf(folder, "server", plugin, "--port", String.valueOf(port))) {
            server.awaitOutput(text -> text.contains(plugin + " server at " + plugin + "://127.0.0.1:" + port));
            Path file = folder.resolve("way.yml");
            Files.writeString(
                    file,
                    "name: way\ntarget: " + plugin + "://127.0.0.1:" + port + "\nclient: { with: " + with + " }\n"
                            + "testbed: { kind: in-process }\nload: { clients: 1, calls: 5, timeout: 20s }\n");
            try (Command run =
                    Command.diperf(folder, "run", "--no-report", "way.yml", "--out", "out", "--no-progress")) {
                assertThat(run.exitCode()).as(run.output()).isZero();
            }
            JsonNode summary = new RunFolder(folder.resolve("out")).summary();
            assertThat(summary.at("/calls/ok").asInt())
                    .as(summary.at("/calls").toString())
                    .isEqualTo(5);
            assertThat(summary.toString()).contains("\"" + metric + "\"");

            server.process().destroy();
            assertThat(server.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
