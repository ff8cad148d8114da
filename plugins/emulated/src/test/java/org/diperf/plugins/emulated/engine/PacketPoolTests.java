package org.diperf.plugins.emulated.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class PacketPoolTests {

    private static Packet take(PacketPool pool, int bytes) {
        return requireNonNull(pool.take(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "1,2048",
        "2048,2048",
        "2049,4096",
        "3000,4096",
        "4097,8192",
        "32768,32768",
        "32769,65546",
        "65546,65546"
    })
    void aPacketHasLittleMoreRoomThanItNeeds(int bytes, int capacity) {
        PacketPool pool = new PacketPool(1 << 20);
        Packet packet = take(pool, bytes);
        assertThat(packet.bytes.capacity()).isEqualTo(capacity);
        pool.give(packet);
        assertThat(pool.take(bytes)).as("used again").isSameAs(packet);
        assertThat(pool.take(bytes)).isNotSameAs(packet);
    }

    @Test
    void whenTheMemoryIsSpentOnlyWhatWasGivenBackIsTaken() {
        PacketPool pool = new PacketPool(4_096 + 2_048);
        Packet larger = take(pool, 3_000);
        Packet small = take(pool, 100);
        assertThat(pool.take(100)).isNull();
        pool.give(larger);
        assertThat(pool.take(100)).as("a larger one will do").isSameAs(larger);
        pool.give(small);
        assertThat(pool.take(3_000)).as("a smaller one will not").isNull();
        assertThat(pool.refused()).isEqualTo(2);
    }
}
