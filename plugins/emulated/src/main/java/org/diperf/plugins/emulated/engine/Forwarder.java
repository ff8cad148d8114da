package org.diperf.plugins.emulated.engine;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * Takes packets from the hosts of an emulated network and gives them to others when their time has come. One thread does all
 * of it; what is done between two looks at the devices is bounded, so that no packet is stamped late. Confined to one thread.
 */
final class Forwarder {

    /** How often it looks whether it is to end. */
    private static final long LONGEST_WAIT_NANOS = 50_000_000L;

    private static final int MOST_READ = 32;
    private static final int MOST_DUE = 256;

    private final List<FileDescriptor> devices;
    private final Changes changes;
    private final NanoClock clock;
    private final PacketPool pool = new PacketPool();
    private final Network network;
    private final TimeCounts late = new TimeCounts();
    private final TimeCounts turns = new TimeCounts();
    private final WakeLead lead = new WakeLead();
    private long strays;
    private long refused;

    /**
     * @param devices of the hosts, by their numbers
     * @param changes of links that are to be made
     */
    Forwarder(Topology topology, List<FileDescriptor> devices, Changes changes, NanoClock clock) {
        this.devices = List.copyOf(devices);
        this.changes = changes;
        this.clock = clock;
        this.network = new Network(topology, pool, this::deliver);
    }

    /**
     * Carries packets until it is to end.
     *
     * @param reporting gets reports of it
     */
    void run(BooleanSupplier isToEnd, Reporting reporting) throws IOException {
        Linux.wakeInTime();
        try (Linux.Poll poll = new Linux.Poll(devices)) {
            while (!isToEnd.getAsBoolean()) {
                turn(poll);
                if (reporting.isWanted()) {
                    report(clock.nanoTime(), reporting.report());
                    reporting.filled();
                }
            }
        }
    }

    private void turn(Linux.Poll poll) throws IOException {
        long beginNanos = clock.nanoTime();
        network.advance(beginNanos, MOST_DUE);
        if (changes.nextNanos() <= beginNanos) {
            changes.make(network, clock.nanoTime());
        }
        long next = Math.min(network.nextNanos(), changes.nextNanos());
        long now = clock.nanoTime();
        long wait = next == Long.MAX_VALUE
                ? LONGEST_WAIT_NANOS
                : Math.max(0, Math.min(next - now - lead.nanos(), LONGEST_WAIT_NANOS));
        turns.add(now - beginNanos);
        int ready = poll.await(wait);
        if (ready == 0 && wait > 0) {
            lead.woke(now + wait, clock.nanoTime());
        }
        for (int i = 0; i < devices.size() && ready > 0; i++) {
            if (poll.canRead(i)) {
                ready--;
                read(i);
            }
        }
    }

    private void read(int host) throws IOException {
        for (int i = 0; i < MOST_READ; i++) {
            Packet packet = pool.take(PacketPool.LARGE);
            int length = devices.get(host).read(packet.bytes, 0, packet.bytes.capacity());
            if (length <= 0) {
                pool.give(packet);
                return;
            }
            long now = clock.nanoTime();
            if (!Segments.read(packet, length)) {
                strays++;
                pool.give(packet);
            } else if (!network.send(host, small(packet), now)) {
                strays++;
            }
        }
    }

    /** Moves what is small to a small buffer, so that many packets on a long way do not take the room of large ones. */
    private Packet small(Packet packet) {
        if (packet.length > PacketPool.SMALL) {
            return packet;
        }
        Packet small = pool.take(packet.length);
        small.bytes.put(0, packet.bytes, 0, packet.length);
        boolean isPacket = Segments.read(small, packet.length);
        assert isPacket : "the same bytes are the same packet";
        pool.give(packet);
        return small;
    }

    private void deliver(Packet packet) {
        late.add(clock.nanoTime() - packet.tailNanos);
        try {
            int written = devices.get(packet.destination).write(packet.bytes, 0, packet.length);
            refused += written == packet.length ? 0 : 1;
        } catch (IOException e) {
            // Its kernel does not take it: a loss behind the network, as in a host that is too slow.
            refused++;
        }
        pool.give(packet);
    }

    /** Returns how many packets have been given to hosts, of several as one only that. */
    long delivered() {
        return late.count();
    }

    /** Writes what it has done until an instant. */
    void report(long nowNanos, EngineReport into) {
        into.engine[EngineReport.AT_NANOS] = nowNanos;
        into.engine[EngineReport.DELIVERED] = late.count();
        times(late, into.engine, EngineReport.LATE_NANOS);
        times(turns, into.engine, EngineReport.TURN_NANOS);
        into.engine[EngineReport.STRAYS] = strays;
        into.engine[EngineReport.REFUSED] = refused;
        List<Pipe> pipes = network.pipes();
        for (int i = 0; i < pipes.size(); i++) {
            pipes.get(i).report(nowNanos, into.pipes, EngineReport.OF_PIPE * i);
        }
    }

    private static void times(TimeCounts times, long[] into, int at) {
        into[at] = times.quantileNanos(0.5);
        into[at + 1] = times.quantileNanos(0.99);
        into[at + 2] = times.quantileNanos(1);
    }

    /** Returns how many directions of physical links there are. */
    int pipes() {
        return network.pipes().size();
    }
}
