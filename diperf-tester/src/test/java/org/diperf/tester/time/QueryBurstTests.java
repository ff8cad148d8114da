package org.diperf.tester.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.diperf.core.clock.Exchange;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.core.wire.TimeTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The clock that a volley looks at answers the question that was sent before, as a server would whose answers take a
 * known time: all on one thread, by the test's own time.
 */
@Timeout(20)
class QueryBurstTests {

    private static final byte[] KEY = {4, 5, 6};
    private static final TimeExchange FIRST = new TimeExchange(1, 123, new Exchange(0, 90_000, -90_000, 0));

    private final ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
    private int answered;
    private long now = 1_000_000;

    @Test
    void theShortestWayOfAllCountsAndKeepsTheWallClockOfTheFirstQuestion() throws IOException {
        TimeExchange best = volley(KEY, 5_000, 3_000);
        assertThat(best.epoch()).isEqualTo(7);
        assertThat(best.wallMillis()).isEqualTo(123);
        assertThat(best.exchange().roundTripNanos()).isBetween(3_000L, 4_000L);
        assertThat(answered).isEqualTo(2);
    }

    @Test
    void aWayThatIsLongerThanTheFirstIsForgotten() throws IOException {
        assertThat(volley(KEY, 200_000, 250_000)).isSameAs(FIRST);
    }

    @Test
    void anAnswerWithAnotherTagCountsForNothing() throws IOException {
        assertThat(volley(new byte[] {9}, 5_000, 3_000)).isSameAs(FIRST);
    }

    @Test
    void silenceEndsAVolley() throws IOException {
        assertThat(volley(KEY)).isSameAs(FIRST);
        assertThat(answered).isZero();
    }

    private TimeExchange volley(byte[] key, long... waysNanos) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (DatagramChannel server = DatagramChannel.open().bind(new InetSocketAddress(here, 0))) {
            server.configureBlocking(false);
            InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
            TimeTag tag = new TimeTag(key);
            try (QueryBurst volley =
                    new QueryBurst(1, address, new TimeServerSettings(address.getPort(), 0, KEY), () -> {
                        now += 100;
                        answer(server, tag, waysNanos);
                        return now;
                    })) {
                return volley.best(FIRST);
            }
        }
    }

    private void answer(DatagramChannel server, TimeTag tag, long[] waysNanos) {
        try {
            SocketAddress from = answered < waysNanos.length ? server.receive(datagram.clear()) : null;
            if (from != null) {
                now += waysNanos[answered++];
                TimeDatagram.answer(datagram, now, 7, now + 50);
                now += 50;
                tag.sign(datagram);
                server.send(datagram.flip(), from);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
