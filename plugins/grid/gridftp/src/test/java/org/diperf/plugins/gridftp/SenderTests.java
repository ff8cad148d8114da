package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SenderTests {

    private static final int BYTES = 16 << 20;
    /** More than a stream that does not move can have taken, with small buffers on both sides. */
    private static final int STUCK_BYTES = 2 << 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"zeros", "file"})
    void blocksGoToTheStreamThatMoves(String source) throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[BYTES]);
        Map<String, Object> with = new HashMap<>(Map.of("direction", "put", "mode", "extended", "parallelism", 2));
        with.put("buffer", 64 << 10);
        with.put("size", BYTES);
        with.put("source", source.equals("file") ? file.toString() : source);
        try (ServerSocket data = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            data.setReceiveBufferSize(64 << 10);
            data.setSoTimeout(10_000);
            int port = data.getLocalPort();
            try (ScriptedServer server = new ScriptedServer("220 hi", line -> answer(line, port));
                    PluginHarness harness = new PluginHarness(
                            new GridFtpPlugin(),
                            List.of(server.uri()),
                            with,
                            Duration.ofSeconds(5),
                            folder,
                            new NettyLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                client.begin(0);
                try (Socket stuck = data.accept();
                        Socket moving = data.accept()) {
                    assertThat(stuck.isConnected()).isTrue();
                    moving.setSoTimeout(10_000);
                    assertThat(moving.getInputStream().readNBytes(BYTES - STUCK_BYTES))
                            .hasSize(BYTES - STUCK_BYTES);
                }
            }
        }
    }

    private static @Nullable String answer(String command, int port) {
        return command.equals("PASV")
                ? "227 (127,0,0,1," + (port >> 8) + "," + (port & 255) + ")"
                : command.startsWith("STOR") ? "150 begin" : null;
    }
}
