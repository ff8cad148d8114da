package org.diperf.plugins.emulated.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A packet on its way, or several of one TCP connection that the kernel hands over as one (GSO). Owned by the thread of its
 * {@link Network}; used again by its {@link PacketPool}.
 */
final class Packet {

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    /** The kernel's header before the IP packet (struct virtio_net_hdr), then the packet. */
    final ByteBuffer bytes;

    /** Bytes in the buffer. */
    int length;

    /** Packets that it is on the wire. */
    int segments;

    /** Bytes of the IP and TCP header, which each segment has; of a single packet they are not told apart. */
    int headerBytes;

    /** Payload of each segment but the last, in bytes; 0: it is a single packet. */
    int segmentPayload;

    /** Where it goes. */
    int destination;

    /** By which of parallel links it goes: a hash of its flow. */
    int flow;

    Pipes[] way = {};

    /** What whoever sent it knows it by; it means nothing here. */
    long tag;

    /** How many links of its way it has left behind. */
    int done;

    /** When its first segment leaves the queue of the link that it is on. */
    long headSentNanos;

    /** When its last segment does. */
    long tailSentNanos;

    /** How long it then takes to the other end. */
    long distanceNanos;

    /** When its first segment is at the next node. */
    long headNanos;

    /** When its last segment is there. */
    long tailNanos;

    /** For how long it may have waited until it was read from its host. */
    long waitedNanos;

    /** When the next node deals with it. */
    long dueNanos;

    /** The one behind it on its link, or in its pool. */
    @Nullable
    Packet next;

    Packet(int capacity) {
        bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
    }

    /** A packet of which there is nothing but its size. */
    Packet() {
        bytes = NOTHING;
    }

    /** Makes it a single packet of so many bytes on the wire. */
    void single(int ipBytes) {
        length = PacketSegmenter.KERNEL_HEADER + ipBytes;
        segments = 1;
        segmentPayload = 0;
    }

    boolean isLastLink() {
        return done + 1 == way.length;
    }

    /** Returns the size of an IP packet that it is on the wire, in bytes, by its place among the segments. */
    int wireBytes(int segment) {
        int ip = length - PacketSegmenter.KERNEL_HEADER;
        if (segmentPayload == 0) {
            return ip;
        }
        int payload = ip - headerBytes;
        return headerBytes + Math.min(segmentPayload, payload - segment * segmentPayload);
    }

    /** Returns when a segment is at the next node, by its place. */
    long arrivalNanos(int segment) {
        return evenly(headNanos, tailNanos, segment);
    }

    /** Gives a part of it, which is on the same link, the times of some segments. */
    void timePart(Packet part, int from, int until) {
        part.headSentNanos = evenly(headSentNanos, tailSentNanos, from);
        part.tailSentNanos = evenly(headSentNanos, tailSentNanos, until - 1);
        part.distanceNanos = distanceNanos;
        part.headNanos = arrivalNanos(from);
        part.tailNanos = arrivalNanos(until - 1);
        part.dueNanos = part.headNanos;
    }

    /** Segments come evenly between the first and the last one. */
    private long evenly(long firstNanos, long lastNanos, int segment) {
        return segments == 1 ? firstNanos : firstNanos + (lastNanos - firstNanos) * segment / (segments - 1);
    }
}
