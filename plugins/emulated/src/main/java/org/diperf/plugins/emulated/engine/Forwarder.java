package org.diperf.plugins.emulated.engine;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.Wiring;
import org.jspecify.annotations.Nullable;

/**
 * Takes packets from the hosts of an emulated network and gives them to others when their time has come. One thread does all
 * of it; what is done between two looks at the devices is bounded, so that no packet is stamped late. Confined to one thread.
 */
final class Forwarder {

    /** How often it looks whether it is to end. */
    private static final long LONGEST_WAIT_NANOS = 50_000_000L;

    /** While there are packets it sleeps no longer, because nobody tells since when one waits that comes while it sleeps. */
    private static final long LONGEST_SLEEP_NANOS = 2_000_000;

    private static final long LATELY_NANOS = 1_000_000_000L;

    /** A look at what can be read takes less. */
    private static final long MIN_SLEEP_NANOS = 20_000;

    private static final int MAX_READ = 32;
    private static final int MAX_DUE = 256;

    private final List<FileDescriptor> devices;
    private final PendingChanges changes;
    private final NanoClock clock;
    private final @Nullable LinkCarriers carriers;
    private final PacketPool pool;
    /** Into which the next packet is read. */
    private Packet room = new Packet(PacketPool.LARGE);

    private final Network network;
    private final TimeHistogram late = new TimeHistogram();
    private final TimeHistogram turns = new TimeHistogram();
    private final WakeupLeadTime lead = new WakeupLeadTime();
    private final LatenessWindows slices = new LatenessWindows();
    /** Of what has been given to hosts in this turn, when the first should have been. */
    private long firstDueNanos = Long.MAX_VALUE;
    /** What it has not read yet came after this instant. */
    private long seenNanos;

    /** When it read a packet the last time. */
    private long readNanos = Long.MIN_VALUE / 2;

    private long delivered;
    private long strays;
    private long refused;

    /** Makes one that chooses the ways between hosts. */
    Forwarder(Topology topology, List<FileDescriptor> devices, PendingChanges changes, NanoClock clock) {
        this(topology, Wiring.HOSTS, devices, changes, clock, Engine.PACKET_BYTES);
    }

    /**
     * @param devices of the hosts, by their numbers, or of the ends of links
     * @param changes of links that are to be made
     * @param mostBytes that the buffers of packets on their way may take; those for which there are none are lost
     */
    Forwarder(
            Topology topology,
            Wiring wiring,
            List<FileDescriptor> devices,
            PendingChanges changes,
            NanoClock clock,
            long mostBytes) {
        this.devices = List.copyOf(devices);
        this.changes = changes;
        this.clock = clock;
        this.carriers = wiring == Wiring.LINKS_WITH_CARRIER ? new LinkCarriers(devices) : null;
        this.pool = new PacketPool(mostBytes);
        this.network = new Network(topology, wiring, pool, this::deliver);
    }

    /**
     * Carries packets until it is to end.
     *
     * @param reporting gets reports of it
     */
    void run(BooleanSupplier isToEnd, EngineReporter reporting) throws IOException {
        Linux.wakeInTime();
        seenNanos = clock.nanoTime();
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
        if (changes.takeBegin(beginNanos)) {
            late.clear();
            turns.clear();
        }
        network.advance(beginNanos, MAX_DUE);
        if (changes.nextNanos() <= beginNanos) {
            changes.make(network, carriers, clock.nanoTime());
        }
        long next = Math.min(network.nextNanos(), changes.nextNanos());
        long now = clock.nanoTime();
        if (firstDueNanos < now) {
            slices.overdue(firstDueNanos, now);
        }
        firstDueNanos = Long.MAX_VALUE;
        long longest = now - readNanos < LATELY_NANOS ? LONGEST_SLEEP_NANOS : LONGEST_WAIT_NANOS;
        long wait = next == Long.MAX_VALUE ? longest : Math.max(0, Math.min(next - now - lead.nanos(), longest));
        turns.add(now - beginNanos);
        int ready = poll.await(wait);
        long awake = clock.nanoTime();
        if (ready == 0 && wait > 0) {
            lead.woke(now + wait, awake);
        }
        long since = ready == 0 ? awake : sinceWhen(now, wait, awake);
        boolean isAllRead = true;
        for (int i = 0; i < devices.size() && ready > 0; i++) {
            if (poll.canRead(i)) {
                ready--;
                isAllRead &= read(i, since);
            }
        }
        if (since < awake) {
            slices.overdue(since, clock.nanoTime());
        }
        seenNanos = isAllRead ? awake : since;
    }

