package org.diperf.plugins.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The datagrams of RFC 8762, figures 2 and 5, byte by byte. */
@Timeout(10)
class PacketTests {

    private static final long HALF_PAST = 1_500_000_000L;
    /** Seconds and fractions are exact to a 2^32-th of a second. */
    private static final Offset<Long> RESOLUTION = within(1L);

    @Test
    void aSendersDatagramHasItsNumberItsTimeAndZeros() {
        ByteBuf packet = Packet.sent(Unpooled.buffer(), 7, HALF_PAST, 44);
        // 1.5 s after 1970 is 2208988801.5 s after 1900.
        assertThat(ByteBufUtil.hexDump(packet)).isEqualTo("00000007" + "83aa7e8180000000" + "2001" + "00".repeat(30));
    }

    @Test
    void anAnswerHasTheReflectorsTimesAndWhatTheSenderSaid() {
        ByteBuf question = Packet.sent(Unpooled.buffer(), 7, HALF_PAST, 48);
        ByteBuf answer = Packet.answer(Unpooled.buffer(), question, 3, 2_250_000_000L, 2_500_000_000L);
        assertThat(ByteBufUtil.hexDump(answer))
                .isEqualTo("00000003" + "83aa7e8280000000" + "2001" + "0000" + "83aa7e8240000000" + "00000007"
                        + "83aa7e8180000000" + "2001" + "0000" + "ff" + "00".repeat(7));
        assertThat(answer.readableBytes()).isEqualTo(question.readableBytes());
        assertThat(Packet.answered(answer)).isEqualTo(7);
        assertThat(Packet.number(answer)).isEqualTo(3);
        assertThat(Packet.receivedNanos(answer)).isCloseTo(2_250_000_000L, RESOLUTION);
        assertThat(Packet.sentNanos(answer)).isCloseTo(2_500_000_000L, RESOLUTION);
    }

    @Test
    void timesOfPtpAreReadAsSuch() {
        assertThat(Packet.nanos(5L << 32 | 250_000_000L, true)).isEqualTo(5_250_000_000L);
    }

    @Test
    void timesComeBackToTheNanosecond() {
        for (long nanos = 1_763_000_000_000_000_001L; nanos < 1_763_000_001_000_000_000L; nanos += 7_777_777) {
            assertThat(Packet.nanos(Packet.ntp(nanos), false)).isCloseTo(nanos, RESOLUTION);
        }
    }
}
