package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell script by which nodes measure bandwidth, against what it is for. */
@Timeout(60)
class NodeBandwidthTests {

    @TempDir
    private Path folder = Path.of("");

    private String says(Url by) throws Exception {
        Path script = folder.resolve("bandwidth.sh");
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("/org/diperf/plugins/ssh/bandwidth.sh"))) {
            Files.write(script, in.readAllBytes());
        }
        ProcessBuilder run = new ProcessBuilder("sh", script.toString());
        run.environment().put("by", by.scheme());
        run.environment().put("host", by.host());
        run.environment().put("port", String.valueOf(by.port()));
        run.environment().put("path", by.path());
        Process started = run.start();
        return new String(started.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static StandIn server(String id) throws Exception {
        return Plugins.bundled()
                .clients()
                .plugin(id)
                .orElseThrow()
                .server(new InetSocketAddress("127.0.0.1", FreePorts.take()))
                .orElseThrow();
    }

    private static boolean installed(String program) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }

    @Test
    void aSensorTakesTheBytes() throws Exception {
        Assumptions.assumeTrue(installed("bash"), "bash");
        try (StandIn sensor = server("nws")) {
            assertThat(says(sensor.target()))
                    .matches("(?s)bytes (1048576|4194304|16777216|67108864)\nmicros [1-9][0-9]*\n");
        }
    }

    @Test
    void iperf3SendsThemToOurServer() throws Exception {
        Assumptions.assumeTrue(installed("iperf3"), "iperf3");
        try (StandIn server = server("iperf")) {
            assertThat(says(server.target())).matches("(?s)bytes\\s+[1-9][0-9]*\nmicros (9|1[0-9])[0-9]{5}\n");
        }
    }

    @Test
    void theServicesOwnBytesAreCounted() throws Exception {
        Assumptions.assumeTrue(installed("bash"), "bash");
        byte[] bytes = new byte[3 << 20];
        HttpServer service = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 5);
        service.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, bytes.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(bytes);
            }
        });
        service.start();
        try {
            String said = says(Url.of("http://127.0.0.1:" + service.getAddress().getPort() + "/big"));
            long counted = Long.parseLong(said.lines().findFirst().orElseThrow().replace("bytes ", ""));
            assertThat(counted).isBetween(3L << 20, (3L << 20) + 1_000);
        } finally {
            service.stop(0);
        }
    }

    @Test
    void whereNothingAnswersItSaysSo() throws Exception {
        Assumptions.assumeTrue(installed("bash"), "bash");
        Url nobody = Url.of("nws://127.0.0.1:" + FreePorts.take());
        assertThat(says(nobody)).startsWith("why nothing answers at 127.0.0.1:" + nobody.port());
        HttpServer other = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 5);
        other.start();
        try {
            Url wrong = Url.of("nws://127.0.0.1:" + other.getAddress().getPort());
            assertThat(says(wrong)).startsWith("why 127.0.0.1:");
        } finally {
            other.stop(0);
        }
    }
}
