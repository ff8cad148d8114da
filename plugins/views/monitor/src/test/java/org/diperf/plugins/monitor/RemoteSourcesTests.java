package org.diperf.plugins.monitor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.contract.ReadingsProbe;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ganglia and Prometheus, by stand-ins. */
@Timeout(30)
class RemoteSourcesTests {

    private static final String GMOND = """
            <?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>
            <!DOCTYPE GANGLIA_XML [<!ELEMENT GANGLIA_XML (CLUSTER)*><!ATTLIST GANGLIA_XML VERSION CDATA #REQUIRED>]>
            <GANGLIA_XML VERSION="3.7.2" SOURCE="gmond">
            <CLUSTER NAME="c" LOCALTIME="1700000000" OWNER="" LATLONG="" URL="">
            %s
            </CLUSTER>
            </GANGLIA_XML>
            """;

    private static String host(String name, double idle, int age) {
        return "<HOST NAME=\"" + name + "\" IP=\"10.0.0.1\" REPORTED=\"1700000000\" TN=\"1\" TMAX=\"20\" DMAX=\"0\">"
                + metric("cpu_idle", idle, "%", age)
                + metric("cpu_num", 4, "CPUs", 0)
                + metric("mem_total", 1000, "KB", 0)
                + metric("mem_free", 300, "KB", age)
                + metric("mem_cached", 100, "KB", age)
                + metric("load_one", 1.5, " ", age)
                + "<METRIC NAME=\"os_name\" VAL=\"Linux\" TYPE=\"string\" UNITS=\"\" TN=\"1\" TMAX=\"1200\"/></HOST>";
    }

    private static String metric(String name, double value, String unit, int age) {
        return "<METRIC NAME=\"" + name + "\" VAL=\"" + value + "\" TYPE=\"float\" UNITS=\"" + unit + "\" TN=\"" + age
                + "\" TMAX=\"90\" DMAX=\"0\" SLOPE=\"both\"><EXTRA_DATA><EXTRA_ELEMENT NAME=\"GROUP\" VAL=\"x\"/>"
                + "</EXTRA_DATA></METRIC>";
    }

