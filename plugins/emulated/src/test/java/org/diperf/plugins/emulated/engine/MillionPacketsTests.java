package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A million packets of the wire, {@value #SEGMENTS} of them at a time as the kernel hands them over, through the whole forwarder. */
@Timeout(120)
class MillionPacketsTests {

    private static final int PACKETS = 1_000_000;
    private static final int SEGMENTS = 40;
    private static final int PAYLOAD = 1_448;
    private static final long SEED = 11;
    private static final int SEQUENCE = PacketSegmenter.KERNEL_HEADER + 24;
    /** The number of what was handed over, in a field that nobody changes: TCP's acknowledged number. */
    private static final int NUMBER = SEQUENCE + 4;

    /** It is read in one turn and written in the next. */
    private static final int TURNS_OF_A_PACKET = 2;

    private static final int HEADERS = PacketSegmenter.KERNEL_HEADER + 52;

    private final AtomicLong now = new AtomicLong();
    private final BitSet received = new BitSet(PACKETS);
    private final ByteBuffer several = ForwarderWarmup.packet(SEGMENTS);
    private final ByteBuffer room = ByteBuffer.allocateDirect(PacketPool.LARGE);
    private int sent;
    private int quiet;

    @ParameterizedTest
    @CsvSource({"0.01,1", "0.005,5"})
    void theShareOfLossesAndTheirBurstsAreThoseThatWereAskedFor(double rate, int burst) throws Exception {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        carry(new Loss(rate, burst));
        int lost = PACKETS - received.cardinality();
        double deviation = burst * Math.sqrt(PACKETS * rate / burst);
        assertThat((double) lost).as("lost, seed " + SEED).isCloseTo(PACKETS * rate, within(4 * deviation));

        int bursts = 0;
        int followed = 0;
        int begin = received.nextClearBit(0);
        while (begin < PACKETS) {
            int end = received.nextSetBit(begin);
            int run = (end < 0 ? PACKETS : end) - begin;
            boolean isCut = begin + run == PACKETS;
            assertThat(isCut ? 0 : run % burst)
                    .as("whole bursts in a row, seed " + SEED)
                    .isZero();
            bursts += run / burst;
            followed += run / burst - 1;
            begin = received.nextClearBit(begin + run);
        }
        // Whether the next burst begins at once is drawn for each.
        double atOnce = new Loss(rate, burst).beginProbability();
        assertThat((double) followed)
                .as("bursts that follow at once, seed " + SEED)
                .isCloseTo(bursts * atOnce, within(4 * Math.sqrt(bursts * atOnce)));
    }

    private void carry(Loss loss) throws Exception {
        Direction direction = new Direction(0, 0, 0, Queue.DEFAULT, loss);
        Topology topology = new Topology(
                SEED,
                List.of(new EmulatedHost("a", "", 0x0a630001), new EmulatedHost("b", "", 0x0a630002)),
                List.of(),
                List.of(new Link("l", "a", "b", List.of(direction), List.of(direction))));
        List<FileDescriptor> a = Linux.pair();
        List<FileDescriptor> b = Linux.pair();
        try {
            Forwarder forwarder = new Forwarder(
                    topology,
                    List.of(a.get(1), b.get(1)),
                    new PendingChanges((number, atNanos) -> {}),
                    () -> now.addAndGet(1_000));
            forwarder.run(
                    () -> exchange(a.get(0), b.get(0)),
                    new EngineReporter(new EngineReport(forwarder.pipes()), lines -> {}));
        } finally {
            for (FileDescriptor each : List.of(a.get(0), a.get(1), b.get(0), b.get(1))) {
                each.close();
            }
        }
    }

    /** Takes what has come and sends the next; returns whether all have been sent and nothing comes any more. */
    private boolean exchange(FileDescriptor from, FileDescriptor to) {
        try {
            int length = to.read(room, 0, room.capacity());
            quiet = length > 0 ? 0 : quiet + 1;
            while (length > 0) {
                int first = room.getInt(NUMBER) * SEGMENTS + room.getInt(SEQUENCE) / PAYLOAD;
                received.set(first, first + (length - HEADERS) / PAYLOAD);
                length = to.read(room, 0, room.capacity());
            }
            if (sent < PACKETS / SEGMENTS) {
                several.putInt(NUMBER, sent++);
                from.write(several, 0, several.capacity());
                return false;
            }
            return quiet > TURNS_OF_A_PACKET;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
