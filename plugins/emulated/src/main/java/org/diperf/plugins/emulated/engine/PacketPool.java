package org.diperf.plugins.emulated.engine;

import org.jspecify.annotations.Nullable;

/**
 * Packets that are not on their way, by their room, which is {@link #SMALL}, twice as much each time, or {@link #LARGE}. It makes
 * no more of them than may take so much memory, and keeps those that it has made. Not thread-safe.
 */
final class PacketPool {

    /** Holds any packet of the links' size. */
    static final int SMALL = 2_048;

    /** Holds what the kernel hands over at most. */
    static final int LARGE = 65_536 + PacketSegmenter.KERNEL_HEADER;

    private static final int SIZES = 6;

    private final boolean hasBytes;
    private final @Nullable Packet[] free = new Packet[SIZES];
    private long leftBytes;
    private long refused;

    /** @param mostBytes that the buffers of all its packets may take */
    PacketPool(long mostBytes) {
        this(mostBytes, true);
    }

    private PacketPool(long mostBytes, boolean hasBytes) {
        this.leftBytes = mostBytes;
        this.hasBytes = hasBytes;
    }

    /** Returns a pool of packets without buffers, as many as are asked for. */
    static PacketPool ofSizes() {
        return new PacketPool(Long.MAX_VALUE, false);
    }

    /** Takes one with room for so many bytes, at most {@link #LARGE}; {@code null}: the memory is spent. */
    @Nullable
    Packet take(int bytes) {
        int size = size(bytes);
        int capacity = capacity(size);
        if (free[size] == null && capacity <= leftBytes) {
            leftBytes -= capacity;
            return hasBytes ? new Packet(capacity) : new Packet();
        }
        for (int i = size; i < SIZES; i++) {
            Packet packet = free[i];
            if (packet != null) {
                free[i] = packet.next;
                packet.next = null;
                return packet;
            }
        }
        refused++;
        return null;
    }

    void give(Packet packet) {
        int size = size(packet.bytes.capacity());
        packet.next = free[size];
        free[size] = packet;
    }

    /** Counts those that were asked for when the memory was spent. */
    long refused() {
        return refused;
    }

    private static int size(int bytes) {
        return Math.min(SIZES - 1, Integer.SIZE - Integer.numberOfLeadingZeros((bytes - 1) / SMALL));
    }

    private static int capacity(int size) {
        return size == SIZES - 1 ? LARGE : SMALL << size;
    }
}