    /**
     * Returns since when what can be read may have been there. Without sleep, since it looked the last time. If it slept and was woken by that,
     * for as long as waking lately took; if it slept longer than it wanted to, it was kept from running, nobody knows since when.
     */
    private long sinceWhen(long asleepNanos, long wait, long awakeNanos) {
        if (awakeNanos - asleepNanos < MIN_SLEEP_NANOS) {
            return seenNanos;
        }
        return awakeNanos > asleepNanos + wait ? asleepNanos : Math.max(asleepNanos, awakeNanos - lead.nanos());
    }

    /**
     * Reads what a host sends.
     *
     * @param since when that may have been there
     * @return whether that was all
     */
    private boolean read(int host, long since) throws IOException {
        for (int i = 0; i < MAX_READ; i++) {
            int length = devices.get(host).read(room.bytes, 0, room.bytes.capacity());
            if (length <= 0) {
                return true;
            }
            long now = clock.nanoTime();
            readNanos = now;
            if (!PacketSegmenter.read(room, length)) {
                strays++;
                continue;
            }
            Packet packet = taken();
            if (packet != null) {
                packet.waitedNanos = now - since;
                strays += network.send(host, packet, now) ? 0 : 1;
            }
        }
        return false;
    }

    /**
     * Takes what has been read into no more room than it needs, so that many packets on a long way do not take that of large ones.
     *
     * @return {@code null}: the memory is spent, and it is lost
     */
    private @Nullable Packet taken() {
        Packet read = room;
        Packet fitting = pool.take(read.length);
        if (fitting != null && fitting.bytes.capacity() == PacketPool.LARGE) {
            // To change places is cheaper than to copy what is large.
            room = fitting;
            return read;
        }
        if (fitting != null) {
            fitting.bytes.put(0, read.bytes, 0, read.length);
            boolean isPacket = PacketSegmenter.read(fitting, read.length);
            assert isPacket : "the same bytes must give the same packet";
        }
        return fitting;
    }

    private void deliver(Packet packet) {
        long now = clock.nanoTime();
        delivered++;
        late.add(now - packet.tailNanos);
        slices.delivered(Math.max(0, now - packet.tailNanos) + packet.waitedNanos, now);
        firstDueNanos = Math.min(firstDueNanos, packet.tailNanos);
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
        return delivered;
    }

    /** Writes what it has done until an instant. */
    void report(long nowNanos, EngineReport into) {
        into.engine[EngineReport.AT_NANOS] = nowNanos;
        into.engine[EngineReport.DELIVERED] = delivered;
        into.times(EngineReport.LATE_NANOS, late);
        into.times(EngineReport.TURN_NANOS, turns);
        slices.tell(Math.min(nowNanos, Math.min(network.nextNanos(), seenNanos)), into.late);
        into.engine[EngineReport.STRAYS] = strays;
        into.engine[EngineReport.REFUSED] = refused + pool.refused();
        List<Pipe> pipes = network.pipes();
        for (int i = 0; i < pipes.size(); i++) {
            pipes.get(i).report(nowNanos, into.pipes, EngineReport.OF_PIPE * i);
        }
    }

    /** Returns how many directions of physical links there are. */
    int pipes() {
        return network.pipes().size();
    }
}
