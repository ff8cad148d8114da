package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file on the tester that cannot be written or read is never the server's fault, whatever the server says of it. */
@Timeout(60)
class LocalFileTests {

    private static final Path FULL = Path.of("/dev/full");
    private static final int BLOCK_BYTES = 10;

    @TempDir
    Path folder;

    @BeforeEach
    void thereIsADiskThatIsFull() {
        assumeTrue(Files.exists(FULL), "no /dev/full");
    }

    private CallProbe call(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new GridFtpPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, new NettyLoop());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "extended"})
    void aFullDiskIsToldThoughTheServerComplainsOfItsConnection(String mode) throws Exception {
        ByteBuffer data = ByteBuffer.allocate(17 + BLOCK_BYTES);
        data.put((byte) 0).putLong(BLOCK_BYTES).putLong(0);
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null)
                .sends(data.array())
                .complains("500 Connection reset by peer")) {
            CallProbe call = call(server.uri(), Map.of("mode", mode, "sink", FULL.toString()));
            assertThat(call.failure()).isEqualTo("local file: no space left on device");
            assertThat(call.fault()).isEqualTo(Fault.GENERATOR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "extended"})
    void aSourceThatBecomesShorterIsNotTheConnectionsFault(String mode) throws Exception {
        Path source = folder.resolve("source");
        try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw");
                ScriptedServer server = new ScriptedServer("220 hi", line -> {
                            if (line.startsWith("STOR ")) {
                                cut(file);
                            }
                            return null;
                        })
                        .takes(1_000)) {
            file.setLength(100_000);
            CallProbe call = call(server.uri(), Map.of("direction", "put", "mode", mode, "source", source.toString()));
            assertThat(call.failure()).isEqualTo("local file: source " + source + ": truncated after it was opened");
            assertThat(call.fault()).isEqualTo(Fault.EXPERIMENT);
        }
    }

    private static void cut(RandomAccessFile file) {
        try {
            file.setLength(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "extended"})
    void whatCannotBeOpenedIsToldByItsKeyAndName(String mode) throws Exception {
        Path none = folder.resolve("none");
        try (FtpStandIn server = FtpStandIn.start()) {
            Map<String, String> missing = Map.of("direction", "put", "mode", mode, "source", none.toString());
            assertThat(call(server.target(), missing).failure())
                    .isEqualTo("local file: source " + none + ": not there");
            Map<String, String> aFolder = Map.of("direction", "put", "mode", mode, "source", folder.toString());
            assertThat(call(server.target(), aFolder).failure())
                    .isEqualTo("local file: source " + folder + ": a folder, where a file is expected");
            // What is filled in for every call would make as many causes.
            Map<String, String> within = Map.of("mode", mode, "sink", none + "/${call}");
            assertThat(call(server.target(), within).failure())
                    .isEqualTo("local file: sink " + none + "/${call}: its folder does not exist");
        }
    }

    @Test
    void aPlaceForTheDialogueThatIsNotThereIsToldBeforeTheRun() throws Exception {
        Url any = Url.of("ftp://127.0.0.1/x");
        String path = folder.resolve("none/d.log").toString();
        assertThatThrownBy(() -> harness(any, Map.of("record-dialogue", path)).close())
                .hasMessage("record-dialogue: expected a file that this tester can write, got '" + path
                        + "', whose folder does not exist; create it, or use a different path");
        assertThatThrownBy(() -> harness(any, Map.of("record-dialogue", folder.toString()))
                        .close())
                .hasMessage("record-dialogue: expected a file that this tester can write, got '" + folder
                        + "', which cannot be written (Is a directory); use a different path");
    }
}
