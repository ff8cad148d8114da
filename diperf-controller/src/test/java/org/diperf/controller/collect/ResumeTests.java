package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.relay.Relay;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.link.SpoolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A collector that resumes where another one was killed. */
@Timeout(60)
class ResumeTests {

    private static final long SECONDS_10 = TimeUnit.SECONDS.toNanos(10);

    private static final TesterTotals TOTALS = new TesterTotals(1, 0, 0, 0, Map.of(), 0);

    @TempDir
    Path folder;

    private final Events events = new Events();

    private Collector collector(boolean resumes, int port, long memoryBytes) throws Exception {
        return new Collector(config(resumes, port, memoryBytes), NanoClock.SYSTEM, events);
    }

    private CollectorConfig config(boolean resumes, int port, long memoryBytes) throws IOException {
        return new CollectorConfig(
                CollectorConfig.Listen.port("127.0.0.1", port),
                new CollectorConfig.Files(
                        folder.resolve("samples"),
                        folder.resolve("clock.csv"),
                        Files.createDirectories(folder.resolve("control")),
                        resumes),
                2,
                MiniCluster.LEASE,
                0,
                memoryBytes,
                false);
    }

    @Test
    void theNextCollectorResumesATesterAndHasWhatWasDurable() throws Exception {
        Collector first = collector(false, 0, 0);
        int port = first.address().getPort();
        String ticket = first.tickets().tester(1);
        first.assign(1, MiniCluster.assignment(1));
        RawPeer before = new RawPeer(Ticket.parse(ticket));
        before.hello(false);
        before.await(Message.Assign.class);
        before.send(new Message.Ready());
        before.block(1, 1);
        before.block(1, 2);
        while (before.await(Message.Ack.class).durable() < 2) {
            // The first acknowledgement may be for the first block alone.
        }
        before.close();
        first.close();
        // What was cut off when the process died.
        Path file = folder.resolve("samples/000001.dps");
        Files.write(file, new byte[] {0x44, 0x50, 0x42, 0x31, 7}, StandardOpenOption.APPEND);
        Files.writeString(folder.resolve("clock.csv"), "1,half a r", StandardOpenOption.APPEND);

        try (Collector second = collector(true, port, 0)) {
            assertThat(second.address().getPort()).isEqualTo(port);
            RawPeer after = new RawPeer(Ticket.parse(ticket));
            after.hello(true);
            assertThat(after.await(Message.Welcome.class).durable()).isEqualTo(2);
            assertThat(after.await(Message.Assign.class).assignment()).isEqualTo(MiniCluster.assignment(1));
            after.block(1, 2);
            after.block(1, 3);
            while (after.await(Message.Ack.class).durable() < 3) {
                // as above
            }
            assertThat(second.awaitDurable(SECONDS_10)).isTrue();
            after.close();
        }
        assertThat(MiniCluster.blocks(folder)).containsExactly("1/1", "1/2", "1/3");
        assertThat(Files.readAllLines(folder.resolve("clock.csv"))).noneMatch(row -> row.contains("half"));
    }

