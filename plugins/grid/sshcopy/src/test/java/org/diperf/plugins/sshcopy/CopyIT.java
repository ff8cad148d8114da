package org.diperf.plugins.sshcopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against OpenSSH's sshd: every file arrives whole both ways, and what goes wrong is said. */
@Timeout(180)
class CopyIT {

    private static final long SEED = 20_261_121;
    private static final int[] SIZES = {0, 1, 32_767, 32_768, 32_769, 5_000_000};

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        ClientPlugin plugin = target.scheme().equals("scp") ? new ScpPlugin() : new SftpPlugin();
        return new PluginHarness(plugin, List.of(target), with, Duration.ofSeconds(20), folder, new JdkLoop());
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private static String digest(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    private Path random(String name, int size) throws Exception {
        byte[] bytes = new byte[size];
        new Random(SEED + size).nextBytes(bytes);
        return Files.write(folder.resolve(name), bytes);
    }

    @Tag("quick")
    @ParameterizedTest
    @CsvSource({"scp, keep", "scp, new", "sftp, keep", "sftp, new"})
    void filesOfAllSizesArriveWholeBothWays(String scheme, String connection) throws Exception {
        try (RealSshd sshd = RealSshd.start()) {
            Path strange = Files.createDirectory(folder.resolve("it's a $HOME *?"));
            Path there = strange.resolve("file [1] \\ there");
            Path here = folder.resolve("here");
            Map<String, Object> with = sshd.with("connection", connection, "path", there.toString());
            for (int size : SIZES) {
                Path file = random("file", size);
                Files.copy(file, there);
                with.put("direction", "get");
                with.put("sink", here.toString());
                CallProbe got = one(sshd.uri(scheme, Path.of("/")), with);
                assertThat(got.isOk()).as(size + ": " + got).isTrue();
                assertThat(got.bytes()).isEqualTo(size);
                assertThat(digest(here)).isEqualTo(digest(file));
                Files.delete(there);
                with.remove("sink");
                with.put("direction", "put");
                with.put("source", file.toString());
                CallProbe put = one(sshd.uri(scheme, Path.of("/")), with);
                assertThat(put.isOk()).as(size + ": " + put).isTrue();
                assertThat(put.bytes()).isEqualTo(size);
                assertThat(digest(there)).isEqualTo(digest(file));
                Files.delete(there);
                with.remove("source");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scp", "sftp"})
    void callsShareALoginWhereItIsKept(String scheme) throws Exception {
        Path file = random("file", 1_000);
        try (RealSshd sshd = RealSshd.start();
                PluginHarness harness = harness(sshd.uri(scheme, file), sshd.with());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 20; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.metrics().containsKey("login")).isEqualTo(i == 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scp", "sftp"})
    void zerosOfAnySizeCanBePut(String scheme) throws Exception {
        Path there = folder.resolve("zeros");
        try (RealSshd sshd = RealSshd.start()) {
            CallProbe call = one(sshd.uri(scheme, there), sshd.with("direction", "put", "size", "3MiB"));
            assertThat(call.isOk()).as(call.toString()).isTrue();
            assertThat(Files.readAllBytes(there)).isEqualTo(new byte[3 << 20]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scp", "sftp"})
    void whatTheServerRefusesIsAnOutcomeAndTheLoginStays(String scheme) throws Exception {
        Path file = folder.resolve("later");
        try (RealSshd sshd = RealSshd.start();
                PluginHarness harness = harness(sshd.uri(scheme, file), sshd.with());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure())
                    .isEqualTo(scheme.equals("scp") ? "scp: no such file or directory" : "sftp: no such file");
            random("later", 10);
            CallProbe second = client.call();
            assertThat(second.isOk()).as(second.toString()).isTrue();
            assertThat(second.isFirst()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scp", "sftp"})
    void hostsAreTrustedByTheirRecordedKeysAlone(String scheme) throws Exception {
        Path file = random("file", 10);
        try (RealSshd sshd = RealSshd.start()) {
            Path none = folder.resolve("none");
            Url target = sshd.uri(scheme, file);
            assertThat(one(target, sshd.with("known-hosts", none.toString())).failure())
                    .startsWith("host key: its ssh-ed25519 host key is not known");
            assertThat(none).doesNotExist();
            Map<String, Object> accepting = sshd.with("known-hosts", none.toString(), "host-keys", "accept-new");
            assertThat(one(target, accepting).isOk()).isTrue();
            assertThat(none).exists();
            // Another key is recorded: whatever is set, that host is not trusted.
            String port = Integer.toString(target.port());
            String other = Files.readString(sshd.folder().resolve("user.pub"));
            Files.writeString(none, "[127.0.0.1]:" + port + " " + other);
            assertThat(one(target, accepting).failure()).startsWith("host key: its host key has changed");
        }
    }

    @Test
    void aKeyThatIsNotAuthorizedIsRefused() throws Exception {
        Path file = random("file", 10);
        try (RealSshd sshd = RealSshd.start()) {
            // The host's own key is a good one that nobody authorized.
            Map<String, Object> with =
                    sshd.with("key", sshd.folder().resolve("host").toString());
            assertThat(one(sshd.uri("sftp", file), with).failure()).isEqualTo("login refused");
            assertThatThrownBy(() -> one(sshd.uri("sftp", file), sshd.with("key", "/none")))
                    .hasMessageContaining("got no file /none");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scp", "sftp"})
    void aServerThatDiesOrIsNoneIsAnOutcome(String scheme) throws Exception {
        Path file = random("file", 10);
        try (RealSshd sshd = RealSshd.start();
                PluginHarness harness = harness(sshd.uri(scheme, file), sshd.with());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            sshd.kill();
            assertThat(client.call().failure()).isIn("connection refused", "connection closed", "connection reset");
            try (ServerSocket other = new ServerSocket(0)) {
                Thread talker = new Thread(() -> {
                    try (Socket one = other.accept()) {
                        one.getOutputStream().write("220 ftp\r\n".getBytes(StandardCharsets.US_ASCII));
                    } catch (java.io.IOException closed) {
                        // the test is over
                    }
                });
                talker.start();
                Url target = Url.of(scheme + "://127.0.0.1:" + other.getLocalPort() + "/file");
                assertThat(one(target, sshd.with()).failure()).isIn("connection closed", "not ssh");
                talker.join();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scp", "sftp"})
    void aServerThatDiesWithinAFileIsAnOutcomeWithTheBytesSoFar(String scheme) throws Exception {
        Path file = folder.resolve("large");
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(8L << 30);
        }
        Path here = Files.createFile(folder.resolve("here"));
        try (RealSshd sshd = RealSshd.start();
                PluginHarness harness = harness(sshd.uri(scheme, file), sshd.with("sink", here.toString()));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            while (call.ends() == 0 && Files.size(here) == 0) {
                Thread.onSpinWait();
            }
            sshd.kill();
            assertThat(call.awaitEnd(15_000)).isTrue();
            assertThat(call.failure())
                    .isIn("connection closed", "connection reset", "closed in the middle of the file");
            assertThat(call.bytes()).isBetween(1L, (8L << 30) - 1);
        }
    }

    @Test
    void whatCannotBeCopiedIsSaidBeforeAnythingStarts() {
        assertThatThrownBy(() -> harness(Url.of("scp://127.0.0.1:1/"), Map.of()))
                .hasMessageStartingWith("path: expected a file");
        assertThatThrownBy(() -> harness(Url.of("scp://a:b@127.0.0.1:1/x"), Map.of()))
                .hasMessageStartingWith("target: expected just a user name");
        assertThatThrownBy(() -> harness(Url.of("sftp:/x"), Map.of()))
                .hasMessageStartingWith("target: expected sftp://");
    }
}
