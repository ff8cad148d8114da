package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GridVerdictTests {

    @TempDir
    Path folder;

    @Test
    void aVerdictThatCannotBeWrittenKeepsNoTableBackAndIsWrittenWithoutMeasuringAgain() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            Path file = Files.writeString(folder.resolve("trials.yml"), """
                    name: trials
                    target: http://127.0.0.1:%d/
                    testbed: { kind: in-process }
                    load: { clients: 1, run-for: 300ms, think: 10ms }
                    trials: { count: 2 }
                    """.formatted(
                            server.getAddress().getPort()));
            Path out = folder.resolve("out");
            Path below = file.resolve("verdict.xml");

            Outcome outcome = Outcome.of(
                    "run",
                    file.toString(),
                    "--out",
                    out.toString(),
                    "--no-report",
                    "--no-progress",
                    "--strict",
                    "--junit",
                    below.toString());

            assertThat(outcome.code()).isEqualTo(3);
            assertThat(outcome.out()).contains("this makes one: diperf report " + out);
            assertThat(outcome.err())
                    .contains("Nothing was lost", "diperf report " + out + " --junit " + below + " --strict")
                    .doesNotContain("give the same command again");
        } finally {
            server.stop(0);
        }
    }
}
