package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a server does, a call ends with a reason, and the next one can try again. */
@Timeout(60)
class HostileServerTests {

    private static final Map<String, String> STREAM = Map.of();
    private static final Map<String, String> EXTENDED = Map.of("mode", "extended");

    @TempDir
    Path folder;

    private @Nullable String failure(
            Map<String, ?> with, String greeting, byte[] data, Function<String, @Nullable String> answers)
            throws Exception {
        try (ScriptedServer server = new ScriptedServer(greeting, answers).sends(data);
                PluginHarness harness = new PluginHarness(
                        new GridFtpPlugin(),
                        List.of(server.uri()),
                        with,
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop())) {
            Held before = Held.now(folder);
            CallProbe first;
            try (PluginHarness.Owned client = harness.client(0)) {
                first = client.call();
                CallProbe second = client.call();
                assertThat(second.failure()).as("the same again").isEqualTo(first.failure());
                assertThat(first.ends()).isEqualTo(1);
            }
            server.forgetConnections();
            before.isAllThatIsHeld();
            return first.failure();
        }
    }

    private @Nullable String answering(String command, String answer) throws Exception {
        return failure(STREAM, "220 hi", new byte[10], line -> line.startsWith(command) ? answer : null);
    }

    private @Nullable String sending(byte[] blocks) throws Exception {
        return failure(EXTENDED, "220 hi", blocks, line -> null);
    }

    private static byte[] block(int descriptor, long count, long offset, int payload) {
        return ByteBuffer.allocate(17 + payload)
                .put((byte) descriptor)
                .putLong(count)
                .putLong(offset)
                .array();
    }

    @Test
    void aRefusalNamesTheCommandAndTheReply() throws Exception {
        assertThat(answering("PASS", "530 Login incorrect.")).isEqualTo("PASS: 530 Login incorrect.");
        assertThat(answering("PASV", "425 No port.")).isEqualTo("PASV: 425 No port.");
        assertThat(answering("RETR", "550 /secret/file: not here")).isEqualTo("RETR: 550 FILE not here");
        assertThat(answering("RETR", "500-Command failed. : open\r\n500-x: /a/b\r\n500-sys: No such file\r\n500 End."))
                .isEqualTo("RETR: 500 No such file");
        assertThat(failure(STREAM, "421 Service busy: too many.", new byte[0], line -> null))
                .isEqualTo("connect: 421 Service busy: too many.");
    }

    @Test
    void whoLooksAtTheCallSeesTheDialogueWithoutThePassword() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                                "220 hi",
                                line -> line.startsWith("RETR") ? "550-no\r\n550 /secret/file: not here" : null)
                        .sends(new byte[10]);
                PluginHarness harness = new PluginHarness(
                        new GridFtpPlugin(),
                        List.of(Url.of(server.uri().toString().replace("://", "://ann:open-sesame@"))),
                        STREAM,
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.said(new GridFtpPlugin()))
                    .containsSubsequence(
                            "< 220 hi\n",
                            "> USER ann\n",
                            "> PASS ***\n",
                            "> PASV\n",
                            "< 227 ",
                            "> RETR ",
                            "< 550-no\n< 550 /secret/file: not here\n")
                    .doesNotContain("open-sesame");
        }
    }

    @Test
    void aServerThatHangsUpIsToldByTheCommandInWhichItDid() throws Exception {
        assertThat(answering("USER", "CLOSE")).isEqualTo("USER: control connection closed");
        assertThat(answering("TYPE", "CLOSE")).isEqualTo("TYPE: control connection closed");
        assertThat(answering("RETR", "CLOSE")).isEqualTo("RETR: control connection closed");
    }

    @Test
    void whatIsNoReplyFails() throws Exception {
        assertThat(failure(STREAM, "<html>", new byte[0], line -> null)).isEqualTo("connect: not a reply");
        assertThat(answering("PASV", "227 over there")).isEqualTo("PASV: no address");
        assertThat(answering("PASV", "227 (127,0,0,1,999,1)")).isEqualTo("PASV: wrong address");
        assertThat(answering("PASV", "227-" + "x".repeat(300_000))).isEqualTo("PASV: reply line too long");
    }

    @Test
    void anAddressThatLeadsNowhereNeedNotBeFollowed() throws Exception {
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null)
                        .sends(new byte[10])
                        .tells("127,0,0,9");
                PluginHarness harness = new PluginHarness(
                        new GridFtpPlugin(),
                        List.of(server.uri()),
                        Map.of("data-host", "control"),
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            assertThat(call.bytes()).isEqualTo(10);
        }
    }

    /** Else a server could have a tester's file sent to any machine that the tester reaches. */
    @Test
    void dataGoesToNoOtherHostUnlessTheUserSaysSo() throws Exception {
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null)
                        .sends(new byte[10])
                        .tells("127,0,0,9");
                PluginHarness harness = new PluginHarness(
                        new GridFtpPlugin(),
                        List.of(server.uri()),
                        Map.of(),
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure())
                    .isEqualTo("PASV: a host other than the server's; allow it with data-host: told");
        }
    }

    @Test
    void aTransferBrokenOffByTheServerFailsWithItsReason() throws Exception {
        assertThat(answering("RETR", "150 begin\r\n426 Data connection closed."))
                .isEqualTo("RETR: 426 Data connection closed.");
    }

    @Test
    void aBlockThatEndsEarlyFails() throws Exception {
        assertThat(sending(block(0, 1_000, 0, 500))).isEqualTo("RETR: data block cut off");
        assertThat(sending(new byte[] {0, 0, 0})).isEqualTo("RETR: data block cut off");
    }

    @Test
    void aHeaderThatLiesFails() throws Exception {
        assertThat(sending(block(0, -1, 0, 10))).isEqualTo("RETR: data block outside the file");
        assertThat(sending(block(0, 10, -5, 10))).isEqualTo("RETR: data block outside the file");
        assertThat(sending(block(0, 10, Long.MAX_VALUE, 10))).isEqualTo("RETR: data block outside the file");
        assertThat(sending(block(0x40, 0, 0, 0))).isEqualTo("RETR: data block with a wrong end of file");
        assertThat(sending(block(0x48, 5, 1, 5))).isEqualTo("RETR: data block with a wrong length");
    }

    @Test
    void blocksThatLeaveAGapFail() throws Exception {
        byte[] data = ByteBuffer.allocate(17 + 10 + 17)
                .put(block(0, 10, 1_000_000, 10))
                .put(block(0x48, 0, 1, 0))
                .array();
        assertThat(sending(data)).isEqualTo("RETR: data blocks leave gaps or overlap");
    }

    @Test
    void aStreamThatClosesBeforeItsEndOfDataFails() throws Exception {
        assertThat(sending(block(0, 10, 0, 10))).isEqualTo("RETR: data connection closed");
    }

    @Test
    void aStreamThatCannotBeHadFailsTheUploadThoughTheServerWaitsForIt() throws Exception {
        Map<String, String> with = Map.of("mode", "extended", "direction", "put");
        Function<String, @Nullable String> answers = line -> line.equals("PASV")
                ? "227 (127,0,0,1,0,1)" // nobody listens there
                : line.startsWith("STOR") ? "" : null;
        assertThat(failure(with, "220 hi", new byte[0], answers)).isEqualTo("data connection: connection refused");
    }

    @Test
    void aServerWithoutAFeatureThatIsNeededIsNotAskedForIt() throws Exception {
        assertThat(failure(EXTENDED, "220 hi", new byte[0], line -> line.equals("FEAT") ? "211 no-features" : null))
                .isEqualTo("FEAT: no PARALLEL");
    }
}