    /** Answers connections with these texts, one after another. */
    private static ServerSocket gmond(String... answers) throws Exception {
        ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread serving = new Thread(() -> {
            for (String answer : answers) {
                try (Socket socket = listening.accept()) {
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    return;
                }
            }
        });
        serving.setDaemon(true);
        serving.start();
        return listening;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ftp://h/|expected an http or https address",
                "http://my_exporter:9100/metrics|expected a host of letters, digits, dots and hyphens",
                "http://h/{a}|expected a URL, got Illegal character"
            })
    void anAddressThatCannotBeAskedIsRefusedBeforeTheRun(String url, String expected) {
        PrometheusPlugin plugin = new PrometheusPlugin();
        assertThatThrownBy(() -> plugin.check(Parameters.read(plugin.parameters(), Map.of("url", url), 1)))
                .isInstanceOf(Parameters.Unusable.class)
                .hasMessageContaining(expected);
    }

    @Test
    void aValueOfGangliaHoldsWhenItsHostMeasuredItAndIsTakenOnce() throws Exception {
        try (ServerSocket listening = gmond(
                GMOND.formatted(host("a", 75, 7)),
                GMOND.formatted(host("a", 75, 8)),
                GMOND.formatted(host("a", 50, 0)))) {
            GangliaMonitor monitor =
                    new GangliaMonitor("127.0.0.1", listening.getLocalPort(), null, TimeLimitedInput.LIMIT);
            ReadingsProbe seen = new ReadingsProbe();
            seen.now = 100_000_000_000L;
            monitor.sample(seen);
            assertThat(seen.gauges)
                    .containsEntry("cpu", 1.0)
                    .containsEntry("cores", 4.0)
                    .containsEntry("memory", 600 * 1024.0)
                    .containsEntry("load_one", 1.5)
                    .doesNotContainKey("os_name");
            assertThat(seen.at).containsEntry("cpu_idle", 93_000_000_000L);
            seen.gauges.clear();
            seen.now += 1_000_000_000L;
            monitor.sample(seen);
            assertThat(seen.gauges).doesNotContainKey("cpu_idle").doesNotContainKey("cpu");
            seen.now += 5_000_000_000L;
            monitor.sample(seen);
            assertThat(seen.gauges).containsEntry("cpu", 2.0);
        }
    }

    @Test
    void amongSeveralHostsOneMustBeNamed() throws Exception {
        String two = GMOND.formatted(host("a", 75, 7) + host("b", 25, 7));
        try (ServerSocket listening = gmond(two, two)) {
            assertThatThrownBy(() -> new GangliaMonitor(
                                    "127.0.0.1", listening.getLocalPort(), null, TimeLimitedInput.LIMIT)
                            .sample(new ReadingsProbe()))
                    .hasMessageContaining("[a, b]");
            ReadingsProbe seen = new ReadingsProbe();
            new GangliaMonitor("127.0.0.1", listening.getLocalPort(), "b", TimeLimitedInput.LIMIT).sample(seen);
            assertThat(seen.gauges).containsEntry("cpu", 3.0);
        }
    }

    @Test
    void whatIsNoGmondIsSaidSo() throws Exception {
        try (ServerSocket listening = gmond("SSH-2.0-x\r\n")) {
            assertThatThrownBy(() -> new GangliaMonitor(
                                    "127.0.0.1", listening.getLocalPort(), null, TimeLimitedInput.LIMIT)
                            .sample(new ReadingsProbe()))
                    .hasMessageContaining("Ganglia's XML");
        }
    }

    @Test
    void seriesOfPrometheusAreAddedUpByTheirSelector() throws Exception {
        String text = """
                # HELP http_requests_total Requests.
                # TYPE http_requests_total counter
                http_requests_total{code="200",path="/a b}"} 10
                http_requests_total{code="200",path="/\\"c"} 5 1700000000000
                http_requests_total{code="500"} 1
                # TYPE latency histogram
                latency_count 7
                latency_sum 1.5e-1
                # TYPE process_resident_memory_bytes gauge
                process_resident_memory_bytes 4096
                broken line
                nan_metric NaN
                """;
        Map<String, PrometheusMonitor.Sum> sums = PrometheusMonitor.read(
                new BufferedReader(new StringReader(text)),
                List.of(
                        PrometheusSelector.parse("http_requests_total{code!=\"500\"}"),
                        PrometheusSelector.parse("latency_*"),
                        PrometheusSelector.parse("process_*")));
        assertThat(sums)
                .containsOnlyKeys(
                        "http_requests_total{code!=500}",
                        "latency_count",
                        "latency_sum",
                        "process_resident_memory_bytes");
        assertThat(requireNonNull(sums.get("http_requests_total{code!=500}")).value())
                .isCloseTo(15, within(1e-12));
        assertThat(requireNonNull(sums.get("http_requests_total{code!=500}")).isCounter())
                .isTrue();
        assertThat(requireNonNull(sums.get("latency_count")).isCounter()).isTrue();
        assertThat(requireNonNull(sums.get("process_resident_memory_bytes")).isCounter())
                .isFalse();
        assertThatThrownBy(() -> PrometheusSelector.parse("up{job=x}")).hasMessageContaining("expected labels");
    }

    @Test
    void aLabelOfAnyLengthIsRead() throws Exception {
        String path = "/\\\"".repeat(50_000);
        Map<String, PrometheusMonitor.Sum> sums = PrometheusMonitor.read(
                new BufferedReader(new StringReader(
                        "other{path=\"" + path + "\"} 1\nhits{path=\"" + path + "\",code=\"200\"} 2\nup 3\n")),
                List.of(PrometheusSelector.parse("hits{code=\"200\"}"), PrometheusSelector.parse("up")));
        assertThat(sums).containsOnlyKeys("hits{code=200}", "up");
    }

    @Test
    void anAnswerThatDoesNotEndIsASampleThatFailed() throws Exception {
        Duration limit = Duration.ofMillis(500);
        try (ServerSocket metrics = drip("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nup 1\n", '#');
                ServerSocket gmond = drip("<?xml version=\"1.0\"?><GANGLIA_XML>", ' ')) {
            URI url = URI.create("http://127.0.0.1:" + metrics.getLocalPort() + "/metrics");
            List<PrometheusSelector> up = List.of(PrometheusSelector.parse("up"));
            assertThatThrownBy(() -> new PrometheusMonitor(url, up, limit).sample(new ReadingsProbe()))
                    .hasMessage("expected the whole response from " + url + " within 500 ms, got only part of it; "
                            + "the rest was not read");
            assertThatThrownBy(() -> new GangliaMonitor("127.0.0.1", gmond.getLocalPort(), null, limit)
                            .sample(new ReadingsProbe()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("within 500 ms, got only part of it");
        }
    }

    /** Answers a connection with this, and from then on with another byte before anybody could call it silent. */
    private static ServerSocket drip(String begin, char then) throws Exception {
        ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread serving = new Thread(() -> {
            try (Socket socket = listening.accept()) {
                socket.getOutputStream().write(begin.getBytes(StandardCharsets.ISO_8859_1));
                while (!listening.isClosed()) {
                    socket.getOutputStream().write(then);
                    LockSupport.parkNanos(20_000_000);
                }
            } catch (IOException e) {
                // The monitor has gone.
            }
        });
        serving.setDaemon(true);
        serving.start();
        return listening;
    }

    @Test
    void whereNobodyListensTheAddressIsNamed() throws Exception {
        int port = FreePorts.take();
        URI url = URI.create("http://127.0.0.1:" + port + "/metrics");
        assertThatThrownBy(
                        () -> new PrometheusMonitor(url, List.of(), TimeLimitedInput.LIMIT).sample(new ReadingsProbe()))
                .hasMessage("expected metrics from " + url + ", got: no connection");
        assertThatThrownBy(() ->
                        new GangliaMonitor("127.0.0.1", port, null, TimeLimitedInput.LIMIT).sample(new ReadingsProbe()))
                .hasMessageContaining("expected gmond at 127.0.0.1:" + port + ", got: Connection refused");
        assertThatThrownBy(() -> new GangliaMonitor("no-such-host.invalid", port, null, TimeLimitedInput.LIMIT)
                        .sample(new ReadingsProbe()))
                .hasMessageContaining("got: no host with this name");
    }
}
