package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.contract.TestCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run whose calls fail in all the ways that users have to mend: its page, and then its report, say of each why, and no secret. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class SingleCallsIT {

    private static final Pattern LINK = Pattern.compile("live +(http://127\\.0\\.0\\.1:[0-9]+/)#\\S+");
    private static final String KEY = "open-sesame-4711";
    private static final String TOKEN = "tok-0123456789";
    private static final String COOKIE = "cookie-9876543210";

    /** By cause of failure, what is shown of its first call, in this order. */
    private static final Map<String, List<String>> WANTED = Map.of(
            "status 500",
            List.of(
                    "> GET /orders HTTP/1.1",
                    "> Authorization: Bearer ***",
                    "< HTTP/1.1 500",
                    "< {\"error\": \"no stock\"",
                    "Bearer *** ***"),
            "status 302",
            List.of("> GET /old HTTP/1.1", "< HTTP/1.1 302", "< Location: /new"),
            "check json:/state open",
            List.of("> GET /state HTTP/1.1", "< HTTP/1.1 200", "< {\"state\": \"closed\"}"),
            "tls: certificate not trusted",
            List.of("* TLS handshake with 127.0.0.1:", "* its certificate: CN=other", "for [elsewhere.example]"));

    @TempDir
    Path work;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer service;
    private HttpsServer secured;

    @BeforeEach
    void serve() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        service = HttpServer.create(any, 256);
        service.createContext("/login", exchange -> {
            exchange.getResponseHeaders().set("Set-Cookie", "session=" + COOKIE);
            answer(exchange, 200, "{\"token\": \"" + TOKEN + "\"}");
        });
        service.createContext(
                "/orders",
                exchange -> answer(
                        exchange,
                        500,
                        "{\"error\": \"no stock\", \"you sent\": \""
                                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                                + exchange.getRequestHeaders().getFirst("X-Key") + "\"}"));
        service.createContext("/old", exchange -> {
            exchange.getResponseHeaders().set("Location", "/new");
            answer(exchange, 302, "moved");
        });
        service.createContext("/state", exchange -> answer(exchange, 200, "{\"state\": \"closed\"}"));
        service.createContext("/items", exchange -> answer(exchange, 200, "items"));
        secured = HttpsServer.create(any, 256);
        secured.setHttpsConfigurator(new HttpsConfigurator(
                TestCertificate.make(work, "other", "dns:elsewhere.example").context()));
        for (HttpServer each : List.of(service, secured)) {
            each.setExecutor(threads);
            each.start();
        }
    }

    @AfterEach
    void end() {
        service.stop(0);
        secured.stop(0);
        threads.shutdownNow();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void experiment() throws IOException {
        Files.writeString(work.resolve("light.yml"), """
                name: light
                target: http://127.0.0.1:%d/
                client:
                  plugin: http
                  with: { headers: { Authorization: "Bearer ${token}", X-Key: "${secret:env:LIGHT_KEY}" } }
                  before:
                    - name: log-in
                      with: { method: POST, path: /login, body: "key=${secret:env:LIGHT_KEY}" }
                      capture: { token: "json:/token" }
                  journeys:
                    buy: { steps: [ { name: order, with: { path: /orders } } ] }
                    old: { steps: [ { name: moved, with: { path: /old, expect: [200] } } ] }
                    look: { steps: [ { name: state, with: { path: /state }, check: { "json:/state": open } } ] }
                    safe: { steps: [ { name: secure, target: "https://127.0.0.1:%d/", with: { path: / } } ] }
                    list: { steps: [ { name: items, with: { path: /items } } ] }
                testbed: { kind: local, testers: 1 }
                load: { clients: 2, calls: 200, think: 10ms }
                """.formatted(
                        service.getAddress().getPort(), secured.getAddress().getPort()));
    }

    @Tag("quick")
    @Test
    void pageAndReportSayWhyCallsFailAndNoSecret() throws Exception {
        experiment();
        Map<String, String> shown = new HashMap<>();
        List<String> command =
                Command.commandLine(Command.controllerJar(), "run", "light.yml", "--live", "--out", "run");
        try (Command diperf = Command.start(work, Map.of("LIGHT_KEY", KEY), command)) {
            diperf.awaitOutput(output -> LINK.matcher(output).find());
            Matcher link = LINK.matcher(diperf.output());
            assertThat(link.find()).isTrue();
            look(link.group(1), shown);
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).doesNotContain(KEY, TOKEN, COOKIE);
        }
        assertThat(shown.keySet()).as("on the page").containsAll(WANTED.keySet());
        WANTED.forEach((cause, lines) -> assertThat(shown.get(cause)).containsSubsequence(lines));
        assertThat(shown.toString()).doesNotContain(KEY, TOKEN, COOKIE);

        String report = Files.readString(work.resolve("run/report.html"))
                .replaceAll("<[^>]*>", "")
                .replace("&gt;", ">")
                .replace("&lt;", "<")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
        String calls = report.substring(report.indexOf("Single calls"));
        WANTED.forEach((cause, lines) -> {
            assertThat(calls).contains(cause);
            assertThat(calls.substring(calls.indexOf(lines.get(0)))).containsSubsequence(lines);
        });
        try (var files = Files.walk(work.resolve("run"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s holds no secret", file)
                        .doesNotContain(KEY, TOKEN, COOKIE);
            }
        }
    }

    /** Looks at the page until it shows a call of each cause, or the stream ends. */
    private static void look(String page, Map<String, String> shown) throws Exception {
        var answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(page + "events")).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine();
                    line != null && !shown.keySet().containsAll(WANTED.keySet());
                    line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    JsonNode told = JsonMapper.shared().readTree(line.substring("data: ".length()));
                    told.path("shown")
                            .forEach(call -> shown.putIfAbsent(
                                    call.get(0).asString(), call.get(7).asString()));
                }
            }
        } catch (IOException gone) {
            // The page was closed behind its last event, because this viewer did not ask for the report.
        }
    }
}
