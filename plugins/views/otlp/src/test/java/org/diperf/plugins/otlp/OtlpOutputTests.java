package org.diperf.plugins.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesFamily.Histogram;
import org.diperf.core.spi.SeriesFamily.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver of OTLP gets. */
@Timeout(30)
class OtlpOutputTests {

    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

    private final List<ExportMetricsServiceRequest> received = new CopyOnWriteArrayList<>();
    private HttpServer receiver;
    private volatile int status = 200;

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        receiver.createContext("/v1/metrics", exchange -> {
            assertThat(exchange.getRequestHeaders().getFirst("Content-Type")).isEqualTo("application/x-protobuf");
            received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private String address() {
        return "http://127.0.0.1:" + receiver.getAddress().getPort();
    }

    private static List<SeriesFamily> families() {
        return List.of(
                new SeriesFamily.Builder("diperf_calls_total", Kind.COUNTER, "calls")
                        .add(17, "tester", "1", "result", "ok")
                        .build(),
                new SeriesFamily.Builder("diperf_run_elapsed_seconds", Kind.GAUGE, "time")
                        .add(2.5)
                        .build(),
                new SeriesFamily.Builder("diperf_failures_total", Kind.COUNTER, "none yet").build(),
                new SeriesFamily.Builder("diperf_response_time_seconds", Kind.HISTOGRAM, "times")
                        .add(
                                new Histogram(List.of(1.0), List.of(3L, 1L), -16, List.of(0L, 0L, 2L, 0L, 2L, 0L)),
                                3.5,
                                "tester",
                                "1")
                        .build());
    }

    @Test
    void aReceiverGetsCountersGaugesAndExponentialHistograms() throws IOException {
        try (var output = new OtlpPlugin().open(address(), START)) {
            output.send(families(), START.plusSeconds(3));
        }
        assertThat(received).hasSize(1);
        List<Metric> metrics =
                received.get(0).getResourceMetrics(0).getScopeMetrics(0).getMetricsList();
        assertThat(metrics.stream().collect(Collectors.toMap(Metric::getName, Metric::getUnit)))
                .containsOnly(
                        org.assertj.core.api.Assertions.entry("diperf.calls", ""),
                        org.assertj.core.api.Assertions.entry("diperf.run_elapsed", "s"),
                        org.assertj.core.api.Assertions.entry("diperf.response_time", "s"));
        Metric calls = metrics.get(0);
        assertThat(calls.getSum().getIsMonotonic()).isTrue();
        assertThat(calls.getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        assertThat(calls.getSum().getDataPoints(0).getAsDouble()).isEqualTo(17);
        assertThat(calls.getSum().getDataPoints(0).getStartTimeUnixNano())
                .isEqualTo(START.getEpochSecond() * 1_000_000_000L);
        assertThat(calls.getSum().getDataPoints(0).getAttributes(1).getValue().getStringValue())
                .isEqualTo("ok");
        assertThat(metrics.get(1).getGauge().getDataPoints(0).getAsDouble()).isEqualTo(2.5);
        ExponentialHistogramDataPoint times =
                metrics.get(2).getExponentialHistogram().getDataPoints(0);
        assertThat(times.getCount()).isEqualTo(4);
        assertThat(times.getSum()).isEqualTo(3.5);
        assertThat(times.getScale()).isEqualTo(3);
        assertThat(times.getPositive().getOffset()).isEqualTo(-14);
        assertThat(times.getPositive().getBucketCountsList()).containsExactly(2L, 0L, 2L);
    }

    @Test
    void whatCannotBeSentIsToldInAFewWords() throws IOException {
        try (var output = new OtlpPlugin().open(address(), START)) {
            status = 503;
            assertThatThrownBy(() -> output.send(families(), START))
                    .isInstanceOf(IOException.class)
                    .hasMessage("status 503");
            receiver.stop(0);
            assertThatThrownBy(() -> output.send(families(), START)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anAddressIsThatOfACollectorOrHasAPathOfItsOwn() {
        assertThat(OtlpPlugin.endpoint("http://host:4318")).hasToString("http://host:4318/v1/metrics");
        assertThat(OtlpPlugin.endpoint("https://host/otlp/v1/metrics")).hasToString("https://host/otlp/v1/metrics");
        for (String wrong : List.of("host:4318", "grpc://host:4317", "http://", "a b")) {
            assertThatThrownBy(() -> OtlpPlugin.endpoint(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("4318")
                    .hasMessageContaining(wrong);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
                "HTTP/1.1 200 OK\r\n\r\n"
            })
    void anAnswerWithoutAnEndIsGivenUpAndTheNextIsSentAgain(String begun) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            AtomicBoolean flows = new AtomicBoolean(begun.endsWith("\r\n\r\n"));
            Thread answering = new Thread(() -> {
                try (Socket first = server.accept()) {
                    first.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
                    while (flows.get()) {
                        first.getOutputStream().write(new byte[1_000]);
                        Thread.onSpinWait();
                    }
                    try (Socket second = server.accept()) {
                        second.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                        second.getInputStream().transferTo(OutputStream.nullOutputStream());
                    }
                } catch (IOException e) {
                    flows.set(false);
                }
            });
            answering.start();
            URI endpoint = URI.create("http://127.0.0.1:" + server.getLocalPort());
            try (var output = new OtlpOutput(endpoint, START, Duration.ofMillis(300))) {
                assertThatThrownBy(() -> output.send(families(), START))
                        .isInstanceOf(IOException.class)
                        .hasMessage("no complete response within 300 ms");
                flows.set(false);
                if (!begun.endsWith("\r\n\r\n")) {
                    output.send(families(), START);
                }
            }
        }
    }
}
