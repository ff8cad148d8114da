package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What hands type first, in a folder without any file: runs are meant that nobody names. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CommandsIT {

    @TempDir
    Path work;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/orders", exchange -> {
            boolean asWanted = exchange.getRequestMethod().equals("PUT")
                    && "text/plain".equals(exchange.getRequestHeaders().getFirst("Accept"))
                    && new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                            .equals("two of them");
            exchange.sendResponseHeaders(asWanted ? 200 : 400, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String diperf(int code, String... arguments) throws IOException, InterruptedException {
        try (Command diperf = Command.diperf(work, arguments)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(code);
            return diperf.output();
        }
    }

    /** Runs a command on a terminal of its own, and returns what it shows there. */
    private String onTerminal(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        String line = String.join(" ", Command.commandLine(Command.controllerJar(), arguments));
        try (Command script = Command.start(work, environment, List.of("script", "-qec", line, "/dev/null"))) {
            assertThat(script.exitCode()).as(script.output()).isZero();
            return script.output().replace("\r", "");
        }
    }

    private List<String> runs() throws IOException {
        try (Stream<Path> folders = Files.list(work.resolve("runs"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> !name.equals("latest"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aUrlIsMeasuredAndItsRunsAreFoundAgainWithoutTheirNames() throws Exception {
        Files.writeString(work.resolve("body"), "two of them");
        String[] run = {
            "run",
            "127.0.0.1:" + server.getAddress().getPort() + "/orders",
            "-r",
            "50",
            "-d",
            "1s",
            "-m",
            "PUT",
            "-H",
            "Accept: text/plain",
            "-b",
            "@body"
        };
        assertThat(diperf(2, "report")).contains("there is no runs/latest here", "diperf run");
        assertThat(diperf(0, run))
                .contains(work.toRealPath().resolve("runs/latest/report.html").toString())
                .doesNotContain("\u001b", "clients 0");
        String first = runs().get(0);
        assertThat(new RunFolder(work.resolve("runs/latest")).calls("failed")).isZero();
        String again = diperf(0, run);
        String second = runs().get(1);
        // Who repeats it after another run means this one.
        assertThat(again)
                .contains("runs/latest/report.html", "diperf-controller.jar run runs/" + second + "/experiment.yml");

        String which = "runs/latest, which is " + second;
        assertThat(diperf(0, "report", "--quantum", "500ms")).contains(which);
        assertThat(diperf(0, "verify")).contains(which, "CLEAN");
        assertThat(diperf(0, "export", "--format", "csv")).contains(which, "50 calls");
        assertThat(diperf(3, "predict", "--rate", "100")).contains(which, "100");
        try (Command compare = Command.diperf(work, "compare", "--allow-suspect")) {
            assertThat(compare.exitCode()).as(compare.output()).isIn(0, 3, 99);
            assertThat(compare.output()).contains("comparing runs/" + second + " with the previous run, runs/" + first);
        }
        assertThat(diperf(0, "runs"))
                .containsSubsequence(second, first, "2 runs")
                .doesNotContain("\u001b");
        if (Command.installed("script")) {
            String narrow = onTerminal(Map.of("TERM", "xterm", "NO_COLOR", "", "COLUMNS", "70"), "runs");
            assertThat(narrow).contains("\u001b[2m run ", second, first).doesNotContain("start");
            assertThat(narrow.replaceAll("\u001b\\[[0-9]*m", "").lines()).allMatch(line -> line.length() <= 70);
            assertThat(onTerminal(Map.of("TERM", "xterm", "NO_COLOR", "1"), "runs"))
                    .contains(" run ")
                    .doesNotContain("\u001b");
            assertThat(onTerminal(Map.of("TERM", "dumb", "NO_COLOR", ""), "runs"))
                    .contains(" run ")
                    .doesNotContain("\u001b");
        }
        assertThat(diperf(0, "runs", "rm", second, "--yes")).contains("removed 1 run");
        assertThat(runs()).containsExactly(first);
        assertThat(work.resolve("runs/latest").toRealPath().getFileName()).hasToString(first);
    }
}
