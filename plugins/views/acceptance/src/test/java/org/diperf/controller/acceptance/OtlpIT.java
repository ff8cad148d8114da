package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A receiver of OpenTelemetry's protocol gets the series of a run from the plugin's jar. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class OtlpIT {

    @TempDir
    Path work;

    private final List<ExportMetricsServiceRequest> received = new CopyOnWriteArrayList<>();

    private HttpServer receiver() throws IOException {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        receiver.createContext("/v1/metrics", exchange -> {
            received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        return receiver;
    }

    private static Metric metric(ExportMetricsServiceRequest of, String name) {
        return of.getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static double ok(ExportMetricsServiceRequest of) {
        return metric(of, "diperf.calls").getSum().getDataPointsList().stream()
                .filter(point -> point.getAttributesList().stream()
                        .anyMatch(each -> each.getValue().getStringValue().equals("ok")))
                .mapToDouble(point -> point.getAsDouble())
                .sum();
    }

    /** Returns the bounds of the bucket that holds a quantile of the sum of all histograms. */
    private static double[] quantile(ExportMetricsServiceRequest of, double share) {
        long[] counts = new long[1_000];
        long all = 0;
        for (ExponentialHistogramDataPoint point :
                metric(of, "diperf.response_time").getExponentialHistogram().getDataPointsList()) {
            assertThat(point.getScale()).isEqualTo(3);
            for (int i = 0; i < point.getPositive().getBucketCountsCount(); i++) {
                counts[500 + point.getPositive().getOffset() + i] +=
                        point.getPositive().getBucketCounts(i);
            }
            all += point.getCount();
        }
        long below = 0;
        int bucket = -1;
        while (below < share * all) {
            below += counts[++bucket];
        }
        return new double[] {Math.pow(2, (bucket - 500) / 8.0), Math.pow(2, (bucket - 499) / 8.0)};
    }

    private Path jar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../plugins/views/otlp/target"))) {
            return files.filter(file ->
                            file.getFileName().toString().matches("diperf-plugin-otlp-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void countsAreThoseOfTheRunAndAReceiverThatDiesIsToldOfOnce() throws Exception {
        Path plugins = Files.createDirectory(work.resolve("mine"));
        EchoPlugin.copyTo(plugins);
        Files.copy(jar(), plugins.resolve("otlp.jar"));
        HttpServer receiver = receiver();
        try (EchoServer server = new EchoServer()) {
            Files.writeString(work.resolve("series.yml"), """
                    name: series
                    target: %s
                    testbed: { kind: local, testers: 3 }
                    load: { clients: 6, run-for: 8s, think: 10ms }
                    outputs: [ { otlp: "http://127.0.0.1:%d" } ]
                    """.formatted(
                            server.url(), receiver.getAddress().getPort()));
            JsonNode summary;
            try (Command diperf = Command.diperf(work, "run", "series.yml", "--plugins", "mine", "--out", "run")) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
                summary = new RunFolder(work.resolve("run")).summary();
            }
            assertThat(received).hasSizeGreaterThanOrEqualTo(2);
            ExportMetricsServiceRequest last = received.get(received.size() - 1);
            assertThat(ok(last)).isEqualTo(summary.get("calls").get("ok").asDouble());
            double p99 = summary.get("responseTime").get("p99").asDouble() / 1e3;
            double[] bounds = quantile(last, 0.99);
            double width = Math.pow(2, 0.125);
            assertThat(p99).isBetween(bounds[0] / width, bounds[1] * width);

            received.clear();
            try (Command diperf = Command.diperf(work, "run", "series.yml", "--plugins", "mine", "--out", "killed")) {
                while (received.isEmpty()) {
                    assertThat(diperf.process().isAlive()).as(diperf.output()).isTrue();
                    Thread.sleep(50);
                }
                receiver.stop(0);
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
                assertThat(diperf.output().split("Series could not be sent", -1))
                        .hasSize(2);
            }
            JsonNode killed = new RunFolder(work.resolve("killed")).summary();
            assertThat(killed.get("calls").get("failed").asLong()).isZero();
            assertThat(killed.get("calls").get("ok").asDouble())
                    .isGreaterThan(summary.get("calls").get("ok").asDouble() / 2);
            // Of two runs, which only a machine that nobody else uses makes alike.
            if (Boolean.getBoolean("diperf.long")) {
                assertThat(killed.get("sendLag").get("p50").asDouble())
                        .isLessThan(2 * summary.get("sendLag").get("p50").asDouble() + 1);
            }
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void withoutThePluginTheFileIsRefusedWithWhatToDo() throws Exception {
        Files.writeString(
                work.resolve("series.yml"),
                "target: http://127.0.0.1:1/\nload: { clients: 1, run-for: 1s }\noutputs: [ { otlp: \"http://127.0.0.1:4318\" } ]\n");
        try (Command diperf = Command.diperf(work, "check", "series.yml")) {
            assertThat(diperf.exitCode()).isEqualTo(2);
            assertThat(diperf.output()).contains("outputs.0.otlp", "the plugin otlp", "plugins/");
        }
    }
}
