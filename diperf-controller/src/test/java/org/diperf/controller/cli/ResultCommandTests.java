package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.spi.CommandContext.Watcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Results for programs, and commands that a program carries out. */
@Timeout(120)
class ResultCommandTests {

    private static final String EXPERIMENT =
            "name: made\ntarget: http://127.0.0.1:8080/\nload: { open: { rate: 500/s, for: 8s } }\n";

    @TempDir
    private Path folder = Path.of("");

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private static JsonNode json(Outcome outcome) {
        return JsonMapper.shared().readTree(outcome.out());
    }

    @Test
    void aRunPrintsItsSummaryAndNothingElseOnStandardOutput() {
        Path out = folder.resolve("out");
        Outcome run = Outcome.of(
                "run",
                url(),
                "-n",
                "20",
                "--set",
                "testbed.kind=in-process",
                "--no-report",
                "--json",
                "--out",
                out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(json(run).path("folder").asString())
                .isEqualTo(out.toAbsolutePath().toString());
        assertThat(json(run).path("exit").asInt()).isZero();
        assertThat(json(run).path("summary").path("calls").path("ok").asInt()).isEqualTo(20);
        assertThat(run.err()).contains("closed 10 clients, 20 calls");

        Outcome listed = Outcome.of("runs", folder.toString(), "--json");
        assertThat(json(listed).path("runs").path(0).path("calls").asInt()).isEqualTo(20);
        Outcome report = Outcome.of("report", out.toString(), "--json");
        assertThat(json(report).path("summary").path("calls").path("ok").asInt())
                .isEqualTo(20);
        Outcome verified = Outcome.of("verify", out.toString(), "--json");
        assertThat(json(verified).path("clean").asBoolean()).isTrue();
        assertThat(json(verified).path("calls").asInt()).isEqualTo(20);
    }

    @Test
    void checkAndTryPrintTheirLines() {
        JsonNode check = json(Outcome.of("check", url(), "-r", "5", "--json"));
        assertThat(check.path("ready").asBoolean()).isTrue();
        assertThat(check.path("experiment")
                        .path("load")
                        .path("open")
                        .path("rate")
                        .asString())
                .isEqualTo("5/s");
        assertThat(check.path("rows").path(0).path("name").asString()).isEqualTo("client");
        JsonNode call = json(Outcome.of("try", url(), "--json"));
        assertThat(call.path("ok").asBoolean()).isTrue();
        List<String> said = new ArrayList<>();
        call.path("rows").forEach(row -> said.add(row.path("said").asString("")));
        assertThat(said).contains("> GET / HTTP/1.1");
    }

    @Test
    void runsAreComparedAndTabled() throws IOException {
        String before =
                MadeRun.write(folder.resolve("before"), 10, 1, EXPERIMENT).toString();
        String after = MadeRun.write(folder.resolve("after"), 12, 2, EXPERIMENT).toString();
        Outcome compared = Outcome.of("compare", before, after, "--fail-on", "response.p50 +5%", "--json");
        assertThat(compared.code()).isEqualTo(ExitCode.THRESHOLD);
        assertThat(json(compared).path("verdict").asString()).isEqualTo("worse");
        assertThat(json(Outcome.of("report", before, after, "--json"))
                        .path("summary")
                        .isObject())
                .isTrue();
    }

    @Test
    void pluginsAreListedWithWhatTheyTake() {
        JsonNode http =
                json(Outcome.of("plugins", "http", "--json")).path("plugins").path(0);
        assertThat(http.path("id").asString()).isEqualTo("http");
        assertThat(http.path("parameters").path(0).path("name").asString()).isEqualTo("method");
        assertThat(http.path("parameters").path(0).path("default").asString()).isEqualTo("GET");
    }

    @Test
    void withoutAResultThereIsNoDocument() {
        Outcome none = Outcome.of("report", folder.resolve("none").toString(), "--json");
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("got nothing at");
    }

    /** Refuses whatever it is shown. */
    private static final class Refusing implements Watcher {

        private final List<String> lines = new ArrayList<>();
        private final List<Map<String, ?>> shown = new ArrayList<>();

        @Override
        public synchronized void out(String line) {
            lines.add("out: " + line);
        }

        @Override
        public synchronized void err(String line) {
            lines.add("err: " + line);
        }

        @Override
        public void admit(Map<String, ?> keys, Optional<Duration> longest) {
            shown.add(keys);
            assertThat(longest).contains(Duration.ofSeconds(3));
            throw new IllegalArgumentException("expected nothing, got this; do without");
        }
    }

    @Test
    void whoWatchesACommandIsShownItsExperimentBeforeAnythingIsDone() throws IOException {
        for (String command : List.of("check", "try", "run")) {
            Refusing watcher = new Refusing();
            int code = Commands.run(List.of(command, url(), "-d", "3s"), watcher, new SecretMask());
            assertThat(code).as(command).isEqualTo(ExitCode.USAGE);
            assertThat(watcher.lines).containsExactly("err: refused: expected nothing, got this; do without");
            assertThat(watcher.shown.get(0).get("target")).isEqualTo(url());
        }
        Path sweep = Files.writeString(
                folder.resolve("sweep.yml"),
                "target: " + url() + "\nload: { clients: 1, run-for: 3s }\ntrials: { count: 2 }\n");
        Refusing watcher = new Refusing();
        assertThat(Commands.run(List.of("run", sweep.toString()), watcher, new SecretMask()))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void noJavaIsCompiledForWhoWatches() throws IOException {
        Files.writeString(folder.resolve("Broken.java"), "no Java");
        Path file = Files.writeString(
                folder.resolve("journey.yml"),
                "target: " + url() + "\nload: { clients: 1, run-for: 3s }\n"
                        + "client: { journeys: { a: { java: Broken.java } } }\n");
        Refusing watcher = new Refusing();
        assertThat(Commands.run(List.of("check", file.toString()), watcher, new SecretMask()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(String.join("\n", watcher.lines)).contains("Broken.java").doesNotContain("compile");
    }
}
