package org.diperf.tester.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.core.wire.TimeTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A socket between its rehearsal, which is the test's, and a server that answers one question. */
@Timeout(20)
class TimeSocketTests {

    private static final byte[] KEY = {4, 5, 6};
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Its loop has the timer. */
    private final EmbeddedChannel timers = new EmbeddedChannel();

    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    @Test
    void aServerIsAskedThoughTheRehearsalWaitsForADatagramThatWasLost() throws Exception {
        try (DatagramChannel mirror = DatagramChannel.open().bind(ANY)) {
            TimeExchange exchange = exchange(() -> mirror.receive(ByteBuffer.allocate(1)), () -> {
                assertThat(ready).isNotDone();
                timePasses();
            });
            assertThat(exchange.epoch()).isEqualTo(7);
        }
    }

    @Test
    void theEndOfTheTimeForARehearsalEndsNothingElse() throws Exception {
        TimeExchange exchange = exchange(() -> {}, () -> {
            ready.join();
            timePasses();
        });
        assertThat(exchange.epoch()).isEqualTo(7);
    }

    @Test
    void aSocketThatIsClosedMeanwhileRehearsesNoLonger() throws Exception {
        try (DatagramChannel mirror = DatagramChannel.open().bind(ANY)) {
            socket(ANY, exchange -> {}, () -> mirror.receive(ByteBuffer.allocate(1)))
                    .close();
            ready.get(10, TimeUnit.SECONDS);
        }
    }

    private void timePasses() {
        timers.advanceTimeBy(2, TimeUnit.SECONDS);
        timers.runPendingTasks();
    }

    private TimeSocket socket(InetSocketAddress server, Consumer<TimeExchange> answers, TimeSocket.Rehearsal rehearsal)
            throws IOException {
        timers.freezeTime();
        TimeServerSettings service = new TimeServerSettings(Math.max(1, server.getPort()), 0, KEY);
        TimeSocket socket =
                new TimeSocket(1, server.getAddress(), service, NanoClock.SYSTEM, WallClock.SYSTEM, answers);
        socket.open(timers.eventLoop(), rehearsal, () -> ready.complete(null));
        return socket;
    }

    /** Asks once when the socket is ready, and returns what comes of it. */
    private TimeExchange exchange(TimeSocket.Rehearsal rehearsal, Runnable meanwhile) throws Exception {
        CompletableFuture<TimeExchange> answered = new CompletableFuture<>();
        try (DatagramChannel server = DatagramChannel.open().bind(ANY);
                TimeSocket socket =
                        socket((InetSocketAddress) server.getLocalAddress(), answered::complete, rehearsal)) {
            meanwhile.run();
            ready.get(10, TimeUnit.SECONDS);
            socket.ask();
            ByteBuffer datagram = ByteBuffer.allocate(TimeDatagram.BYTES);
            SocketAddress from = server.receive(datagram);
            long now = NanoClock.SYSTEM.nanoTime();
            TimeDatagram.answer(datagram, now, 7, now);
            new TimeTag(KEY).sign(datagram);
            server.send(datagram.flip(), from);
            return answered.get(10, TimeUnit.SECONDS);
        }
    }
}
