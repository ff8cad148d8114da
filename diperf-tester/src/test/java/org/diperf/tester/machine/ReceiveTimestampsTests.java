package org.diperf.tester.machine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What this machine's kernel says of a connection. */
@Timeout(30)
class ReceiveTimestampsTests {

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Test
    void theKernelSaysWhenTheFirstAndTheLastCameOfWhatIsThereAndHowMuchHasCome() throws Exception {
        assumeTrue(Epoll.isAvailable(), "no epoll here");
        ReceiveTimestamps stamps =
                requireNonNull(ReceiveTimestamps.ofThisSystem(), "where there is epoll there are stamps");
        Socket reader = Socket.newSocketStream();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            reader.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
            int descriptor = reader.intValue();
            stamps.ask(descriptor);
            try (java.net.Socket accepted = server.accept();
                    OutputStream out = accepted.getOutputStream();
                    InputStream unused = accepted.getInputStream()) {
                accepted.setTcpNoDelay(true);
                assertThat(stamps.first(descriptor)).isEqualTo(SocketArrivals.NONE);
                assertThat(stamps.last(descriptor)).isEqualTo(SocketArrivals.NONE);
                assertThat(stamps.look(descriptor)).isTrue();
                ByteBuffer read = ByteBuffer.allocateDirect(50_000);
                // The kernel begins to stamp a moment after it was asked by the first on the machine.
                for (boolean stamped = false; !stamped; ) {
                    assertThat(stamps.look(descriptor)).isTrue();
                    long soFar = stamps.bytes();
                    out.write(1);
                    awaitBytes(stamps, descriptor, soFar + 1);
                    stamped = stamps.first(descriptor) != SocketArrivals.NONE;
                    assertThat(reader.read(read, 0, read.capacity())).isEqualTo(1);
                }
                long before = stamps.bytes();
                byte[] part = new byte[20_000];
                long began = wallNanos();
                out.write(part);
                awaitBytes(stamps, descriptor, before + 20_000);
                assertThat(stamps.last(descriptor))
                        .isEqualTo(stamps.first(descriptor))
                        .isBetween(began, wallNanos());
                long between = wallNanos();
                out.write(part);
                awaitBytes(stamps, descriptor, before + 40_000);
                long ended = wallNanos();

                long first = stamps.first(descriptor);
                long last = stamps.last(descriptor);
                assertThat(last).isBetween(between, ended);
                // The same where the kernel has joined both.
                assertThat(first).isBetween(began, last);
                // Nothing was taken, and nothing written where the last would have been copied to.
                assertThat(stamps.first(descriptor)).isEqualTo(first);
                read.clear();
                int count = reader.read(read, 0, read.capacity());
                assertThat(count).isEqualTo(40_000);
                assertThat(stamps.last(descriptor)).isEqualTo(SocketArrivals.NONE);
                assertThat(stamps.look(descriptor)).isTrue();
                assertThat(stamps.bytes()).isEqualTo(before + 40_000);
                assertThat(stamps.outOfOrder()).isZero();
            }
        } finally {
            reader.close();
        }
    }

    private static void awaitBytes(ReceiveTimestamps stamps, int descriptor, long bytes) {
        do {
            assertThat(stamps.look(descriptor)).isTrue();
            Thread.onSpinWait();
        } while (stamps.bytes() < bytes);
    }

    @Test
    void ofWhatIsNoConnectionNothingIsSaid() throws Exception {
        assumeTrue(Epoll.isAvailable(), "no epoll here");
        ReceiveTimestamps stamps =
                requireNonNull(ReceiveTimestamps.ofThisSystem(), "where there is epoll there are stamps");
        Socket closed = Socket.newSocketStream();
        int descriptor = closed.intValue();
        closed.close();
        assertThat(stamps.look(descriptor)).isFalse();
        assertThat(stamps.first(descriptor)).isEqualTo(SocketArrivals.NONE);
    }
}
