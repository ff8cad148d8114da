package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against globus-gridftp-server with GSI and a proxy of grid-proxy-init, where they are installed. */
@Timeout(120)
class GsiTests {

    private static final String ACCOUNT =
            "root".equals(System.getProperty("user.name")) ? "nobody" : System.getProperty("user.name");

    @TempDir
    static Path world;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeCertificates() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/grid-proxy-init")), "grid-proxy-init is not installed");
        RealServer.open(world);
        Path script = world.resolve("make-gsi.sh");
        try (InputStream in = GsiTests.class.getResourceAsStream("make-gsi.sh")) {
            assertThat(in).isNotNull();
            Files.copy(in, script);
        }
        run("sh", script.toString(), world.toString(), ACCOUNT);
        run(
                "grid-proxy-init",
                "-cert",
                world.resolve("user-cert.pem").toString(),
                "-key",
                world.resolve("user-key.pem").toString(),
                "-out",
                world.resolve("proxy.pem").toString(),
                "-valid",
                "12:00");
    }

    private static void run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("X509_CERT_DIR", world.resolve("trusted").toString());
        builder.redirectOutput(world.resolve("output.log").toFile());
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(world.resolve("output.log")))
                .isZero();
    }

    private RealServer server() throws Exception {
        RealServer.open(folder);
        return RealServer.start(
                folder,
                true,
                Map.of(
                        "X509_CERT_DIR",
                        world.resolve("trusted").toString(),
                        "GRIDMAP",
                        world.resolve("grid-mapfile").toString(),
                        "X509_USER_CERT",
                        world.resolve("host-cert.pem").toString(),
                        "X509_USER_KEY",
                        world.resolve("host-key.pem").toString()),
                List.of());
    }

    private PluginHarness harness(URI target, Map<String, ?> more) throws Exception {
        Map<String, Object> with = new HashMap<>(Map.of(
                "proxy-file",
                world.resolve("proxy.pem").toString(),
                "ca-dir",
                world.resolve("trusted").toString()));
        with.putAll(more);
        return new PluginHarness(
                new GridFtpPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, new NettyLoop());
    }

    private Path file(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Files.write(folder.resolve("file-" + size), bytes);
    }

    @ParameterizedTest
    @CsvSource({"none, stream, 1", "none, extended, 4", "self, stream, 1", "self, extended, 1", "self, extended, 4"})
    void filesGoBothWays(String dcau, String mode, int streams) throws Exception {
        try (RealServer server = server()) {
            for (int size : new int[] {0, 1, 65_537, 10 << 20}) {
                Path file = file(size);
                Path moved = folder.resolve("moved");
                Map<String, Object> with = new HashMap<>(Map.of("dcau", dcau, "mode", mode, "parallelism", streams));
                with.put("sink", moved.toString());
                with.put("source", file.toString());
                for (String direction : List.of("get", "put")) {
                    with.put("direction", direction);
                    URI target = server.uri(direction.equals("get") ? file : moved);
                    try (PluginHarness harness = harness(target, with);
                            PluginHarness.Owned client = harness.client(0)) {
                        for (int i = 0; i < 2; i++) {
                            CallProbe call = client.call();
                            assertThat(call.failure())
                                    .as(direction + " " + size)
                                    .isNull();
                            assertThat(call.bytes()).isEqualTo(size);
                            assertThat(moved).hasSameBinaryContentAs(file);
                        }
                    }
                    Files.delete(moved);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"none, stream", "none, extended", "self, stream", "self, extended"})
    void aThirdPartyTransferMovesTheFile(String dcau, String mode) throws Exception {
        Path file = file(1 << 20);
        Path moved = folder.resolve("moved");
        try (RealServer source = server();
                RealServer destination = server()) {
            Map<String, String> with = Map.of(
                    "direction", "third-party", "to", destination.uri(moved).toString(), "dcau", dcau, "mode", mode);
            try (PluginHarness harness = harness(source.uri(file), with);
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(moved).hasSameBinaryContentAs(file);
            }
        }
    }

    @Test
    void whoMayNotLogInIsTold() throws Exception {
        try (RealServer server = server()) {
            try (PluginHarness harness = harness(
                            server.uri("/dev/zero"),
                            Map.of("proxy-file", world.resolve("other.pem").toString()));
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).startsWith("PASS: 530 ");
            }
            Path nobody = Files.createDirectory(folder.resolve("nobody"));
            try (PluginHarness harness = harness(server.uri("/dev/zero"), Map.of("ca-dir", nobody.toString()));
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isEqualTo("GSI: certificate not trusted");
            }
            assertThatThrownBy(() -> harness(
                                    server.uri("/x"),
                                    Map.of(
                                            "proxy-file",
                                            world.resolve("none.pem").toString()))
                            .close())
                    .hasMessageContaining("proxy-file: wanted a PEM file");
        }
    }
}
