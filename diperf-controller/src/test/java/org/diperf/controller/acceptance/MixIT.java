package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A weighted mix with data of each user's own against a real nginx; a log-in against a server that checks it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MixIT {

    /** Quantile of the normal distribution for a two-sided 99 % interval of a binomial share. */
    private static final double Z_99 = 2.576;

    private static final int ORDERS = 4_000;

    @TempDir
    Path work;

    private RunFolder run(String yaml, Map<String, String> environment) throws Exception {
        Path file = Files.writeString(work.resolve("mix.yml"), yaml);
        List<String> command = Command.commandLine(
                Command.controllerJar(),
                "run",
                "--no-report",
                file.toString(),
                "--out",
                work.resolve("run").toString(),
                "--quiet");
        try (Command run = Command.start(work, environment, command)) {
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        return new RunFolder(work.resolve("run"));
    }

    @Test
    void theSharesOfAMixHoldAndNoRowIsGivenTwice() throws Exception {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        StringBuilder users = new StringBuilder("name\n");
        StringBuilder orders = new StringBuilder("id\n");
        for (int i = 0; i < 20; i++) {
            users.append("user").append(i).append('\n');
        }
        for (int i = 0; i < ORDERS; i++) {
            orders.append("order").append(i).append('\n');
        }
        Files.writeString(work.resolve("users.csv"), users);
        Files.writeString(work.resolve("orders.csv"), orders);
        RunFolder run;
        List<String> log;
        try (Nginx nginx = Nginx.start(work)) {
            run = run("""
                    target: %s
                    seed: 42
                    client:
                      plugin: http
                      requests:
                        - { name: browse, weight: 8, with: { path: "/browse/${users.name}/${random:1..999}" } }
                        - { name: order, weight: 2, with: { path: "/order/${users.name}/${orders.id}" } }
                    data:
                      users: { file: users.csv }
                      orders: { file: orders.csv, give: per-call }
                    testbed: { testers: 2 }
                    load: { clients: 20, calls: 10000 }
                    measure: { window: whole }
                    thresholds: [requests.order.failed < 1, requests.browse.response.p99 < 5s]
                    """.formatted(nginx.url("/")), Map.of());
            log = nginx.stopAndReadLog();
        }
        assertThat(log).hasSize(10_000);
        assertThat(run.calls("ok")).isEqualTo(10_000);
        List<String> ordered =
                log.stream().filter(line -> line.contains(" /order/")).toList();
        double share = ordered.size() / 10_000.0;
        double half = Z_99 * Math.sqrt(0.2 * 0.8 / 10_000);
        assertThat(share).isBetween(0.2 - half, 0.2 + half);
        JsonNode requests = run.summary().get("requests");
        assertThat(requests.at("/order/calls/total").asInt()).isEqualTo(ordered.size());
        assertThat(requests.at("/browse/calls/total").asInt()).isEqualTo(10_000 - ordered.size());
        List<String> ids =
                ordered.stream().map(line -> line.replaceAll(".*/", "")).toList();
        assertThat(new HashSet<>(ids)).as("no row is given twice").hasSameSizeAs(ids);
        Map<String, Long> byUser =
                log.stream().collect(Collectors.groupingBy(line -> line.split("/")[2], Collectors.counting()));
        assertThat(byUser)
                .hasSize(20)
                .allSatisfy((user, calls) -> assertThat(calls).isEqualTo(500));
        assertThat(Files.readAllLines(run.path().resolve("requests.csv"))).hasSize(3);
    }

    @Test
    void eachClientLogsInOnceWithItsOwnDataAndASecret() throws Exception {
        Files.writeString(work.resolve("users.csv"), "name,password\nann,p-0\nbob,p-1\n\"o'hara, jr\",p-2\n");
        List<String> refused = Collections.synchronizedList(new ArrayList<>());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> answer(exchange, refused));
        server.start();
        RunFolder run;
        try {
            run = run("""
                    target: http://127.0.0.1:%d/
                    client:
                      plugin: http
                      with: { path: "/items/${call}", headers: { Authorization: "Bearer ${token}" } }
                      before:
                        - name: login
                          with:
                            method: POST
                            path: /login
                            headers: { Key: "${secret:env:MIX_KEY}" }
                            body: '{"user": "${users.name}", "password": "${users.password}"}'
                          capture: { token: json:/access/token }
                    data: { users: { file: users.csv } }
                    load: { clients: 3, calls: 90 }
                    measure: { window: whole }
                    """.formatted(server.getAddress().getPort()), Map.of("MIX_KEY", "open-sesame"));
        } finally {
            server.stop(0);
        }
        assertThat(refused).isEmpty();
        JsonNode requests = run.summary().get("requests");
        assertThat(requests.at("/all/calls/ok").asInt()).isEqualTo(90);
        assertThat(requests.at("/login/calls/ok").asInt()).isEqualTo(3);
        assertThat(run.calls("ok")).isEqualTo(93);
        try (var files = Files.walk(run.path())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s holds no secret", file)
                        .doesNotContain("open-sesame");
            }
        }
    }

    /** Hands out a token for a name and its password, and answers nobody without one. */
    private static void answer(HttpExchange exchange, List<String> refused) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String key = String.valueOf(exchange.getRequestHeaders().getFirst("Key"));
        String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        boolean login = exchange.getRequestURI().getPath().equals("/login");
        boolean allowed = login
                ? key.equals("open-sesame")
                        && body.matches("\\{\"user\": \"(ann|bob|o'hara, jr)\", \"password\": \"p-[012]\"}")
                : authorization.matches("Bearer t-p-[012]");
        if (!allowed) {
            refused.add(exchange.getRequestURI() + " " + authorization + " " + body);
        }
        String password = body.replaceAll("(?s).*\"password\": \"(.*)\"}", "$1");
        byte[] answer =
                (login ? "{\"access\": {\"token\": \"t-" + password + "\"}}" : "item").getBytes(StandardCharsets.UTF_8);
        // 0 is chunked, which a log-in's answer may well be.
        exchange.sendResponseHeaders(allowed ? 200 : 403, login ? 0 : answer.length);
        try (var out = exchange.getResponseBody()) {
            out.write(answer);
        }
    }
}
