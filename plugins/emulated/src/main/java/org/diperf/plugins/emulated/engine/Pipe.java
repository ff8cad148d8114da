package org.diperf.plugins.emulated.engine;

import java.util.SplittableRandom;
import org.diperf.plugins.emulated.topology.Direction;
import org.jspecify.annotations.Nullable;

/**
 * One physical link in one direction: a queue, from which packets are sent one after another, and then the distance. All
 * times are of the clock of its {@link Network}, in nanoseconds. Not thread-safe.
 */
final class Pipe {

    /** Stands for: the packet does not get through. */
    static final long LOST = -1;

    final String name;
    /** Its place among all of the topology. */
    final int number;

    private final long seed;
    private Direction direction;
    private boolean isDown;
    private LossSampler losses;
    private int draws;
    private final SplittableRandom jitter;
    private final Departures queue = new Departures();
    private final PipeCounts counts = new PipeCounts();

    /** When the last packet of the queue will have been sent. */
    private double freeNanos = Long.MIN_VALUE;

    private @Nullable Packet first;
    private @Nullable Packet last;

    /** When the last packet that was {@linkplain #handOver handed over} is at the other end. */
    private long handedOverNanos = Long.MIN_VALUE;

    /** Whether its other end belongs to another process: packets wait to be handed over, and are never due here. */
    boolean isHandedOver;

    /** Its place in the order of pipes by when their first packet is due; below 0: it has none. */
    int place = -1;

    Pipe(String name, int number, Direction direction, long seed) {
        this.name = name;
        this.number = number;
        this.seed = seed;
        this.direction = direction;
        this.losses = new LossSampler(direction.loss(), seed);
        this.jitter = new SplittableRandom(~seed);
    }

    PipeCounts counts() {
        return counts;
    }

    /**
     * Takes a packet of the wire into the queue.
     *
     * @param arrivesNanos not before those of packets that came earlier
     * @return when it will have been sent; {@link #LOST} if it is lost, finds no room, or the link is cut
     */
    long offer(long arrivesNanos, int bytes) {
        counts.packets++;
        if (isDown) {
            counts.cut++;
            return LOST;
        }
        if (losses.loses()) {
            counts.lost++;
            return LOST;
        }
        queue.forget(arrivesNanos);
        boolean fits = direction.queue().inBytes()
                ? queue.bytes() + bytes <= direction.queue().limit()
                : queue.packets() < direction.queue().limit();
        if (!fits) {
            counts.overflowed++;
            return LOST;
        }
        // In fractions of a nanosecond, so that rounding does not add up to another rate.
        double sendNanos = direction.nanos(bytes);
        freeNanos = Math.max(freeNanos, arrivesNanos) + sendNanos;
        long sentNanos = (long) Math.ceil(freeNanos);
        queue.add(sentNanos, bytes);
        counts.bytes += bytes;
        counts.busyNanos += sendNanos;
        counts.mostQueuedLately = Math.max(counts.mostQueuedLately, queue.packets());
        return sentNanos;
    }

    /** Puts a packet that has been sent on its way to the other end, behind all that are before it. */
    void carry(Packet packet, long headSentNanos, long tailSentNanos) {
        packet.headSentNanos = headSentNanos;
        packet.tailSentNanos = tailSentNanos;
        packet.distanceNanos = distanceNanos();
        place(packet, last);
        append(packet);
    }

    private void append(Packet packet) {
        packet.next = null;
        if (last == null) {
            first = packet;
        } else {
            last.next = packet;
        }
        last = packet;
    }

    /** Takes the first packet away, for the process to which the other end belongs; {@code null}: it has none. */
    @Nullable
    Packet handOver() {
        if (first == null) {
            return null;
        }
        handedOverNanos = first.dueNanos;
        return take();
    }

    /** Takes a single packet that another process hands over, behind all that it has handed over before. */
    void receive(Packet packet, long dueNanos) {
        packet.headNanos = dueNanos;
        packet.tailNanos = dueNanos;
        packet.dueNanos = dueNanos;
        append(packet);
    }

    /**
     * Puts a packet, whose times are known, back on its way before all others: none of them is at the other end before it.
     */
    void putBack(Packet packet) {
        Packet before = packet;
        for (Packet behind = first; behind != null && behind.dueNanos < before.dueNanos; behind = behind.next) {
            place(behind, before);
            before = behind;
        }
        packet.next = first;
        first = packet;
        if (last == null) {
            last = packet;
        }
    }

    /** Returns how long a packet of the wire is being sent. */
    double sendNanos(int bytes) {
        return direction.nanos(bytes);
    }

    private long distanceNanos() {
        long jitterNanos = direction.jitterNanos();
        return direction.latencyNanos() + (jitterNanos > 0 ? jitter.nextLong(-jitterNanos, jitterNanos + 1) : 0);
    }

