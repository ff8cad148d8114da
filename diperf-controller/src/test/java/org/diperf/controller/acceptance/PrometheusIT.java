package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Prometheus' own server scrapes a run. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class PrometheusIT {

    private static final Path DASHBOARD = Path.of("../examples/grafana/diperf.json");

    @TempDir
    Path work;

    private final int port = FreePorts.take();
    private final int outputPort = FreePorts.take();

    private Command prometheus(String... more) throws Exception {
        Path config = work.resolve("prometheus.yml");
        Files.writeString(config, """
                global: { scrape_interval: 1s, scrape_timeout: 1s }
                scrape_configs:
                  - job_name: diperf
                    static_configs: [ { targets: [ "127.0.0.1:%d" ] } ]
                """.formatted(outputPort));
        List<String> command = new ArrayList<>(List.of(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + work.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port));
        command.addAll(List.of(more));
        Command server = Command.start(work, command);
        server.awaitOutput(output -> output.contains("Server is ready to receive web requests"));
        return server;
    }

    private JsonNode ask(String path, String query, String more) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path + "?query="
                + URLEncoder.encode(query, StandardCharsets.UTF_8) + more);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(query + ": " + response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body()).get("data").get("result");
    }

    private double value(String query) throws IOException, InterruptedException {
        JsonNode result = ask("query", query, "");
        assertThat(result.size()).as(query).isEqualTo(1);
        return Double.parseDouble(result.get(0).get("value").get(1).asString());
    }

    /** Returns the last value of a series that has ended since. */
    private double last(String query, long from, long to) throws IOException, InterruptedException {
        JsonNode result = ask("query_range", query, "&start=" + from + "&end=" + to + "&step=0.25");
        assertThat(result.size()).as(query).isEqualTo(1);
        JsonNode values = result.get(0).get("values");
        return Double.parseDouble(values.get(values.size() - 1).get(1).asString());
    }

    private static void expressions(JsonNode node, List<String> found) {
        if (node.isObject() && node.has("expr")) {
            found.add(node.get("expr").asString());
        }
        node.forEach(each -> expressions(each, found));
    }

    @Tag("quick")
    @Test
    void itsCountsAreThoseOfTheRunAndEveryQueryOfTheDashboardHasAnAnswer() throws Exception {
        assumeTrue(Command.installed("prometheus"), "prometheus is not installed: apt-get install prometheus");
        EchoPlugin.copyTo(Files.createDirectory(work.resolve("mine")));
        try (EchoServer server = new EchoServer();
                Command prometheus = prometheus()) {
            Files.writeString(work.resolve("series.yml"), """
                    name: series
                    target: %s
                    testbed: { kind: local, testers: 3 }
                    load: { clients: 6, run-for: 8s, think: 10ms }
                    thresholds: [ "failed < 1%%" ]
                    outputs: [ { prometheus: "127.0.0.1:%d" } ]
                    """.formatted(server.url(), outputPort));
            long began = System.currentTimeMillis() / 1000;
            try (Command diperf =
                    Command.diperf(work, "run", "--no-report", "series.yml", "--plugins", "mine", "--out", "run")) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
                assertThat(diperf.output()).doesNotContain("The final counts were not scraped");
            }
            long ended = System.currentTimeMillis() / 1000 + 1;
            JsonNode summary = new RunFolder(work.resolve("run")).summary();
            long ok = summary.get("calls").get("ok").asLong();
            assertThat(value("sum(last_over_time(diperf_calls_total{result=\"ok\"}[5m]))"))
                    .isEqualTo(ok);
            assertThat(ask("query", "count by (tester) (last_over_time(diperf_calls_total{result=\"ok\"}[5m]))", "")
                            .size())
                    .isEqualTo(3);

            double p99 = summary.get("responseTime").get("p99").asDouble() / 1e3;
            double seen = value("histogram_quantile(0.99, sum by (le)"
                    + " (last_over_time(diperf_response_time_seconds_bucket[5m])))");
            double[] limits = {0, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60
            };
            int bucket = 1;
            while (p99 > limits[bucket]) {
                bucket++;
            }
            assertThat(seen).isBetween(limits[bucket - 1], limits[bucket]);
            double mean = value("sum(last_over_time(diperf_response_time_seconds_sum[5m]))"
                    + " / sum(last_over_time(diperf_response_time_seconds_count[5m]))");
            double wanted = summary.get("responseTime").get("mean").asDouble() / 1e3;
            assertThat(mean).isCloseTo(wanted, within(wanted * 1e-6));

            List<String> expressions = new ArrayList<>();
            expressions(JsonMapper.shared().readTree(Files.readAllBytes(DASHBOARD)), expressions);
            assertThat(expressions).hasSizeGreaterThan(8);
            for (String expression : expressions) {
                JsonNode rows = ask(
                        "query_range",
                        expression.replace("$__rate_interval", "4s").replace("$run", "series"),
                        "&start=" + began + "&end=" + ended + "&step=1");
                // Nothing failed and nothing was dropped, so that there is nothing by cause.
                if (!expression.contains("diperf_failures_total")) {
                    assertThat(rows.size()).as(expression).isPositive();
                }
            }
        }
    }

    @Test
    void nativeHistogramsTellQuantilesFinerAndAServerThatDiesIsNotMissed() throws Exception {
        assumeTrue(Command.installed("prometheus"), "prometheus is not installed: apt-get install prometheus");
        EchoPlugin.copyTo(Files.createDirectory(work.resolve("mine")));
        try (EchoServer server = new EchoServer();
                Command prometheus = prometheus("--enable-feature=native-histograms")) {
            Files.writeString(work.resolve("series.yml"), """
                    name: series
                    target: %s
                    testbed: { kind: local, testers: 3 }
                    load: { clients: 6, run-for: 6s, think: 10ms }
                    outputs: [ { prometheus: "127.0.0.1:%d" } ]
                    """.formatted(server.url(), outputPort));
            long began = System.currentTimeMillis() / 1000;
            try (Command diperf = Command.diperf(work, "run", "series.yml", "--plugins", "mine", "--out", "run")) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            }
            JsonNode summary = new RunFolder(work.resolve("run")).summary();
            long ended = System.currentTimeMillis() / 1000 + 1;
            assertThat(last("sum(histogram_count(diperf_response_time_seconds))", began, ended))
                    .isEqualTo(summary.get("calls").get("ok").asDouble());
            double p99 = summary.get("responseTime").get("p99").asDouble() / 1e3;
            double seen = last("histogram_quantile(0.99, sum(diperf_response_time_seconds))", began, ended);
            // A bucket is 2^(1/8) wide.
            assertThat(seen).isBetween(p99 / Math.pow(2, 0.125), p99 * Math.pow(2, 0.125));

            try (Command diperf = Command.diperf(work, "run", "series.yml", "--plugins", "mine", "--out", "killed")) {
                while (ask("query", "diperf_run_elapsed_seconds > 1", "").size() == 0) {
                    assertThat(diperf.process().isAlive()).as(diperf.output()).isTrue();
                    Thread.sleep(100);
                }
                prometheus.process().destroyForcibly();
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
                assertThat(diperf.output().split("The final counts were not scraped", -1))
                        .hasSize(2);
            }
            JsonNode without = new RunFolder(work.resolve("killed")).summary();
            assertThat(without.get("calls").get("failed").asLong()).isZero();
            assertThat(without.get("calls").get("ok").asDouble())
                    .isGreaterThan(summary.get("calls").get("ok").asDouble() / 2);
            // Of two runs, which only a machine that nobody else uses makes alike.
            if (Boolean.getBoolean("diperf.long")) {
                assertThat(without.get("sendLag").get("p50").asDouble())
                        .isLessThan(2 * summary.get("sendLag").get("p50").asDouble() + 1);
            }
        }
    }
}
