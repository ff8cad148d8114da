package org.diperf.plugins.emulated.engine;

import org.jspecify.annotations.Nullable;

/** Packets that are not on their way, small and large ones. Not thread-safe. */
final class PacketPool {

    /** Holds any packet of the links' size. */
    static final int SMALL = 2_048;

    /** Holds what the kernel hands over at most. */
    static final int LARGE = 65_536 + Segments.KERNEL_HEADER;

    private @Nullable Packet small;
    private @Nullable Packet large;

    /** Takes one with room for so many bytes. */
    Packet take(int capacity) {
        boolean isSmall = capacity <= SMALL;
        Packet packet = isSmall ? small : large;
        if (packet == null) {
            return new Packet(isSmall ? SMALL : LARGE);
        }
        if (isSmall) {
            small = packet.next;
        } else {
            large = packet.next;
        }
        packet.next = null;
        return packet;
    }

    void give(Packet packet) {
        if (packet.bytes.capacity() == SMALL) {
            packet.next = small;
            small = packet;
        } else {
            packet.next = large;
            large = packet;
        }
    }
}
