package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to a server that keeps no data connection, and closes it before it says that the upload is complete. */
@Timeout(60)
class KeptStreamsTests {

    private static final int BYTES = 1_000;
    /** One block and the end of the data, each with a header of 17 bytes. */
    private static final int SENT_BYTES = 17 + BYTES + 17;

    @TempDir
    Path folder;

    private PluginHarness harness(ScriptedServer server, int pipelining) throws Exception {
        return new PluginHarness(
                new GridFtpPlugin(),
                List.of(server.uri()),
                Map.of("direction", "put", "mode", "extended", "size", BYTES, "pipelining", pipelining),
                Duration.ofSeconds(5),
                folder,
                new NettyLoop());
    }

    @Test
    void theNextUploadHasStreamsOfItsOwn() throws Exception {
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null).takes(SENT_BYTES);
                PluginHarness harness = harness(server, 1);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 3; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).as("call " + i).isNull();
                assertThat(call.bytes()).isEqualTo(BYTES);
            }
            assertThat(server.commands()).filteredOn("PASV"::equals).hasSize(3);
            assertThat(server.commands())
                    .filteredOn(line -> line.startsWith("USER"))
                    .hasSize(1);
        }
    }

    @Test
    void whatWasAskedForAheadFailsInsteadOfWaitingForEver() throws Exception {
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null).takes(SENT_BYTES);
                PluginHarness harness = harness(server, 2);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.begin(0);
            CallProbe ahead = client.begin(0);
            assertThat(first.awaitEnd(10_000)).isTrue();
            assertThat(first.failure()).isNull();
            assertThat(ahead.awaitEnd(10_000)).isTrue();
            assertThat(ahead.failure()).isEqualTo("STOR: data connection closed");
        }
    }
}
