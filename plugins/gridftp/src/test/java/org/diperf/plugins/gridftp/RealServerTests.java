package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against globus-gridftp-server where it is installed: what arrives is what was there. */
@Timeout(120)
class RealServerTests {

    private static final int[] SIZES = {0, 1, 65_535, 65_536, 65_537, 10 << 20};
    private static final long SEED = 20_261_121;

    @TempDir
    Path folder;

    @BeforeEach
    void letTheServerIn() throws IOException {
        RealServer.open(folder);
    }

    private PluginHarness harness(URI target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new GridFtpPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, new NettyLoop());
    }

    private Path file(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(SEED + size).nextBytes(bytes);
        return Files.write(folder.resolve("file-" + size), bytes);
    }

    private static String digest(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    private static void well(CallProbe call, long bytes) {
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 1", "extended, 4", "extended, 16"})
    void whatIsGotIsWhatIsThere(String mode, int streams) throws Exception {
        try (RealServer server = RealServer.anonymous(folder)) {
            for (int size : SIZES) {
                Path file = file(size);
                Path sink = folder.resolve("got");
                Map<String, Object> with = Map.of("mode", mode, "parallelism", streams, "sink", sink.toString());
                try (PluginHarness harness = harness(server.uri(file), with);
                        PluginHarness.Owned client = harness.client(0)) {
                    for (int i = 0; i < 3; i++) {
                        well(client.call(), size);
                        assertThat(digest(sink)).as(mode + " " + size).isEqualTo(digest(file));
                    }
                }
            }
            assertThat(server.transfers()).hasSize(SIZES.length * 3);
            for (int i = 0; i < SIZES.length; i++) {
                assertThat(server.transfers().get(3 * i)).contains("NBYTES=" + SIZES[i] + " ", "CODE=226");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 1", "extended, 4", "extended, 16"})
    void whatIsPutIsThere(String mode, int streams) throws Exception {
        try (RealServer server = RealServer.anonymous(folder)) {
            for (int size : SIZES) {
                Path file = file(size);
                Map<String, Object> with = Map.of(
                        "direction",
                        "put",
                        "mode",
                        mode,
                        "parallelism",
                        streams,
                        "source",
                        file.toString(),
                        "path",
                        folder + "/put-${call}");
                try (PluginHarness harness = harness(server.uri(folder), with);
                        PluginHarness.Owned client = harness.client(0)) {
                    for (int i = 0; i < 3; i++) {
                        well(client.call(), size);
                        assertThat(digest(folder.resolve("put-" + i)))
                                .as(mode + " " + size)
                                .isEqualTo(digest(file));
                        Files.delete(folder.resolve("put-" + i));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"get, 1", "get, 2", "put, 1", "put, 2"})
    void manySmallTransfersAskedForAheadAreAllThere(String direction, int streams) throws Exception {
        int count = 60;
        List<String> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(file(1_000 + i).toString());
        }
        Map<String, Object> with = new HashMap<>(
                Map.of("direction", direction, "mode", "extended", "parallelism", streams, "pipelining", 10));
        if (direction.equals("get")) {
            with.put("files", files);
            with.put("sink", folder + "/moved-${call}");
        } else {
            with.put("path", folder + "/moved-${call}");
            with.put("size", 1_500);
        }
        try (RealServer server = RealServer.anonymous(folder);
                PluginHarness harness = harness(server.uri(folder), with);
                PluginHarness.Owned client = harness.client(0)) {
            List<CallProbe> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                calls.add(client.begin(0));
            }
            for (int i = 0; i < count; i++) {
                assertThat(calls.get(i).awaitEnd(20_000)).as("call " + i).isTrue();
                well(calls.get(i), direction.equals("get") ? 1_000 + i : 1_500);
                Path moved = folder.resolve("moved-" + i);
                if (direction.equals("get")) {
                    assertThat(digest(moved)).isEqualTo(digest(Path.of(files.get(i))));
                } else {
                    assertThat(Files.readAllBytes(moved)).isEqualTo(new byte[1_500]);
                }
            }
            assertThat(server.transfers()).hasSize(count);
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1, 1, false", "extended, 4, 1, false", "extended, 1, 8, false", "extended, 2, 1, true"})
    void aThirdPartyTransferMovesTheFileBetweenTwoServers(String mode, int streams, int ahead, boolean striped)
            throws Exception {
        Path to = Files.createDirectory(folder.resolve("to"));
        RealServer.open(to);
        List<String> files = new ArrayList<>();
        for (int size : SIZES) {
            files.add(file(size).toString());
        }
        try (RealServer source = RealServer.anonymous(folder);
                RealServer destination = RealServer.anonymous(folder)) {
            Map<String, Object> with = new HashMap<>(Map.of("direction", "third-party", "mode", mode));
            with.putAll(Map.of("parallelism", streams, "pipelining", ahead, "striped", striped, "files", files));
            with.put("to", destination.uri(to) + "/");
            try (PluginHarness harness = harness(source.uri("/"), with);
                    PluginHarness.Owned client = harness.client(0)) {
                List<CallProbe> calls = new ArrayList<>();
                for (int i = 0; i < files.size(); i++) {
                    calls.add(ahead > 1 ? client.begin(0) : client.call());
                }
                for (int i = 0; i < files.size(); i++) {
                    assertThat(calls.get(i).awaitEnd(20_000)).isTrue();
                    well(calls.get(i), SIZES[i]);
                    Path from = Path.of(files.get(i));
                    assertThat(digest(to.resolve(from.getFileName()))).isEqualTo(digest(from));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"put, 1", "put, 4", "third-party, 1", "third-party, 4"})
    void stripesTakeTheirShares(String direction, int streams) throws Exception {
        Path to = Files.createDirectory(folder.resolve("to"));
        RealServer.open(to);
        try (RealServer one = RealServer.anonymous(folder, "-dn");
                RealServer two = RealServer.anonymous(folder, "-dn");
                RealServer source = RealServer.anonymous(folder);
                RealServer front =
                        RealServer.anonymous(folder, "-r", "127.0.0.1:" + one.port() + ",127.0.0.1:" + two.port())) {
            for (int size : SIZES) {
                Path file = file(size);
                Path moved = to.resolve("moved");
                boolean put = direction.equals("put");
                Map<String, Object> with = new HashMap<>(
                        Map.of("direction", direction, "mode", "extended", "parallelism", streams, "striped", true));
                with.put("source", file.toString());
                if (!put) {
                    with.put("to", front.uri(moved).toString());
                }
                try (PluginHarness harness = harness(put ? front.uri(moved) : source.uri(file), with);
                        PluginHarness.Owned client = harness.client(0)) {
                    for (int i = 0; i < 2; i++) {
                        well(client.call(), size);
                        assertThat(digest(moved)).as(direction + " " + size).isEqualTo(digest(file));
                    }
                }
                Files.delete(moved);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"get, MD5", "put, SHA256", "third-party, ADLER32", "get, ADLER32", "put, SHA1"})
    void checksumsOfBothSidesAreCompared(String direction, String algorithm) throws Exception {
        Path file = file(65_537);
        Path moved = folder.resolve("moved");
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = new HashMap<>(Map.of("direction", direction, "checksum", algorithm));
            with.put("sink", moved.toString());
            with.put("source", file.toString());
            if (direction.equals("third-party")) {
                with.put("to", server.uri(moved).toString());
            }
            try (PluginHarness harness = harness(server.uri(direction.equals("put") ? moved : file), with);
                    PluginHarness.Owned client = harness.client(0)) {
                well(client.call(), 65_537);
                assertThat(digest(moved)).isEqualTo(digest(file));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 1", "extended, 4"})
    void aPartIsThatPart(String mode, int streams) throws Exception {
        Path file = file(10 << 20);
        Path sink = folder.resolve("got");
        byte[] whole = Files.readAllBytes(file);
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = new HashMap<>(Map.of("mode", mode, "parallelism", streams));
            with.put("sink", sink.toString());
            with.put("offset", 1_000_000);
            try (PluginHarness harness = harness(server.uri(file), with);
                    PluginHarness.Owned client = harness.client(0)) {
                well(client.call(), whole.length - 1_000_000);
                assertThat(Files.readAllBytes(sink)).isEqualTo(Arrays.copyOfRange(whole, 1_000_000, whole.length));
            }
            with.put("length", 5_000_000);
            try (PluginHarness harness = harness(server.uri(file), with);
                    PluginHarness.Owned client = harness.client(0)) {
                well(client.call(), 5_000_000);
                assertThat(Files.readAllBytes(sink)).isEqualTo(Arrays.copyOfRange(whole, 1_000_000, 6_000_000));
            }
        }
    }

    @Test
    void whatTheServerRefusesIsTold() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        try (RealServer server = RealServer.anonymous(folder)) {
            for (String mode : List.of("stream", "extended")) {
                try (PluginHarness harness = harness(server.uri(folder.resolve("none")), Map.of("mode", mode));
                        PluginHarness.Owned client = harness.client(0)) {
                    assertThat(client.call().failure()).isEqualTo("RETR: 500 No such file or directory");
                    assertThat(client.call().failure()).isEqualTo("RETR: 500 No such file or directory");
                }
                Map<String, Object> put = Map.of("mode", mode, "direction", "put");
                try (PluginHarness harness = harness(server.uri(closed.resolve("x")), put);
                        PluginHarness.Owned client = harness.client(0)) {
                    assertThat(client.call().failure()).isEqualTo("STOR: 500 Permission denied");
                }
            }
        }
    }

    @Test
    void aFullServerIsTold() throws Exception {
        try (RealServer server = RealServer.anonymous(folder, "-connections-max", "1");
                PluginHarness harness = harness(server.uri(file(10)), Map.of());
                PluginHarness.Owned first = harness.client(0);
                PluginHarness.Owned second = harness.client(1)) {
            CallProbe only = first.call();
            while (!only.isOk()) {
                // The connection that saw the server come up may still count.
                assertThat(only.failure()).startsWith("connect: 421");
                only = first.call();
            }
            well(only, 10);
            assertThat(second.call().failure()).startsWith("connect: 421 Service busy");
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 4"})
    void aServerKilledInTheMiddleEndsTheTransfer(String mode, int streams) throws Exception {
        RealServer server = RealServer.anonymous(folder);
        try (server;
                PluginHarness harness = harness(server.uri("/dev/zero"), Map.of("mode", mode, "parallelism", streams));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            assertThat(call.awaitEnd(300)).isFalse();
            server.kill();
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).contains("closed");
            assertThat(call.bytes()).isPositive();
            assertThat(client.call().failure()).isEqualTo("connect: connection refused");
        }
    }
}
