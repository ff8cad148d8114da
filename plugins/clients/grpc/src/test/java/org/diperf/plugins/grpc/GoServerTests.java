package org.diperf.plugins.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that others wrote, in Go: gRPC's own test service, which is built for the long check. */
@Timeout(600)
class GoServerTests {

    @TempDir
    Path folder;

    private Url target = Url.of("grpc://127.0.0.1:1");

    private CallProbe call(String method, int messages, Map<String, String> message) throws Exception {
        try (PluginHarness harness = new PluginHarness(
                        new GrpcPlugin(),
                        List.of(target),
                        Map.of(
                                "method", "grpc.testing.TestService/" + method,
                                "message", message,
                                "messages", messages),
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call();
            assertThat(first.failure()).isNull();
            for (int i = 0; i < 200; i++) {
                assertThat(client.call().failure()).isNull();
            }
            return client.call();
        }
    }

    private void copy(String name, Path to) throws Exception {
        try (InputStream in = GoServerTests.class.getResourceAsStream("server/" + name)) {
            assertThat(in).as(name).isNotNull();
            Files.copy(in, to);
        }
    }

    private static Process go(Path folder, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("go"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("go.log").toFile())
                .start();
    }

    private static boolean hasGo(Path folder) throws Exception {
        try {
            return go(folder, "version").waitFor() == 0;
        } catch (IOException notHere) {
            return false;
        }
    }

    @Test
    void allKindsOfMethodsAreCalledAsTheServerDescribesThem() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "the server is built for the long check alone");
        assumeTrue(hasGo(folder), "Go is not installed: apt-get install golang");
        copy("main.go", folder.resolve("main.go"));
        copy("go.mod.txt", folder.resolve("go.mod"));
        int built = go(folder, "build", "-mod=mod", "-o", "server", ".").waitFor();
        assumeTrue(built == 0, () -> "Go's modules cannot be had: " + folder.resolve("go.log"));
        Process server = new ProcessBuilder(folder.resolve("server").toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            target = Url.of("grpc://127.0.0.1:" + said.readLine().strip());
            CallProbe unary = call("UnaryCall", 1, Map.of("response_size", "1000"));
            assertThat(unary.failure()).isNull();
            assertThat(unary.bytes()).isGreaterThan(1_000);
            CallProbe output = call(
                    "StreamingOutputCall",
                    1,
                    Map.of("response_parameters", "[{\"size\": 10}, {\"size\": 20}, {\"size\": 5}]"));
            assertThat(output.metrics()).containsEntry("messages", 3.0);
            CallProbe input = call("StreamingInputCall", 5, Map.of("payload", "{\"body\": \"AAEC\"}"));
            assertThat(input.failure()).isNull();
            CallProbe both = call("FullDuplexCall", 4, Map.of("response_parameters", "[{\"size\": 7}]"));
            assertThat(both.metrics()).containsEntry("messages", 4.0);
        } finally {
            server.destroy();
        }
    }
}
