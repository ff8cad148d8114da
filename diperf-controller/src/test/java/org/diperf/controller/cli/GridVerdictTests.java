package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GridVerdictTests {

    @TempDir
    Path folder;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Path trials(String more) throws IOException {
        return Files.writeString(
                folder.resolve("trials.yml"), """
                name: trials
                target: http://127.0.0.1:%d/
                testbed: { kind: in-process }
                load: { clients: 1, run-for: 300ms, think: 10ms }
                trials: { count: 2 }
                %s
                """.formatted(server.getAddress().getPort(), more));
    }

    @Test
    void aVerdictThatCannotBeWrittenKeepsNoTableBackAndIsWrittenWithoutMeasuringAgain() throws Exception {
        Path file = trials("");
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
        assertThat(outcome.out()).contains("to create one: diperf report " + out);
        assertThat(outcome.err())
                .contains("Nothing was lost", "diperf report " + out + " --junit " + below + " --strict")
                .doesNotContain("give the same command again");
    }

    @Test
    void aThresholdThatFailsIsToldInTheLineOfItsRun() throws Exception {
        Path file = trials("thresholds: [ failed > 50%, failed < 1% ]");

        Outcome outcome = Outcome.of(
                "run", file.toString(), "--out", folder.resolve("out").toString(), "--no-report", "--no-progress");

        assertThat(outcome.code()).isEqualTo(99);
        assertThat(outcome.out().lines().filter(line -> line.contains(" done · ")))
                .hasSize(2)
                .allMatch(line -> line.endsWith(" · ✗ failed > 50%: 0%"))
                .noneMatch(line -> line.contains("failed < 1%"));
    }
}
