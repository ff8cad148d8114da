package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.AsyncClient;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TransferTests {

    @TempDir
    Path folder;

    private PluginHarness harness(URI target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new GridFtpPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, new NettyLoop());
    }

    @ParameterizedTest
    @CsvSource({
        "get, stream, 1, keep, true",
        "get, stream, 1, new, true",
        "put, stream, 1, keep, true",
        "get, extended, 1, keep, true",
        "get, extended, 4, keep, true",
        "get, extended, 4, keep, false",
        "get, extended, 3, new, true",
        "put, extended, 1, keep, true",
        "put, extended, 4, keep, true",
        "put, extended, 4, keep, false",
    })
    void everyByteOfEachTransferIsCounted(String direction, String mode, int streams, String connection, boolean kept)
            throws Exception {
        Map<String, Object> with = new HashMap<>(Map.of("direction", direction, "mode", mode, "parallelism", streams));
        with.put("connection", connection);
        with.put("cache-data-channels", kept);
        with.put("size", FtpStandIn.FILE_BYTES);
        try (FtpStandIn server = FtpStandIn.start();
                PluginHarness harness = harness(server.target(), with);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).as(call.toString()).isNull();
                assertThat(call.bytes()).isEqualTo(FtpStandIn.FILE_BYTES);
                assertThat(call.isFirst()).isEqualTo(i == 0 || connection.equals("new"));
                assertThat(call.metrics()).containsKeys("first-byte", "transfer");
                if (direction.equals("get") && streams > 1) {
                    assertThat(call.metrics().get("skew"))
                            .isBetween(0.0, call.metrics().get("transfer"));
                } else {
                    assertThat(call.metrics()).doesNotContainKey("skew");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"get, 1", "get, 3", "put, 1", "put, 3"})
    void transfersThatAreAskedForAheadEndEachOnItsOwn(String direction, int streams) throws Exception {
        Map<String, Object> with = Map.of(
                "direction", direction, "mode", "extended", "parallelism", streams, "pipelining", 8, "size", 200_000);
        try (FtpStandIn server = FtpStandIn.start();
                PluginHarness harness = harness(server.target(), with);
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(((AsyncClient) client.client()).callsAtOnce()).isEqualTo(8);
            List<CallProbe> calls = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                calls.add(client.begin(0));
            }
            for (CallProbe call : calls) {
                assertThat(call.awaitEnd(10_000)).isTrue();
                assertThat(call.failure()).isNull();
                assertThat(call.bytes()).isEqualTo(200_000);
            }
        }
    }

    @Test
    void severalSessionsOfAClientShareItsTransfers() throws Exception {
        try (FtpStandIn server = FtpStandIn.start();
                PluginHarness harness = harness(server.target(), Map.of("concurrency", 3));
                PluginHarness.Owned client = harness.client(0)) {
            List<CallProbe> calls = List.of(client.begin(0), client.begin(0), client.begin(0));
            for (CallProbe call : calls) {
                assertThat(call.awaitEnd(10_000)).isTrue();
                assertThat(call.isOk()).isTrue();
                assertThat(call.isFirst()).isTrue();
            }
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        URI any = URI.create("ftp://127.0.0.1/x");
        assertThatThrownBy(() -> harness(any, Map.of("parallelism", 4)).close())
                .hasMessageContaining("mode: wanted extended");
        assertThatThrownBy(
                        () -> harness(any, Map.of("direction", "third-party")).close())
                .hasMessageContaining("to: wanted the URL");
        assertThatThrownBy(() -> harness(URI.create("http://x/y"), Map.of()).close())
                .hasMessageContaining("target: wanted ftp://");
        assertThatThrownBy(() -> harness(any, Map.of("dcau", "self")).close()).hasMessageContaining("gsiftp");
        assertThatThrownBy(() -> harness(any, Map.of("data-ports", "9")).close())
                .hasMessageContaining("range");
    }
}
