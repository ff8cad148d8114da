package org.diperf.controller.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over real sockets on the loopback, where datagrams arrive in their order. */
@Timeout(20)
class TimeServerTests {

    private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    private static final int EPOCH = 77;

    private final ByteBuffer datagram = ByteBuffer.allocateDirect(2 * TimeDatagram.BYTES);
    private TimeServer server;
    private DatagramChannel asker;

    @BeforeEach
    void start() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        server = new TimeServer(new InetSocketAddress(here, 0), KEY, EPOCH, NanoClock.SYSTEM);
        asker = DatagramChannel.open().connect(server.address());
    }

    @AfterEach
    void end() throws IOException {
        asker.close();
        server.close();
    }

    @Test
    void aQuestionIsAnsweredWithStampsInTheirOrderAndATagOfItsOwn() throws IOException {
        long before = NanoClock.SYSTEM.nanoTime();
        ask(5, false, KEY);
        long after = NanoClock.SYSTEM.nanoTime();
        assertThat(TimeDatagram.sequence(datagram)).isEqualTo(5);
        assertThat(TimeDatagram.epoch(datagram)).isEqualTo(EPOCH);
        long received = TimeDatagram.receivedNanos(datagram);
        long sent = TimeDatagram.sentNanos(datagram);
        assertThat(received - before).isNotNegative();
        assertThat(sent - received).isNotNegative();
        assertThat(after - sent).isNotNegative();
        assertThat(new TimeTag(KEY).isRight(datagram)).isTrue();
        datagram.putLong(24, received + 1);
        assertThat(new TimeTag(KEY).isRight(datagram)).isFalse();
    }

    @Test
    void announcedQuestionsAreAnsweredLikeOthersAndSoIsOneThatComesLate() throws IOException {
        for (int sequence = 1; sequence <= 50; sequence++) {
            ask(sequence, sequence % 3 != 0, KEY);
            assertThat(TimeDatagram.sequence(datagram)).isEqualTo(sequence);
        }
    }

    @Test
    void whatHasAnotherTagOrIsNoQuestionIsNotAnswered() throws IOException {
        write(1, true, new byte[] {9});
        asker.write(ByteBuffer.allocate(TimeDatagram.BYTES));
        asker.write(ByteBuffer.allocate(TimeDatagram.BYTES + 1));
        ask(2, false, KEY);
        assertThat(TimeDatagram.sequence(datagram)).isEqualTo(2);
        assertThat(server.refused()).isEqualTo(3);
    }

    private void ask(int sequence, boolean followed, byte[] key) throws IOException {
        write(sequence, followed, key);
        assertThat(asker.read(datagram.clear())).isEqualTo(TimeDatagram.BYTES);
        assertThat(TimeDatagram.isAnswer(datagram, TimeDatagram.BYTES)).isTrue();
    }

    private void write(int sequence, boolean followed, byte[] key) throws IOException {
        TimeDatagram.ask(datagram, 1, sequence, followed);
        new TimeTag(key).sign(datagram);
        TimeDatagram.askedNanos(datagram, NanoClock.SYSTEM.nanoTime());
        asker.write(datagram.clear().limit(TimeDatagram.BYTES));
    }
}
