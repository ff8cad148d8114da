package org.diperf.plugins.monitor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a TCP connection, as the kernel sees it at an instant (tcp(7), TCP_INFO).
 *
 * @param id which one
 * @param window congestion window, segments
 * @param threshold of slow start, segments; {@link #NO_THRESHOLD} or more: there is none yet
 * @param roundTripMicros smoothed; 0: not measured
 * @param segmentBytes largest payload of a segment that it sends
 * @param inFlight segments that were sent, and neither acknowledged nor lost, those that were sent again included
 * @param retransmits segments that it has sent again so far
 * @param ackedBytes of payload that the other end has acknowledged so far
 * @param receivedBytes of payload so far
 * @param pacingRate by which it spaces what it sends, bytes/s; -1: not limited
 * @param deliveryRate at which its last data arrived, bytes/s; 0: not measured
 */
record TcpConnection(
        Id id,
        long window,
        long threshold,
        long roundTripMicros,
        long segmentBytes,
        long inFlight,
        long retransmits,
        long ackedBytes,
        long receivedBytes,
        long pacingRate,
        long deliveryRate) {

    /** TCP_INFINITE_SSTHRESH of the kernel. */
    static final long NO_THRESHOLD = 0x7fffffffL;

    /**
     * Which connection, for the kernel: {@code struct inet_diag_sockid} with its cookie, by which another one with the same
     * addresses and ports differs.
     *
     * @param family AF_INET or AF_INET6
     * @param wire as it came; not changed
     */
    record Id(int family, ByteBuffer wire) {

        static final int BYTES = 48;
        static final int AF_INET = 2;
        static final int AF_INET6 = 10;

        private static final int LOCAL_AT = 4;
        private static final int PEER_AT = 20;
        private static final int ADDRESS_BYTES = 16;
        private static final int OLD_ADDRESS_BYTES = 4;
        private static final int PORT_MASK = 0xffff;

        Id {
            wire = wire.asReadOnlyBuffer();
        }

        int localPort() {
            return wire.getShort(0) & PORT_MASK;
        }

        int peerPort() {
            return wire.getShort(Short.BYTES) & PORT_MASK;
        }

        InetAddress local() {
            return address(LOCAL_AT);
        }

        InetAddress peer() {
            return address(PEER_AT);
        }

        private InetAddress address(int at) {
            byte[] bytes = new byte[ADDRESS_BYTES];
            wire.get(at, bytes);
            try {
                // One of version 4 within one of version 6 becomes the former.
                return InetAddress.getByAddress(family == AF_INET ? Arrays.copyOf(bytes, OLD_ADDRESS_BYTES) : bytes);
            } catch (UnknownHostException e) {
                throw new IllegalStateException("An address must have 4 or 16 bytes", e);
            }
        }

        private static String words(InetAddress address, int port) {
            String host = address.getHostAddress();
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }

        /** Names both ends for people. */
        String words() {
            return words(local(), localPort()) + " to " + words(peer(), peerPort());
        }
    }

    /**
     * Which connections are looked for.
     *
     * @param ports at either end; empty: any
     * @param peer the other end's address; {@code null}: any
     */
    record Choice(List<Integer> ports, @Nullable InetAddress peer) {

        Choice {
            ports = List.copyOf(ports);
        }

        boolean fits(Id id) {
            return (ports.isEmpty() || ports.contains(id.localPort()) || ports.contains(id.peerPort()))
                    && (peer == null || peer.equals(id.peer()));
        }
    }
}
