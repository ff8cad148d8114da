package org.diperf.plugins.monitor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ReadingsProbe;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
                } catch (java.io.IOException e) {
                    return;
                }
            }
        });
        serving.setDaemon(true);
        serving.start();
        return listening;
    }

    @Test
    void aValueOfGangliaHoldsWhenItsHostMeasuredItAndIsTakenOnce() throws Exception {
        try (ServerSocket listening = gmond(
                GMOND.formatted(host("a", 75, 7)),
                GMOND.formatted(host("a", 75, 8)),
                GMOND.formatted(host("a", 50, 0)))) {
            GangliaMonitor monitor = new GangliaMonitor("127.0.0.1", listening.getLocalPort(), null);
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
            assertThatThrownBy(() ->
                            new GangliaMonitor("127.0.0.1", listening.getLocalPort(), null).sample(new ReadingsProbe()))
                    .hasMessageContaining("[a, b]");
            ReadingsProbe seen = new ReadingsProbe();
            new GangliaMonitor("127.0.0.1", listening.getLocalPort(), "b").sample(seen);
            assertThat(seen.gauges).containsEntry("cpu", 3.0);
        }
    }

    @Test
    void whatIsNoGmondIsSaidSo() throws Exception {
        try (ServerSocket listening = gmond("SSH-2.0-x\r\n")) {
            assertThatThrownBy(() ->
                            new GangliaMonitor("127.0.0.1", listening.getLocalPort(), null).sample(new ReadingsProbe()))
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
        assertThatThrownBy(() -> PrometheusSelector.parse("up{job=x}")).hasMessageContaining("wanted labels");
    }

    @Test
    void whereNobodyListensTheAddressIsNamed() throws Exception {
        int port = FreePorts.take();
        URI url = URI.create("http://127.0.0.1:" + port + "/metrics");
        assertThatThrownBy(() -> new PrometheusMonitor(url, List.of()).sample(new ReadingsProbe()))
                .hasMessage("wanted metrics from " + url + ", found: no connection");
        assertThatThrownBy(() -> new GangliaMonitor("127.0.0.1", port, null).sample(new ReadingsProbe()))
                .hasMessageContaining("wanted gmond at 127.0.0.1:" + port + ", found: Connection refused");
        assertThatThrownBy(() -> new GangliaMonitor("no-such-host.invalid", port, null).sample(new ReadingsProbe()))
                .hasMessageContaining("found: no host of this name");
    }
}