    /** Says when a packet is at the other end, if not before another that it must not overtake. */
    private void place(Packet packet, @Nullable Packet before) {
        long earliest = before == null ? handedOverNanos : before.dueNanos;
        packet.headNanos = Math.max(earliest, packet.headSentNanos + packet.distanceNanos);
        packet.tailNanos = Math.max(packet.headNanos, packet.tailSentNanos + packet.distanceNanos);
        packet.dueNanos = packet.isLastLink() ? packet.tailNanos : packet.headNanos;
    }

    /**
     * Makes the link another one. What has left the queue arrives as it would have; what has not is sent at the new rate and
     * takes the new latency; room and losses are as new for what comes. A link that is down loses what is on it and what
     * comes. Of several packets that the kernel has handed over as one and that go on together, all count as on the next link
     * when the first is.
     */
    void change(Direction to, boolean down, long nowNanos, PacketPool pool) {
        if (!to.loss().equals(direction.loss())) {
            draws++;
            losses = new LossSampler(to.loss(), seed ^ draws * 0x9e3779b97f4a7c15L);
        }
        double factor = direction.bitsPerSecond() == 0 ? 1 : to.nanos(1) / direction.nanos(1);
        double unsentNanos = unsentNanos(nowNanos);
        direction = to;
        isDown = down;
        if (down) {
            counts.busyNanos -= unsentNanos;
            drop(nowNanos, pool);
            return;
        }
        queue.stretch(nowNanos, factor);
        counts.busyNanos += unsentNanos * (factor - 1);
        if (freeNanos > nowNanos) {
            freeNanos = nowNanos + (freeNanos - nowNanos) * factor;
        }
        Packet before = null;
        for (Packet packet = first; packet != null; packet = packet.next) {
            if (packet.headSentNanos > nowNanos) {
                packet.distanceNanos = distanceNanos();
            }
            packet.headSentNanos = Departures.stretched(packet.headSentNanos, nowNanos, factor);
            packet.tailSentNanos = Departures.stretched(packet.tailSentNanos, nowNanos, factor);
            place(packet, before);
            before = packet;
        }
    }

    private void drop(long nowNanos, PacketPool pool) {
        queue.forget(nowNanos);
        // What has not left the queue has not been sent after all.
        counts.bytes -= queue.bytes();
        queue.clear();
        freeNanos = nowNanos;
        Packet packet = first;
        while (packet != null) {
            Packet next = packet.next;
            counts.cut += packet.segments;
            pool.give(packet);
            packet = next;
        }
        first = null;
        last = null;
    }

    /**
     * Writes what it has done until an instant, which may lie after packets that are still to come: what waits in the queue
     * has not been sent, and the queue stays as it is.
     *
     * @param into gets {@link EngineReport#OF_PIPE} numbers
     * @param at the first of them
     */
    void report(long nowNanos, long[] into, int at) {
        int queued = queue.packetsAt(nowNanos);
        into[at + EngineReport.PACKETS] = counts.packets;
        into[at + EngineReport.BYTES] = counts.bytes - Math.round(unsentBytes(nowNanos));
        into[at + EngineReport.BUSY_NANOS] = Math.round(counts.busyNanos - unsentNanos(nowNanos));
        into[at + EngineReport.LOST] = counts.lost;
        into[at + EngineReport.OVERFLOWED] = counts.overflowed;
        into[at + EngineReport.CUT] = counts.cut;
        into[at + EngineReport.QUEUED] = queued;
        into[at + EngineReport.MAX_QUEUED] = counts.mostQueuedLately;
        counts.mostQueuedLately = queued;
    }

    /** Returns for how long what is in the queue at an instant will still be sent. */
    private double unsentNanos(long nowNanos) {
        int queued = queue.packetsAt(nowNanos);
        return queued == 0 ? 0 : beingSentNanos(queued, nowNanos) + direction.nanos(queue.bytesOfLast(queued - 1));
    }

    /** Counts what is in the queue at an instant, of the first packet the part that has not been sent. */
    private double unsentBytes(long nowNanos) {
        int queued = queue.packetsAt(nowNanos);
        if (queued == 0) {
            return 0;
        }
        long behind = queue.bytesOfLast(queued - 1);
        long foremost = queue.bytesOfLast(queued) - behind;
        double sendNanos = direction.nanos(foremost);
        return behind + (sendNanos == 0 ? foremost : foremost * beingSentNanos(queued, nowNanos) / sendNanos);
    }

    /** Returns for how long the first of some packets in the queue will still be sent. */
    private double beingSentNanos(int queued, long nowNanos) {
        long bytes = queue.bytesOfLast(queued) - queue.bytesOfLast(queued - 1);
        return Math.min(direction.nanos(bytes), queue.leavesNanos(queued) - nowNanos);
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Returns when its first packet is due; it has one. */
    long dueNanos() {
        Packet packet = first;
        return packet == null ? Long.MAX_VALUE : packet.dueNanos;
    }

    /** Takes the first packet away; it has one. */
    Packet take() {
        Packet packet = first;
        if (packet == null) {
            throw new IllegalStateException("No packet in flight on " + name);
        }
        first = packet.next;
        if (first == null) {
            last = null;
        }
        packet.next = null;
        return packet;
    }
}