    @Test
    void theNextCollectorDialsTheRelaysThatTheFirstOneDialled() throws Exception {
        Collector first = collector(false, 0, 0);
        Ticket ticket = Ticket.parse(first.tickets().dialledRelay(2, "127.0.0.1", 1));
        try (Relay relay =
                new Relay(ticket, new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), NanoClock.SYSTEM)) {
            first.dial(2, "127.0.0.1", relay.address().getPort());
            first.relay(2).get(10, TimeUnit.SECONDS);
            int port = first.address().getPort();
            first.close();
            try (Collector second = collector(true, port, 0)) {
                second.relay(2).get(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void whatWasHeldInTheMemoryOfTheDeadIsNamedAsLost() throws Exception {
        Collector first = collector(false, 0, 1 << 20);
        int port = first.address().getPort();
        String ticket = first.tickets().tester(1);
        first.assign(1, MiniCluster.assignment(1));
        RawPeer before = new RawPeer(Ticket.parse(ticket));
        before.hello(false);
        before.await(Message.Assign.class);
        before.close();
        first.close();

        try (Collector second = collector(true, port, 1 << 20)) {
            RawPeer after = new RawPeer(Ticket.parse(ticket));
            after.hello(true);
            after.await(Message.Welcome.class);
            after.block(1, 4);
            assertThat(events.await("log 1 blocks 1 to 3")).contains("are lost");
            after.close();
        }
    }

    @Test
    void aCollectorThatResumesOneThatHeldBlocksInMemoryHoldsNone() throws Exception {
        Collector first = collector(false, 0, 1 << 20);
        int port = first.address().getPort();
        String ticket = first.tickets().tester(1);
        first.close();

        try (Collector second = collector(true, port, 1)) {
            RawPeer peer = new RawPeer(Ticket.parse(ticket));
            peer.hello(false);
            peer.block(1, 1);
            assertThat(peer.await(Message.Ack.class).durable()).isEqualTo(1);
            assertThat(MiniCluster.blocks(folder)).containsExactly("1/1");
            assertThat(events.all()).noneMatch(event -> event.startsWith("overflowed"));
            peer.close();
        }
    }

    @Test
    void aTesterWhoseSamplesAreNotAllOnTheDiskIsNotDoneWhenTheRunIsResumed() throws Exception {
        Collector.Limits limits = Collector.Limits.DEFAULT;
        Collector first = new Collector(config(false, 0, 0), NanoClock.SYSTEM, events, limits, FakeDisk.full(0));
        int port = first.address().getPort();
        String ticket = first.tickets().tester(1);
        first.assign(1, MiniCluster.assignment(1));
        RawPeer before = new RawPeer(Ticket.parse(ticket));
        before.hello(false);
        before.await(Message.Assign.class);
        before.block(1, 1);
        events.await("failed ");
        before.send(new Message.Finished(TOTALS));
        events.await("finished 1");
        before.close();
        assertThatThrownBy(first::close).hasMessageContaining("No space left");

        try (Collector second = collector(true, port, 0)) {
            RawPeer after = new RawPeer(Ticket.parse(ticket));
            after.hello(true);
            assertThat(after.await(Message.Welcome.class).durable()).isZero();
            assertThat(events.all()).containsOnlyOnce("finished 1");
            after.block(1, 1);
            while (after.await(Message.Ack.class).durable() < 1) {
                // until it is
            }
            after.send(new Message.Finished(TOTALS));
            events.await("finished 1");
            assertThat(second.awaitDurable(SECONDS_10)).isTrue();
            after.close();
        }

        try (Collector third = collector(true, port, 0)) {
            events.await("finished 1");
            assertThat(third.awaitDurable(SECONDS_10)).isTrue();
        }
    }

    /** Writes the spool that a tester would have left, with blocks of observations. */
    private Path spool(String run, int tester, int slot, long first, long last) throws IOException {
        Path file = Files.createTempDirectory(folder, "spool").resolve("tester-" + tester + ".spool");
        try (FrameFile frames = FrameFile.create(file)) {
            String head = "spool of run " + run + ", slot " + slot + ", blocks " + first + " to " + last + ", finished";
            frames.write(new Frame(tester, 1, 0, 0, new Message.Log(head)));
            for (long number = first; number <= last; number++) {
                ObservationWriter writer = new ObservationWriter(tester, 1);
                writer.add("raw", number, 1, ObservationWriter.NONE, ObservationWriter.NONE);
                ByteBuffer data = ByteBuffer.allocate(writer.maxEncodedLength());
                writer.encode(data, number);
                frames.write(new Frame(tester, 1, 0, 0, new Message.Block(data.flip())));
            }
            frames.write(new Frame(tester, 1, 0, 0, new Message.Finished(TOTALS)));
        }
        return file;
    }

    @Test
    void ofASpoolEachBlockIsTakenOnceAndAStrangeOneIsRefusedWhole() throws Exception {
        Collector first = collector(false, 0, 0);
        int port = first.address().getPort();
        String token = Ticket.parse(first.tickets().tester(1)).token();
        first.assign(1, MiniCluster.assignment(1));
        RawPeer before = new RawPeer(Ticket.parse(first.tickets().tester(1)));
        before.hello(false);
        before.await(Message.Assign.class);
        before.send(new Message.Ready());
        before.block(1, 1);
        before.block(1, 2);
        while (before.await(Message.Ack.class).durable() < 2) {
            // until both are
        }
        before.close();
        first.close();

        String run = RunCredentials.runOf(token);
        try (Collector second = collector(true, port, 0)) {
            assertThatThrownBy(() -> second.take(spool("0".repeat(32), 1, 1, 2, 4), 0))
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("expected a spool from this run, got one from a different run");
            assertThatThrownBy(() -> second.take(spool(run, 2, 1, 1, 2), 0))
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("tester-2, which never joined it");
            assertThatThrownBy(() -> second.take(spool(run, 1, 2, 2, 4), 0))
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("expected share 1 of the load", "got share 2");
            assertThatThrownBy(() -> second.take(spool(run, 1, 1, 2, 4), 2))
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("expected the spool of tester-2, as in its file name")
                    .hasMessageContaining("got one from tester-1");
            Path cut = spool(run, 1, 1, 2, 4);
            byte[] whole = Files.readAllBytes(cut);
            Files.write(cut, Arrays.copyOf(whole, whole.length - 40));
            assertThatThrownBy(() -> second.take(cut, 0)).isInstanceOf(SpoolException.class);

            assertThat(second.take(spool(run, 1, 1, 2, 4), 0)).isEqualTo(new ImportedSpool(1, 3, 2));
            assertThat(second.take(spool(run, 1, 1, 2, 4), 0)).isEqualTo(new ImportedSpool(1, 3, 0));
            events.await("finished 1");
            assertThat(second.awaitDurable(SECONDS_10)).isTrue();
        }
        assertThat(MiniCluster.blocks(folder)).containsExactly("1/1", "1/2", "1/3", "1/4");
    }
}
