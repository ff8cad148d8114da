package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.plugins.lib.gridftp.data.KernelDiscard;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data that the kernel drops, because nobody wants it, is counted and judged as data that is read. */
@Timeout(60)
class DroppedDataTests {

    private static final int BYTES = 3_000_000;

    @TempDir
    Path folder;

    @BeforeAll
    static void needsLinux() {
        assumeTrue(Epoll.isAvailable() && KernelDiscard.isPossible(), "only Linux drops data");
    }

    private CallProbe got(Map<String, ?> with, byte[] data) throws Exception {
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null).sends(data);
                PluginHarness harness = new PluginHarness(
                        new GridFtpPlugin(),
                        List.of(server.uri()),
                        with,
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop(EpollIoHandler.newFactory()))) {
            Held before = Held.now(folder);
            CallProbe call;
            try (PluginHarness.Owned client = harness.client(0)) {
                call = client.call();
            }
            server.forgetConnections();
            before.isAllThatIsHeld();
            return call;
        }
    }

    private CallProbe extended(byte[] data) throws Exception {
        return got(Map.of("mode", "extended"), data);
    }

    /** Makes the blocks of a file whose lengths and begins are given, and its end. */
    private static ByteBuffer blocks(long... lengthsAndOffsets) {
        ByteBuffer made = ByteBuffer.allocate(2 * BYTES);
        for (int i = 0; i < lengthsAndOffsets.length; i += 2) {
            made.put((byte) 0).putLong(lengthsAndOffsets[i]).putLong(lengthsAndOffsets[i + 1]);
            made.put(new byte[(int) lengthsAndOffsets[i]]);
        }
        return made;
    }

    private static byte[] ended(ByteBuffer blocks) {
        return cut(blocks.put((byte) 0x48).putLong(0).putLong(1));
    }

    private static byte[] cut(ByteBuffer blocks) {
        return java.util.Arrays.copyOf(blocks.array(), blocks.position());
    }

    @Test
    void everyByteOfAStreamIsCounted() throws Exception {
        CallProbe call = got(Map.of(), new byte[BYTES]);
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(BYTES);
    }

    @Test
    void everyByteOfBlocksIsCounted() throws Exception {
        CallProbe call = extended(ended(blocks(1_000_000, 0, 1_000_000, 1_000_000, 10, 2_000_000, 100_000, 2_000_010)));
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(2_100_010);
    }

    @Test
    void moreThanWasAskedForFails() throws Exception {
        Map<String, Object> with = new HashMap<>(Map.of("length", 2_000_000));
        assertThat(got(with, new byte[BYTES]).failure()).isEqualTo("ERET: more data than requested");
    }

    @Test
    void aBlockThatEndsEarlyFails() throws Exception {
        ByteBuffer data = blocks(1_000_000, 0, 1_000_000, 1_000_000);
        data.position(data.position() - 300_000);
        assertThat(extended(cut(data)).failure()).isEqualTo("RETR: data block cut off");
    }

    @Test
    void aHeaderThatLiesAfterDroppedDataFails() throws Exception {
        ByteBuffer data = blocks(1_000_000, 0);
        data.put((byte) 0).putLong(-1).putLong(1_000_000);
        assertThat(extended(cut(data)).failure()).isEqualTo("RETR: data block outside the file");
        assertThat(extended(ended(blocks(1_000_000, 0, 1_000_000, 1_500_000))).failure())
                .isEqualTo("RETR: data blocks leave gaps or overlap");
    }
}
