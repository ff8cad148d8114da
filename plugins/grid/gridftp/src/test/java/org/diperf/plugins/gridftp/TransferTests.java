package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
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
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TransferTests {

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
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
        Url any = Url.of("ftp://127.0.0.1/x");
        assertThatThrownBy(() -> harness(any, Map.of("parallelism", 4)).close())
                .hasMessageContaining("mode: expected extended");
        assertThatThrownBy(
                        () -> harness(any, Map.of("direction", "third-party")).close())
                .hasMessageContaining("to: expected the destination URL");
        assertThatThrownBy(() -> harness(Url.of("http://x/y"), Map.of()).close())
                .hasMessageContaining("target: expected ftp://");
        assertThatThrownBy(() -> harness(any, Map.of("dcau", "self")).close()).hasMessageContaining("gsiftp");
        assertThatThrownBy(() -> harness(any, Map.of("data-ports", "9")).close())
                .hasMessageContaining("range");
    }

    @Test
    void whatWouldNotBeLookedAtIsToldBeforeTheRun() {
        assertThat(refused(Map.of("direction", "put", "sink", "/tmp/x")))
                .isEqualTo("sink: applies only to direction: get, got put; drop it");
        assertThat(refused(Map.of("direction", "third-party", "to", "ftp://h/x", "sink", "/tmp/x")))
                .isEqualTo("sink: applies only to direction: get, got third-party; drop it");
        assertThat(refused(Map.of("source", "/tmp/x")))
                .isEqualTo("source: applies only to direction: put, got get; drop it");
        assertThat(refused(Map.of("files", List.of())))
                .isEqualTo("files: expected at least one name, got none; set files: [NAME, ...], or drop it");
        assertThat(refused(Map.of("path", "a", "files", List.of("b"))))
                .isEqualTo("path: expected path or files, one call per file, got both; drop one");
        assertThat(refused(Map.of("length", 0)))
                .isEqualTo(
                        "length: expected at least 1 byte, got 0; set a length, or drop it to transfer the whole file");
        assertThat(refused(Map.of("stall", "9s")))
                .isEqualTo("stall: applies only to managed: true; set that, or drop stall");
        assertThat(refused(Map.of("retries", 5)))
                .isEqualTo("retries: applies only to managed: true; set that, or drop retries");
        assertThat(refused(Map.of("managed", true, "stall", "0")))
                .isEqualTo("stall: expected more than 0, got 0s; set a time such as 60s");
        assertThat(refused(Map.of("managed", true, "mode", "stream")))
                .startsWith(
                        "managed: expected no mode, parallelism, concurrency or pipelining, because managed transfers");
    }

    private String refused(Map<String, ?> with) {
        return String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> harness(Url.of("ftp://127.0.0.1/x"), with).close())
                .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "extended"})
    void aFileWithFewerBytesThanAskedForFailsTheCall(String mode) throws Exception {
        byte[] blocks = ByteBuffer.allocate(17 + 10 + 17)
                .put((byte) 0)
                .putLong(10)
                .putLong(0)
                .put(new byte[10])
                .put((byte) 0x48)
                .putLong(0)
                .putLong(1)
                .array();
        try (ScriptedServer server =
                new ScriptedServer("220 hi", line -> null).sends(mode.equals("stream") ? new byte[10] : blocks)) {
            CallProbe tooShort = call(server.uri(), Map.of("mode", mode, "length", 11));
            assertThat(tooShort.failure()).isEqualTo("file too short: fewer bytes than length asks for");
            assertThat(tooShort.bytes()).isEqualTo(10);
            assertThat(call(server.uri(), Map.of("mode", mode, "length", 10)).failure())
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "extended"})
    void anOffsetBeyondTheEndFailsTheCall(String mode) throws Exception {
        byte[] end =
                ByteBuffer.allocate(17).put((byte) 0x48).putLong(0).putLong(1).array();
        try (ScriptedServer server =
                new ScriptedServer("220 hi", line -> null).sends(mode.equals("stream") ? new byte[0] : end)) {
            assertThat(call(server.uri(), Map.of("mode", mode, "offset", 10)).failure())
                    .isEqualTo("file too short: no data after offset");
            assertThat(call(server.uri(), Map.of("mode", mode)).failure())
                    .as("an empty file, all of it")
                    .isNull();
        }
    }

    @Test
    void betweenTwoServersTooShortAFileIsNotMovedAtAll() throws Exception {
        try (FtpStandIn from = FtpStandIn.start();
                ScriptedServer to = new ScriptedServer("220 hi", line -> null)) {
            Map<String, Object> with = new HashMap<>(
                    Map.of("direction", "third-party", "to", to.uri().toString()));
            with.put("length", FtpStandIn.FILE_BYTES + 1);
            assertThat(call(from.target(), with).failure())
                    .isEqualTo("file too short: fewer bytes than length asks for");
            with.remove("length");
            with.put("offset", FtpStandIn.FILE_BYTES);
            assertThat(call(from.target(), with).failure()).isEqualTo("file too short: no data after offset");
            assertThat(to.commands()).noneMatch(line -> line.startsWith("STOR"));
        }
    }

    private CallProbe call(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }
}
