package org.diperf.plugins.emulated.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the headers of packets as a TUN device with {@code IFF_VNET_HDR} gives them (Linux, {@code linux/virtio_net.h}), and
 * cuts one that stands for several. IP of version 4 alone. Stateless.
 */
final class PacketSegmenter {

    /** Bytes of struct virtio_net_hdr. */
    static final int KERNEL_HEADER = 10;

    private static final int GSO_TYPE = 1;
    private static final int GSO_SIZE = 4;
    private static final byte GSO_TCP4 = 1;
    private static final int IP = KERNEL_HEADER;
    private static final int MIN_IP_HEADER = 20;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int FRAGMENT = 0x3fff;
    private static final int FIN_AND_PUSH = 0x09;
    private static final int WINDOW_REDUCED = 0x80;
    private static final boolean SWAPS = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private PacketSegmenter() {}

    /**
     * Fills in what a packet's bytes say of it: segments, header, flow.
     *
     * @param length bytes in its buffer
     * @return whether it is an IP packet of version 4
     */
    static boolean read(Packet packet, int length) {
        ByteBuffer bytes = packet.bytes;
        packet.length = length;
        packet.segments = 1;
        packet.segmentPayload = 0;
        if (length < IP + MIN_IP_HEADER || bytes.get(IP) >> 4 != 4) {
            return false;
        }
        int ipHeader = (bytes.get(IP) & 15) * 4;
        packet.headerBytes = ipHeader;
        packet.flow = flow(bytes, ipHeader, length);
        if (bytes.get(GSO_TYPE) != 0) {
            int payload = nativeShort(bytes.getShort(GSO_SIZE)) & 0xffff;
            int header = ipHeader + (bytes.get(IP + ipHeader + 12) >> 4 & 15) * 4;
            int all = length - IP - header;
            if (bytes.get(GSO_TYPE) != GSO_TCP4 || payload == 0 || all <= 0) {
                return false;
            }
            packet.headerBytes = header;
            packet.segmentPayload = payload;
            packet.segments = (all + payload - 1) / payload;
        }
        return true;
    }

    static int destination(Packet packet) {
        return packet.bytes.getInt(IP + 16);
    }

    private static short nativeShort(short value) {
        return SWAPS ? Short.reverseBytes(value) : value;
    }

    /** Hashes addresses, protocol and ports; of fragments, which have no ports, the others alone. */
    private static int flow(ByteBuffer bytes, int ipHeader, int length) {
        int protocol = bytes.get(IP + 9) & 0xff;
        int hash = mixed(bytes.getInt(IP + 12)) + 31 * mixed(bytes.getInt(IP + 16)) + protocol;
        boolean hasPorts = (protocol == TCP || protocol == UDP)
                && (bytes.getShort(IP + 6) & FRAGMENT) == 0
                && length >= IP + ipHeader + 4;
        return mixed(hasPorts ? 31 * hash + mixed(bytes.getInt(IP + ipHeader)) : hash);
    }

    /** Spreads a number over all bits (the last step of MurmurHash3, Appleby 2011). */
    static int mixed(int value) {
        int hash = value;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    /**
     * Copies some segments of a packet into another, with headers as they would be had the kernel handed them over alone.
     *
     * @param from first segment
     * @param until behind the last segment
     * @param part with room for them
     */
    static void cut(Packet packet, int from, int until, Packet part) {
        int start = from * packet.segmentPayload;
        int all = packet.length - IP - packet.headerBytes;
        int payload = Math.min(all, until * packet.segmentPayload) - start;
        ByteBuffer bytes = part.bytes;
        bytes.put(0, packet.bytes, 0, IP + packet.headerBytes);
        bytes.put(IP + packet.headerBytes, packet.bytes, IP + packet.headerBytes + start, payload);
        part.length = IP + packet.headerBytes + payload;
        part.segments = until - from;
        part.headerBytes = packet.headerBytes;
        part.segmentPayload = packet.segmentPayload;
        part.destination = packet.destination;
        part.flow = packet.flow;
        part.way = packet.way;
        part.done = packet.done;
        if (part.segments == 1) {
            part.segmentPayload = 0;
            bytes.put(GSO_TYPE, (byte) 0);
            bytes.putShort(GSO_SIZE, (short) 0);
        }
        correct(part, from, until == packet.segments, start);
    }

    /** Corrects lengths, numbers, flags and checksums; that of TCP is still to be completed by whoever gets the packet. */
    private static void correct(Packet part, int from, boolean isEnd, int start) {
        ByteBuffer bytes = part.bytes;
        int ipHeader = (bytes.get(IP) & 15) * 4;
        int total = part.length - IP;
        int tcp = IP + ipHeader;
        bytes.putShort(IP + 2, (short) total);
        bytes.putShort(IP + 4, (short) (bytes.getShort(IP + 4) + from));
        bytes.putShort(IP + 10, (short) 0);
        bytes.putShort(IP + 10, (short) ~folded(sum(bytes, IP, ipHeader)));
        bytes.putInt(tcp + 4, bytes.getInt(tcp + 4) + start);
        int flags = bytes.get(tcp + 13);
        flags = isEnd ? flags : flags & ~FIN_AND_PUSH;
        flags = from == 0 ? flags : flags & ~WINDOW_REDUCED;
        bytes.put(tcp + 13, (byte) flags);
        bytes.putShort(tcp + 16, (short) folded(sum(bytes, IP + 12, 8) + TCP + total - ipHeader));
    }

    private static int sum(ByteBuffer bytes, int at, int length) {
        int sum = 0;
        for (int i = 0; i < length; i += 2) {
            sum += bytes.getShort(at + i) & 0xffff;
        }
        return sum;
    }

    private static int folded(int sum) {
        int once = (sum >>> 16) + (sum & 0xffff);
        return (once >>> 16) + (once & 0xffff);
    }
}
