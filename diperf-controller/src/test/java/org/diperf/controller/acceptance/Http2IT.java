package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2 with servers that others wrote. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class Http2IT {

    @TempDir
    Path work;

    private RunFolder run(String target, String... settings) throws Exception {
        Path file = Files.writeString(work.resolve("h2.yml"), """
                name: h2
                target: %s
                client: { plugin: http, with: { version: 2, streams: 8 } }
                testbed: { kind: local, testers: 2 }
                load: { clients: 32, calls: 4000 }
                """.formatted(target));
        List<String> arguments = new ArrayList<>(List.of(
                "run", file.toString(), "--quiet", "--out", work.resolve("run").toString()));
        for (String setting : settings) {
            arguments.add("--set");
            arguments.add(setting);
        }
        try (Command command = Command.diperf(work, arguments.toArray(String[]::new))) {
            assertThat(command.exitCode()).as(command.output()).isZero();
        }
        return new RunFolder(work.resolve("run"));
    }

    @Tag("quick")
    @ParameterizedTest
    @CsvSource({"8, 32, 2", "1, 64, 1", "10, 640, 1"})
    void eachCallIsOneLineOfTheServersLogAlsoAcrossItsGoodbyes(int streams, int clients, int testers) throws Exception {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        boolean isLong = Boolean.getBoolean("diperf.long");
        assumeTrue(isLong || streams == 8, "a minute of the long check");
        RunFolder run;
        List<String> log;
        try (Nginx nginx = Nginx.startHttp2(work, isLong ? 1_000 : 200)) {
            run = run(
                    nginx.url("/"),
                    "client.with.path=/?id=${client}-${call}",
                    "trace=w3c",
                    "client.with.streams=" + streams,
                    "testbed.testers=" + testers,
                    "load={ clients: " + clients + (isLong ? ", run-for: 10s }" : ", calls: 4000 }"));
            log = nginx.stopAndReadLog();
        }
        long ok = run.calls("ok");
        assertThat(run.calls("failed")).isZero();
        assertThat(ok).isEqualTo(log.size()).isGreaterThanOrEqualTo(isLong ? 10_000 : 4_000);
        assertThat(new HashSet<>(log)).as("no call twice").hasSameSizeAs(log);
        assertThat(log).allMatch(line -> line.startsWith("200 "));
        assertThat(exportedTraces())
                .isEqualTo(log.stream()
                        .map(line -> line.replaceFirst(".* 00-([0-9a-f]{32})-[0-9a-f]{16}-01$", "$1"))
                        .sorted()
                        .toList());
        assertThat(Files.readString(run.path().resolve("report.html")))
                .containsPattern("&gt; GET /\\?id=[0-9]+-[0-9]+ HTTP/2")
                .contains("&gt; traceparent: 00-", "&lt; HTTP/2 200", "&lt; hello");
    }

    private List<String> exportedTraces() throws Exception {
        try (Command export = Command.diperf(work, "export", "run", "--format", "csv", "--out", "calls.csv")) {
            assertThat(export.exitCode()).as(export.output()).isZero();
        }
        try (var lines = Files.lines(work.resolve("calls.csv"))) {
            return lines.skip(1)
                    .map(line -> line.substring(line.lastIndexOf(',') + 1))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aServerThatAllowsFewerStreamsThanThereAreClientsMakesThemWait() throws Exception {
        assumeTrue(Command.installed("nghttpd"), "nghttpd is not installed: apt-get install nghttp2-server");
        int port = FreePorts.take();
        Files.writeString(work.resolve("index.html"), "hello\n");
        try (Command server = Command.start(
                work,
                List.of(
                        "nghttpd",
                        "--no-tls",
                        "-m",
                        "3",
                        "-a",
                        "127.0.0.1",
                        "-d",
                        work.toString(),
                        String.valueOf(port)))) {
            awaitListening(server, port);
            RunFolder run = run("http://127.0.0.1:" + port + "/");
            assertThat(run.calls("failed")).isZero();
            assertThat(run.calls("ok")).isGreaterThan(1_000);
            assertThat(run.summary()
                            .get("metrics")
                            .get("stream-wait")
                            .get("count")
                            .asLong())
                    .as("five of eight clients wait at any time")
                    .isGreaterThan(run.calls("ok") / 4);
        }
    }

    @Test
    void caddyAnswersEachCallOfManyStreams() throws Exception {
        assumeTrue(Command.installed("caddy"), "caddy is not installed: apt-get install caddy");
        int port = FreePorts.take();
        Path file = Files.writeString(work.resolve("Caddyfile"), """
                {
                    admin off
                    servers {
                        protocols h1 h2 h2c
                    }
                }
                http://127.0.0.1:%d {
                    log {
                        output file %s/access.log
                    }
                    respond "hello"
                }
                """.formatted(port, work));
        RunFolder run;
        List<String> caddy = List.of(
                "env",
                // Where it keeps its configuration, which not every version can be told to leave out.
                "XDG_CONFIG_HOME=" + work,
                "caddy",
                "run",
                "--adapter",
                "caddyfile",
                "--config",
                file.toString());
        try (Command server = Command.start(work, caddy)) {
            awaitListening(server, port);
            run = run("http://127.0.0.1:" + port + "/", "client.with.path=/${client}/${call}");
            server.process().destroy();
            assertThat(server.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(run.calls("failed")).isZero();
        assertThat(run.calls("ok"))
                .isEqualTo(Files.readAllLines(work.resolve("access.log")).size())
                .isGreaterThan(1_000);
    }

    private static void awaitListening(Command server, int port) throws Exception {
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
                return;
            } catch (IOException e) {
                assertThat(server.process().isAlive()).as(server.output()).isTrue();
                server.process().waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
    }
}
