package org.diperf.tester.machine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What this machine's kernel says of what leaves by a connection over the loopback. */
@Timeout(30)
class SendStampsTests {

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Test
    void theKernelSaysWhenTheLastByteLeftOfWhatWasSentLast() throws Exception {
        assumeTrue(Epoll.isAvailable(), "no epoll here");
        SendStamps stamps = requireNonNull(SendStamps.ofThisSystem(), "where there is epoll there are stamps");
        Socket writer = Socket.newSocketStream();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            writer.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
            int descriptor = writer.intValue();
            ByteBuffer bytes = ByteBuffer.allocateDirect(100);
            try (java.net.Socket unused = server.accept()) {
                assertThat(writer.write(bytes, 0, 100)).isEqualTo(100);
                assertThat(stamps.takeLast(descriptor)).isEqualTo(Departures.NONE);

                stamps.note(descriptor, true);
                assertThat(writer.write(bytes, 0, 100)).isEqualTo(100);
                long between = wallNanos();
                assertThat(writer.write(bytes, 0, 100)).isEqualTo(100);
                long ended = wallNanos();
                assertThat(stamps.takeLast(descriptor)).isBetween(between, ended);
                assertThat(stamps.takeLast(descriptor)).isEqualTo(Departures.NONE);

                stamps.note(descriptor, false);
                assertThat(writer.write(bytes, 0, 100)).isEqualTo(100);
                assertThat(stamps.takeLast(descriptor)).isEqualTo(Departures.NONE);
            }
        } finally {
            writer.close();
        }
    }

    @Test
    void ofWhatIsNoConnectionNothingIsSaid() throws Exception {
        assumeTrue(Epoll.isAvailable(), "no epoll here");
        SendStamps stamps = requireNonNull(SendStamps.ofThisSystem(), "where there is epoll there are stamps");
        Socket closed = Socket.newSocketStream();
        int descriptor = closed.intValue();
        closed.close();
        stamps.note(descriptor, true);
        assertThat(stamps.takeLast(descriptor)).isEqualTo(Departures.NONE);
    }
}
