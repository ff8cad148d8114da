package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.wire.DatagramCipher;
import org.diperf.core.wire.DatagramStream;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DatagramRunTests {

    @TempDir
    Path folder;

    /** A tester's end of the datagrams that sends, loses and repeats what its test wants. */
    static final class RawDatagrams implements AutoCloseable {
        private final DatagramSocket socket = new DatagramSocket();
        private final DatagramCipher seal;
        private final DatagramStream stream = new DatagramStream(Frame.MAX_LENGTH);
        private final ByteBuffer scratch = ByteBuffer.allocate(DatagramStream.CONTENT_BYTES);
        private final ArrayDeque<Message> came = new ArrayDeque<>();
        private final int port;
        private final int tester;
        final Ticket ticket;
        private final Random random = new Random(3);
        final List<byte[]> sent = new ArrayList<>();
        double loss;

        RawDatagrams(RawPeer enrolling) throws Exception {
            ticket = enrolling.ticket;
            tester = ticket.tester();
            enrolling.send(new Message.Enrol(ticket.token()));
            Message.Enrolled enrolled = enrolling.await(Message.Enrolled.class);
            enrolling.close();
            port = enrolled.port();
            seal = new DatagramCipher(enrolled.id(), enrolled.up(), enrolled.down(), new DatagramCipher.Engine());
            socket.setSoTimeout(20);
        }

        void send(Message message) throws IOException {
            send(new Frame(tester, NanoClock.SYSTEM.nanoTime(), 0, 0, message));
        }

        void send(Frame frame) {
            stream.write(frame.encode());
            stream.flush(NanoClock.SYSTEM.nanoTime(), scratch, this::out);
        }

        void block(long number) throws IOException {
            ObservationWriter writer = new ObservationWriter(tester, 1);
            writer.add("raw", number, 1, ObservationWriter.NONE, ObservationWriter.NONE);
            ByteBuffer data = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(data, number);
            send(new Message.Block(data.flip()));
        }

        private void out(ByteBuffer content) {
            ByteBuffer datagram = ByteBuffer.allocate(content.remaining() + DatagramCipher.OVERHEAD);
            seal.seal(content, datagram);
            sent.add(datagram.array());
            if (random.nextDouble() >= loss) {
                raw(socket, datagram.array());
            }
        }

        void raw(DatagramSocket from, byte[] bytes) {
            try {
                from.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName("127.0.0.1"), port));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        <M extends Message> M await(Class<M> kind) throws Exception {
            while (true) {
                while (!came.isEmpty()) {
                    Message message = came.remove();
                    if (kind.isInstance(message)) {
                        return kind.cast(message);
                    }
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("no " + kind.getSimpleName() + " came");
                }
                turn(came::add);
            }
        }

        /** Takes a datagram, if one comes, and sends again what is due. */
        void turn(Consumer<Message> taker) throws Exception {
            ByteBuffer content = ByteBuffer.allocate(1 << 16);
            DatagramPacket packet = new DatagramPacket(new byte[2_048], 2_048);
            long now = NanoClock.SYSTEM.nanoTime();
            try {
                socket.receive(packet);
                ByteBuffer datagram = ByteBuffer.wrap(packet.getData(), 0, packet.getLength());
                if (random.nextDouble() >= loss && seal.open(datagram, content.clear())) {
                    stream.receive(
                            content.flip(),
                            now,
                            scratch,
                            this::out,
                            frame -> taker.accept(Frame.decode(frame).message()));
                }
            } catch (SocketTimeoutException e) {
                // time to send again
            }
            stream.tick(now, scratch, this::out);
        }

        /** Returns what waits because the other end has not acknowledged what was sent before. */
        long waitingBytes() {
            return stream.waitingBytes();
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @Test
    void aTesterDoesItsWorkByDatagrams() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 2, NanoClock.SYSTEM)) {
            cluster.collector.assign(1, MiniCluster.assignment(1));
            Ticket ticket = Ticket.parse(cluster.collector.tickets().tester(1));
            assertThat(ticket.datagrams()).isTrue();
            MiniCluster.Running running = cluster.tester(ticket, new FakeEngine(), NanoClock.SYSTEM, List.of());
            cluster.events.await("ready 1");
            long start = cluster.start(TimeUnit.SECONDS.toNanos(1));
            assertThat(running.engine().started.get(10, TimeUnit.SECONDS) - start)
                    .isBetween(-50_000_000L, 50_000_000L);
            for (int i = 0; i < 50; i++) {
                running.engine().measure(i);
            }
            running.engine().finish();
            cluster.events.await("finished 1");
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            assertThat(cluster.blocks()).hasSize(50).doesNotHaveDuplicates();
            cluster.collector.bye();
            assertThat(running.exitCode().get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void everyBlockIsThereOnceThoughAThirdOfTheDatagramsIsLost() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, NanoClock.SYSTEM);
                RawDatagrams tester = new RawDatagrams(cluster.peer(1))) {
            tester.loss = 0.33;
            tester.send(new Message.Hello(tester.ticket.token(), Frame.VERSION, false, MiniCluster.FACTS));
            tester.await(Message.Welcome.class);
            for (int i = 1; i <= 40; i++) {
                tester.block(i);
            }
            while (tester.await(Message.Ack.class).durable() < 40) {
                // An acknowledgement may be for the blocks before.
            }
            assertThat(cluster.blocks()).hasSize(40).doesNotHaveDuplicates();
        }
    }

    @Test
    void aStolenDatagramThatIsReplayedIsRefused() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, NanoClock.SYSTEM);
                RawDatagrams tester = new RawDatagrams(cluster.peer(1));
                DatagramSocket thief = new DatagramSocket()) {
            thief.setSoTimeout(300);
            tester.send(new Message.Hello(tester.ticket.token(), Frame.VERSION, false, MiniCluster.FACTS));
            tester.await(Message.Welcome.class);
            tester.block(1);
            while (tester.await(Message.Ack.class).durable() < 1) {
                // as above
            }
            for (byte[] stolen : List.copyOf(tester.sent)) {
                for (int i = 0; i < 100; i++) {
                    tester.raw(thief, stolen);
                }
                byte[] changed = stolen.clone();
                changed[stolen.length - 1] ^= 1;
                tester.raw(thief, changed);
            }
            tester.block(2);
            while (tester.await(Message.Ack.class).durable() < 2) {
                // The answer comes to the tester, not to the thief.
            }
            assertThat(cluster.blocks()).containsExactly("1/1", "1/2");
            assertThat(cluster.events.all().stream().filter(event -> event.startsWith("joined")))
                    .hasSize(1);
        }
    }

    @Test
    void whoComesThroughARelayAtTheCollectorsPortNumberUsesConnections() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, NanoClock.SYSTEM)) {
            int port = cluster.collector.address().getPort();
            assertThat(Ticket.parse(cluster.collector.tickets().tester(1, List.of("relay"), port))
                            .datagrams())
                    .isFalse();
        }
    }

    /** Joins, and says that it is there. */
    private static void join(RawDatagrams tester) throws Exception {
        tester.send(new Message.Hello(tester.ticket.token(), Frame.VERSION, false, MiniCluster.FACTS));
        tester.await(Message.Welcome.class);
        tester.send(new Message.Log("here"));
    }

    @Test
    void whoStartsATicketTwiceDoesNotEndTheTesterAtWork() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, new MiniCluster.ManualClock());
                RawDatagrams tester = new RawDatagrams(cluster.peer(1))) {
            join(tester);
            cluster.events.await("log 1 here");
            try (RawDatagrams twice = new RawDatagrams(cluster.peer(1))) {
                twice.send(new Message.Hello(twice.ticket.token(), Frame.VERSION, false, MiniCluster.FACTS));
                assertThat(twice.await(Message.RejectedHello.class).reason())
                        .contains("has already joined from another process");
            }
            tester.block(1);
            assertThat(tester.await(Message.Ack.class).durable()).isEqualTo(1);
        }
    }

    @Test
    void aTesterThatDiedBeforeItsLoadCanBeStartedAgain() throws Exception {
        MiniCluster.ManualClock clock = new MiniCluster.ManualClock();
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, clock);
                RawDatagrams dead = new RawDatagrams(cluster.peer(1))) {
            join(dead);
            cluster.events.await("log 1 here");
            clock.advance(Session.ANSWER_NANOS);
            try (RawDatagrams again = new RawDatagrams(cluster.peer(1))) {
                join(again);
                cluster.events.await("log 1 here");
            }
        }
    }

    @Test
    void whoHasNotTheRunsTokenGetsNoKeys() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, NanoClock.SYSTEM)) {
            RawPeer peer = cluster.peer(1);
            peer.send(new Message.Enrol("0".repeat(64)));
            assertThat(peer.await(Message.RejectedHello.class).reason()).contains("token");
        }
    }

    /** Six hellos of a few bytes each, answered with an assignment of nearly two megabytes that is never acknowledged. */
    @Test
    void whoAcknowledgesNothingIsCutOffBeforeItTakesTheMemory() throws Exception {
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, NanoClock.SYSTEM);
                RawDatagrams tester = new RawDatagrams(cluster.peer(1))) {
            cluster.collector.assign(1, MiniCluster.assignmentOf("x".repeat(1_900_000)));
            // A busy collector might take the datagrams first.
            assertThat(cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(10)))
                    .isTrue();
            for (int i = 0; i < 6; i++) {
                tester.send(new Message.Hello(tester.ticket.token(), Frame.VERSION, i > 0, MiniCluster.FACTS));
            }
            assertThat(cluster.events.await("log 1 left more"))
                    .isEqualTo("log 1 left more than 8 MiB unread; its connection is closed");
        }
    }
}
