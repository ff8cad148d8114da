package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An agent's session with the packaged jar: it looks, measures, finds the limit of a service, and is kept within its caps. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class McpIT {

    /** So many calls at a time, of so long each: 100 a second at most. */
    private static final int COUNTERS = 2;

    private static final long MILLIS = 20;

    @TempDir
    Path work;

    private final ExecutorService counters = Executors.newFixedThreadPool(COUNTERS);
    private HttpServer shop;
    private Process server;
    private Writer to;
    private BufferedReader from;
    private final List<String> progress = new ArrayList<>();
    private int requests;

    @BeforeEach
    void start() throws Exception {
        shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        shop.setExecutor(counters);
        shop.createContext("/", exchange -> {
            try {
                Thread.sleep(MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        shop.start();
        server = new ProcessBuilder(Command.commandLine(
                        Command.controllerJar(), "mcp", "--dir", work.toString(), "--max-rate", "400/s"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        to = new OutputStreamWriter(server.getOutputStream(), StandardCharsets.UTF_8);
        from = server.inputReader(StandardCharsets.UTF_8);
        JsonNode hello = ask("initialize", Map.of("protocolVersion", "2025-06-18"));
        assertThat(hello.path("instructions").asString()).contains("# Measure services with DiPerF");
    }

    @AfterEach
    void stop() {
        server.descendants().forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly();
        shop.stop(0);
        counters.shutdownNow();
    }

    private JsonNode ask(String method, Map<String, ?> params) throws IOException {
        requests++;
        send(Map.of("jsonrpc", "2.0", "id", requests, "method", method, "params", params));
        while (true) {
            JsonNode message = JsonMapper.shared().readTree(from.readLine());
            if (message.path("id").asInt(-1) == requests) {
                return message.path("result");
            }
            progress.add(message.path("params").path("message").asString());
        }
    }

    private void send(Map<String, ?> message) throws IOException {
        to.write(JsonMapper.shared().writeValueAsString(message) + "\n");
        to.flush();
    }

    private JsonNode call(String tool, Map<String, ?> arguments) throws IOException {
        return ask("tools/call", Map.of("name", tool, "arguments", arguments, "_meta", Map.of("progressToken", "p")));
    }

    private String url() {
        return "http://127.0.0.1:" + shop.getAddress().getPort() + "/";
    }

    private static String text(JsonNode result) {
        return result.path("content").path(0).path("text").asString();
    }

    @Test
    @Tag("quick")
    void anAgentMeasuresAServiceWithinItsCaps() throws Exception {
        JsonNode init = call("init", Map.of("name", "shop.yml", "target", url()));
        assertThat(text(init)).contains("an experiment for the client http");
        assertThat(work.resolve("diperf.schema.json")).exists();
        assertThat(text(call("check", Map.of("file", "shop.yml")))).contains("can be reached", "exit code 0");
        assertThat(text(call("try", Map.of("url", url())))).contains("> GET / HTTP/1.1", "< HTTP/1.1 200");

        JsonNode run = call("run", Map.of("url", url(), "rate", "20/s", "for", "6s"));
        assertThat(run.path("isError").asBoolean()).as(text(run)).isFalse();
        JsonNode measured = run.path("structuredContent").path("summary").path("measured");
        assertThat(measured.path("calls").path("ok").asInt()).isBetween(100, 121);
        assertThat(measured.path("responseTime").path("p50").asDouble()).isBetween(20.0, 200.0);
        assertThat(progress).isNotEmpty();
        assertThat(work.resolve("runs/run-1/report.html")).exists();

        JsonNode again = call("report", Map.of("run", "runs/run-1", "window", "1s..3s"));
        assertThat(again.path("structuredContent")
                        .path("summary")
                        .path("measured")
                        .path("fromSeconds")
                        .asDouble())
                .isEqualTo(1);

        assertThat(text(call("run", Map.of("url", "http://example.org/")))).contains("refused: expected a host of");
        assertThat(text(call("run", Map.of("url", url(), "rate", "500/s")))).contains("expected at most 400/s");
        assertThat(text(call("check", Map.of("text", "target: " + url() + "\nload: { users: 5, duration: 5s }\n"))))
                .contains("got 'users'; use 'clients'", "exit code 2");
        assertThat(work.resolve("runs/run-2")).doesNotExist();

        to.close();
        assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isZero();
    }

    @Test
    void anAgentNamesTheLimitOfAService() throws Exception {
        Files.writeString(
                work.resolve("limit.yml"),
                "target: " + url()
                        + "\nload: { search: { rate: 10/s..400/s, while: [response.p95 < 250ms, failed < 1%],"
                        + " hold: 3s, settle: 1s, precision: 10%, max-in-flight: 200, timeout: 5s } }\n");
        JsonNode found = call("run", Map.of("file", "limit.yml"));
        JsonNode search = found.path("structuredContent").path("summary").path("search");
        assertThat(search.path("found").asDouble()).as(text(found)).isBetween(40.0, 105.0);
        assertThat(search.path("conclusion").asString()).isNotBlank();
    }

    @Test
    void aCancelledRunStopsItsLoad() throws Exception {
        send(Map.of(
                "jsonrpc",
                "2.0",
                "id",
                "long",
                "method",
                "tools/call",
                "params",
                Map.of(
                        "name",
                        "run",
                        "arguments",
                        Map.of("url", url(), "rate", "20/s", "for", "2m"),
                        "_meta",
                        Map.of("progressToken", "p"))));
        assertThat(from.readLine()).contains("notifications/progress");
        assertThat(server.descendants()).isNotEmpty();
        send(Map.of("jsonrpc", "2.0", "method", "notifications/cancelled", "params", Map.of("requestId", "long")));
        assertThat(text(call("check", Map.of("url", url())))).contains("exit code 0");
        for (ProcessHandle tester : server.descendants().toList()) {
            tester.onExit().get(20, TimeUnit.SECONDS);
        }
    }
}
