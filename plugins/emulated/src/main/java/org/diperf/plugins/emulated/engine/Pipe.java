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
    private final Direction direction;
    private final LossDraw losses;
    private final SplittableRandom jitter;
    private final Departures queue = new Departures();
    private final PipeCounts counts = new PipeCounts();

    /** When the last packet of the queue will have been sent. */
    private double freeNanos = Long.MIN_VALUE;

    private @Nullable Packet first;
    private @Nullable Packet last;

    /** Its place in the order of pipes by when their first packet is due; below 0: it has none. */
    int place = -1;

    Pipe(String name, Direction direction, long seed) {
        this.name = name;
        this.direction = direction;
        this.losses = new LossDraw(direction.loss(), seed);
        this.jitter = new SplittableRandom(~seed);
    }

    PipeCounts counts() {
        return counts;
    }

    /**
     * Takes a packet of the wire into the queue.
     *
     * @param arrivesNanos not before those of packets that came earlier
     * @return when it will have been sent; {@link #LOST} if it is lost or finds no room
     */
    long offer(long arrivesNanos, int bytes) {
        counts.packets++;
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
        freeNanos = Math.max(freeNanos, arrivesNanos) + direction.nanos(bytes);
        long sentNanos = (long) Math.ceil(freeNanos);
        queue.add(sentNanos, bytes);
        counts.bytes += bytes;
        counts.mostQueued = Math.max(counts.mostQueued, queue.packets());
        return sentNanos;
    }

    /** Puts a packet that has been sent on its way to the other end, behind all that are before it. */
    void carry(Packet packet, long headSentNanos, long tailSentNanos) {
        long distance = direction.latencyNanos();
        if (direction.jitterNanos() > 0) {
            distance += jitter.nextLong(-direction.jitterNanos(), direction.jitterNanos() + 1);
        }
        Packet before = last;
        long earliest = before == null ? Long.MIN_VALUE : before.dueNanos;
        packet.headNanos = Math.max(earliest, headSentNanos + distance);
        packet.tailNanos = Math.max(packet.headNanos, tailSentNanos + distance);
        packet.dueNanos = packet.isLastLink() ? packet.tailNanos : packet.headNanos;
        packet.next = null;
        if (before == null) {
            first = packet;
        } else {
            before.next = packet;
        }
        last = packet;
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
            throw new IllegalStateException("Nothing is on its way on " + name);
        }
        first = packet.next;
        if (first == null) {
            last = null;
        }
        packet.next = null;
        return packet;
    }
}
