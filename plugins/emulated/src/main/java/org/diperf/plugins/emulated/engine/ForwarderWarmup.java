package org.diperf.plugins.emulated.engine;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * Has a forwarder carry packets that nobody waits for, until the JVM has compiled it: before that it carries packets tens of
 * milliseconds late, and loses some.
 */
final class ForwarderWarmup {

    private static final long ENOUGH_PACKETS = 60_000;
    private static final long LONGEST_NANOS = 4_000_000_000L;
    private static final int FROM = 0x0a630001;
    private static final int TO = 0x0a630002;
    private static final int PAYLOAD = 1_448;
    private static final int HEADERS = 52;
    private static final int SINGLES = 16;
    private static final int SEGMENTS = 10;
    /** When so many packets have been carried, a report follows, so that these are compiled too. */
    private static final long REPORTED = 1024;

    private static final long PAUSE_NANOS = 200_000;

    private final NanoClock clock;
    private volatile boolean isOver;

    ForwarderWarmup(NanoClock clock) {
        this.clock = clock;
    }

    /** Rehearses; takes some seconds of a processor at most. */
    void run() throws IOException, InterruptedException {
        List<FileDescriptor> from = Linux.pair();
        List<FileDescriptor> to = Linux.pair();
        List<FileDescriptor> all = new ArrayList<>(from);
        all.addAll(to);
        try {
            Forwarder forwarder = new Forwarder(
                    topology(), List.of(from.get(1), to.get(1)), new PendingChanges((number, atNanos) -> {}), clock);
            Thread hosts = new Thread(() -> exchange(from.get(0), to.get(0)), "diperf-emulated-rehearsal");
            hosts.setDaemon(true);
            hosts.start();
            long beginNanos = clock.nanoTime();
            EngineReporter reporting = new EngineReporter(new EngineReport(forwarder.pipes()), lines -> {});
            forwarder.run(
                    () -> {
                        if (forwarder.delivered() % REPORTED == 0) {
                            reporting.tellNow();
                        }
                        return forwarder.delivered() > ENOUGH_PACKETS || clock.nanoTime() - beginNanos > LONGEST_NANOS;
                    },
                    reporting);
            isOver = true;
            hosts.join();
        } finally {
            for (FileDescriptor each : all) {
                each.close();
            }
        }
    }

    private static Topology topology() {
        Direction near = new Direction(2e9, 100_000, 10_000, Queue.DEFAULT, Loss.NONE);
        Direction far = new Direction(1e9, 1_000_000, 0, new Queue(10_000_000, true), new Loss(0.01, 2));
        return new Topology(
                1,
                List.of(new EmulatedHost("a", "", FROM), new EmulatedHost("b", "", TO)),
                List.of("r"),
                List.of(
                        new Link("near", "a", "r", List.of(near), List.of(near)),
                        new Link("far", "r", "b", List.of(far, far), List.of(far, far))));
    }

    /** Sends single packets and such that stand for several, and reads what comes. */
    private void exchange(FileDescriptor from, FileDescriptor to) {
        ByteBuffer single = packet(1);
        ByteBuffer several = packet(SEGMENTS);
        ByteBuffer room = ByteBuffer.allocateDirect(PacketPool.LARGE);
        try {
            while (!isOver) {
                for (int i = 0; i < SINGLES; i++) {
                    from.write(single, 0, single.capacity());
                }
                from.write(several, 0, several.capacity());
                while (to.read(room, 0, room.capacity()) > 0) {
                    room.clear();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            // Without packets the rehearsal ends by its time.
            isOver = true;
        }
    }

    /** Makes a packet of TCP as the kernel hands it over. */
    static ByteBuffer packet(int segments) {
        int length = HEADERS + segments * PAYLOAD;
        ByteBuffer packet = ByteBuffer.allocateDirect(PacketSegmenter.KERNEL_HEADER + length);
        if (segments > 1) {
            packet.put(1, (byte) 1);
            packet.order(ByteOrder.nativeOrder()).putShort(4, (short) PAYLOAD);
            packet.order(ByteOrder.BIG_ENDIAN);
        }
        int ip = PacketSegmenter.KERNEL_HEADER;
        packet.put(ip, (byte) 0x45)
                .putShort(ip + 2, (short) length)
                .put(ip + 8, (byte) 64)
                .put(ip + 9, (byte) 6);
        packet.putInt(ip + 12, FROM).putInt(ip + 16, TO);
        packet.putShort(ip + 20, (short) 40_000).putShort(ip + 22, (short) 80).put(ip + 32, (byte) 0x80);
        return packet;
    }
}
