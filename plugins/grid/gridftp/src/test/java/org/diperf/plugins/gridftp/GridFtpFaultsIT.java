package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.RealServer;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever globus-gridftp-server refuses or breaks off, a call ends with the command and the reply, and nothing is left open.
 * What no server of good will does is in {@link HostileServerTests}.
 */
@Timeout(120)
class GridFtpFaultsIT {

    /** How often each thing fails: what is leaked would add up. */
    private static final int TIMES = 12;

    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    Path folder;

    @BeforeEach
    void letTheServersIn() throws IOException {
        RealServer.open(folder);
    }

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new GridFtpPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, new NettyLoop());
    }

    /** Fails again and again in the same way, then looks at what is left. */
    private void fails(Url target, Map<String, ?> with, String wanted) throws Exception {
        try (PluginHarness harness = harness(target, with)) {
            Held before = Held.now(folder);
            try (PluginHarness.Owned client = harness.client(0)) {
                for (int i = 0; i < TIMES; i++) {
                    CallProbe call = client.call();
                    assertThat(call.failure()).as("call " + i).isEqualTo(wanted);
                    assertThat(call.ends()).isEqualTo(1);
                }
            }
            before.isAllThatIsHeld();
        }
    }

    @Test
    void aWrongPasswordIsTold() throws Exception {
        Path passwords = folder.resolve("passwords");
        Object user = Files.getAttribute(folder, "unix:uid");
        String number = user.equals(0) ? "65534" : user.toString();
        // The server knows crypt(3) of old: this is of "secret".
        Files.writeString(passwords, "tester:abNANd1rDfiNc:" + number + ":" + number + ":t:/tmp:/bin/sh\n");
        try (RealServer server = RealServer.start(
                folder, false, Map.of(), List.of("-password-file", passwords.toString(), "-allow-disabled-login"))) {
            Url target = server.uri(file(10));
            fails(target, Map.of("user", "tester", "password", "guess"), "PASS: 530 Login incorrect. : Invalid user.");
            try (PluginHarness harness = harness(target, Map.of("user", "tester", "password", "secret"));
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 4"})
    void aMissingFileIsTold(String mode, int streams) throws Exception {
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = new HashMap<>(Map.of("mode", mode, "parallelism", streams));
            fails(server.uri(folder.resolve("none")), with, "RETR: 500 No such file or directory");
            with.putAll(Map.of(
                    "direction", "third-party", "to", server.uri("/dev/null").toString()));
            fails(server.uri(folder.resolve("none")), with, "SIZE: 550 No such file or directory");
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 4"})
    void whatMayNotBeWrittenIsTold(String mode, int streams) throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Path file = file(100_000);
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = new HashMap<>(Map.of("mode", mode, "parallelism", streams));
            Map<String, Object> put = new HashMap<>(with);
            put.put("direction", "put");
            fails(server.uri(closed.resolve("x")), put, "STOR: 500 Permission denied");
            with.put("direction", "third-party");
            with.put("to", server.uri(closed.resolve("x")).toString());
            fails(server.uri(file), with, "STOR: 500 Permission denied");
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1", "extended, 1", "extended, 4"})
    void aFullDiskOfTheTesterIsNotTheServersFault(String mode, int streams) throws Exception {
        assumeTrue(Files.exists(FULL), "no /dev/full");
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = Map.of("mode", mode, "parallelism", streams, "sink", FULL.toString());
            fails(server.uri(file(5_000_000)), with, "local file: no space left on device");
        }
    }

    @Test
    void aFullDiskOfTheTesterEndsAJobAtOnce() throws Exception {
        assumeTrue(Files.exists(FULL), "no /dev/full");
        Path from = Files.createDirectory(folder.resolve("from"));
        Path sink = Files.createDirectory(folder.resolve("sink"));
        for (int i = 0; i < 20; i++) {
            Files.write(from.resolve("file-" + i), new byte[50_000]);
        }
        Path full = Files.createSymbolicLink(sink.resolve("file-7"), FULL);
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = Map.of("managed", true, "sink", sink.toString(), "stall", "1h");
            fails(server.uri(from + "/"), with, "local file: no space left on device");
        } finally {
            Files.delete(full);
        }
    }

    @ParameterizedTest
    @CsvSource({"get, stream, 1", "get, extended, 4", "third-party, extended, 2"})
    void aFileWithFewerBytesThanAskedForIsTold(String direction, String mode, int streams) throws Exception {
        Path file = file(300_000);
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with =
                    new HashMap<>(Map.of("direction", direction, "mode", mode, "parallelism", streams));
            if (direction.equals("third-party")) {
                with.put("to", server.uri("/dev/null").toString());
            }
            with.put("length", 5_000_000);
            fails(server.uri(file), with, "file too short: fewer bytes than length asks for");
            with.put("offset", 300_001);
            with.remove("length");
            fails(server.uri(file), with, "file too short: no data after offset");
        }
    }

    @Test
    void aFullServerIsTold() throws Exception {
        try (RealServer server = RealServer.anonymous(folder, "-connections-max", "1");
                PluginHarness harness = harness(server.uri(file(10)), Map.of());
                PluginHarness.Owned first = harness.client(0)) {
            CallProbe only = first.call();
            while (!only.isOk()) {
                // The connection that saw the server come up may still count.
                assertThat(only.failure()).startsWith("connect: 421");
                only = first.call();
            }
            fails(
                    server.uri("/dev/zero"),
                    Map.of(),
                    "connect: 421 Service busy: Connection limit exceeded. Please try again later. Closing control connection.");
        }
    }

    @ParameterizedTest
    @CsvSource({"get, stream, 1", "get, extended, 4", "put, stream, 1", "put, extended, 4", "third-party, extended, 2"})
    void aServerKilledInTheMiddleEndsTheTransfer(String direction, String mode, int streams) throws Exception {
        // A busy machine takes a while to begin the transfer.
        for (long millis = 300; !killedInTheMiddle(direction, mode, streams, millis); millis *= 2) {
            assertThat(millis).as("the transfer begins").isLessThan(10_000);
        }
    }

    /** Kills the server some time after a call began; returns whether that was in the middle of the transfer. */
    private boolean killedInTheMiddle(String direction, String mode, int streams, long millis) throws Exception {
        Map<String, Object> with =
                new HashMap<>(Map.of("direction", direction, "mode", mode, "parallelism", streams, "size", "1TB"));
        RealServer server = RealServer.anonymous(folder);
        RealServer other = RealServer.anonymous(folder);
        if (direction.equals("third-party")) {
            with.put("to", other.uri("/dev/null").toString());
            with.put("pipelining", 2); // without SIZE, which a device has not
        }
        Url target = server.uri(direction.equals("put") ? "/dev/null" : "/dev/zero");
        try (server;
                other;
                PluginHarness harness = harness(target, with)) {
            Held before = Held.now(folder);
            try (PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.begin(0);
                assertThat(call.awaitEnd(millis)).as("ended: " + call).isFalse();
                server.kill();
                assertThat(call.awaitEnd(5_000)).as("ended").isTrue();
                if (!call.failure().matches("(RETR|STOR): .*")) {
                    return false;
                }
                assertThat(call.failure()).matches("(RETR|STOR): ((control|data) (connection|block)|[45][0-9][0-9]).*");
                if (!direction.equals("third-party")) {
                    assertThat(call.bytes()).isPositive();
                }
                assertThat(client.call().failure())
                        .startsWith(direction.equals("third-party") ? "target: connect: " : "connect: ");
            }
            before.isAllThatIsHeld();
            return true;
        }
    }

    @Test
    void whoMayNotLogInWithGsiIsTold() throws Exception {
        Path at = Files.createDirectory(folder.resolve("world"));
        GsiWorld world = GsiWorld.make(at);
        Map<String, Object> with = new HashMap<>(world.with());
        try (RealServer server = RealServer.of(world, folder)) {
            with.put("proxy-file", at.resolve("other.pem").toString());
            try (PluginHarness harness = harness(server.uri("/dev/zero"), with);
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).startsWith("PASS: 530 ");
            }
            with.putAll(world.with());
            Path others = Files.createDirectory(folder.resolve("others"));
            Files.copy(at.resolve("host-cert.pem"), others.resolve("00000000.0"));
            with.put("ca-dir", others.toString());
            for (int i = 0; i < 3; i++) {
                try (PluginHarness harness = harness(server.uri("/dev/zero"), with)) {
                    Held before = Held.now(folder);
                    try (PluginHarness.Owned client = harness.client(0)) {
                        assertThat(client.call().failure()).startsWith("GSI: certificate not trusted: ca-dir has no ");
                    }
                    before.isAllThatIsHeld();
                }
            }
            with.put("proxy-file", at.resolve("none.pem").toString());
            assertThatThrownBy(() -> harness(server.uri("/x"), with).close())
                    .hasMessageContaining("proxy-file: expected a PEM file");
        }
    }

    private Path file(int size) throws IOException {
        return Files.write(folder.resolve("file-" + size), new byte[size]);
    }
}
