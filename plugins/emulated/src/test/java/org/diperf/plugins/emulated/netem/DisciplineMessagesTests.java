package org.diperf.plugins.emulated.netem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the kernel tells of queueing disciplines. */
@Timeout(60)
class DisciplineMessagesTests {

    /** A message of one discipline, and the end of the answer. */
    private static ByteBuffer answer() {
        ByteBuffer bytes = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());
        bytes.position(16);
        bytes.putInt(0).putInt(5).putInt(0x20000).putInt(0x10001).putInt(1);
        bytes.putShort((short) 10).putShort((short) 1).put("netem\0".getBytes(StandardCharsets.US_ASCII));
        bytes.putShort((short) 0);
        int stats = bytes.position();
        bytes.position(stats + 4);
        // Bytes and packets, then the queue: packets, bytes, dropped.
        bytes.putShort((short) 20).putShort((short) 1).putLong(7_000).putInt(70).putInt(0);
        bytes.putShort((short) 24)
                .putShort((short) 3)
                .putInt(6)
                .putInt(600)
                .putInt(-1)
                .putInt(0)
                .putInt(0);
        bytes.putShort(stats, (short) (bytes.position() - stats)).putShort(stats + 2, (short) 0x8007);
        bytes.putInt(0, bytes.position()).putShort(4, (short) 36);
        int done = bytes.position();
        bytes.putInt(20).putShort((short) 3).putShort((short) 2).putLong(0).putInt(0);
        assertThat(bytes.position()).isEqualTo(done + 20);
        return bytes.flip();
    }

    @Test
    void whatIsDroppedAndQueuedIsRead() throws Exception {
        List<DisciplineCounts> found = new ArrayList<>();
        assertThat(DisciplineMessages.read(answer(), found)).isTrue();
        assertThat(found).containsExactly(new DisciplineCounts(5, 2, 0xffff_ffffL, 6));
        ByteBuffer begin = answer();
        begin.limit(begin.limit() - 20);
        assertThat(DisciplineMessages.read(begin, found)).as("more is to come").isFalse();
    }

    @Test
    void aRefusalIsToldWithItsNumber() {
        ByteBuffer error = ByteBuffer.allocate(36).order(ByteOrder.nativeOrder());
        error.putInt(0, 36).putShort(4, (short) 2).putInt(16, -1);
        assertThatThrownBy(() -> DisciplineMessages.read(error, new ArrayList<>()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("error 1");
    }

    @Test
    void noBytesMakeItFail() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer bytes = answer();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes.put(random.nextInt(bytes.limit()), (byte) random.nextInt());
            }
            bytes.limit(random.nextInt(bytes.limit() + 1));
            try {
                DisciplineMessages.read(bytes, new ArrayList<>());
            } catch (IOException e) {
                assertThat(e.getMessage()).as("seed " + seed).startsWith("the kernel ");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", " + i, e);
            }
        }
    }

    @Test
    void thisMachinesOwnAreRead() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/sys/class/net/lo")), "needs Linux with a loopback device");
        try (Disciplines disciplines = Disciplines.open()) {
            int loopback = Disciplines.device("lo");
            assertThat(disciplines.read())
                    .anySatisfy(each -> assertThat(each.device()).isEqualTo(loopback));
            assertThat(disciplines.read()).as("again").isNotEmpty();
        }
        assertThatThrownBy(() -> Disciplines.device("none")).isInstanceOf(IOException.class);
    }
}
