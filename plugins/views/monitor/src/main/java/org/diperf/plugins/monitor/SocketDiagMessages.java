package org.diperf.plugins.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What is said to the kernel and what it says about its TCP sockets: sock_diag(7), linux/inet_diag.h, linux/tcp.h. Buffers have
 * this machine's order of bytes. Stateless.
 */
final class SocketDiagMessages {

    /** A question for one connection or for all. */
    static final int REQUEST_BYTES = 72;

    private static final int HEADER_BYTES = 16;
    private static final short BY_FAMILY = 20;
    private static final short REQUEST = 1;
    private static final short ALL = 0x300;
    private static final byte TCP = 6;
    private static final int ERROR = 2;
    private static final int DONE = 3;
    private static final int NO_SUCH_FILE = 2;
    private static final int STALE = 116;
    private static final int TCP_INFO = 2;
    /** In which data can be on its way: established, and closed by one end. */
    private static final int STATES = 1 << 1 | 1 << 4 | 1 << 8;

    private static final int ANSWER_BYTES = 72;
    private static final int ID_AT = 4;
    private static final int ATTRIBUTE_BYTES = 4;
    private static final int ALIGNMENT = 3;
    private static final int SHORT_MASK = 0xffff;
    private static final int BYTE_MASK = 0xff;

    // Places in struct tcp_info, which has grown at its end.
    private static final int SEGMENT_BYTES = 16;
    private static final int UNACKED = 24;
    private static final int SACKED = 28;
    private static final int LOST = 32;
    private static final int RETRANS = 36;
    private static final int RTT = 68;
    private static final int THRESHOLD = 76;
    private static final int WINDOW = 80;
    private static final int TOTAL_RETRANS = 100;
    private static final int PACING_RATE = 104;
    private static final int ACKED_BYTES = 120;
    private static final int RECEIVED_BYTES = 128;
    private static final int DELIVERY_RATE = 160;

    private SocketDiagMessages() {}

    /** Takes what an answer holds. */
    interface Found {

        /** Takes a connection. */
        void connection(TcpConnection connection);
    }

    /** Asks for one connection. */
    static void ask(TcpConnection.Id id, ByteBuffer into) {
        header(into, (short) 0, id.family());
        into.put(id.wire().duplicate());
    }

    /**
     * Asks for all connections with these ports.
     *
     * @param family AF_INET or AF_INET6
     * @param localPort 0: any
     * @param peerPort 0: any
     */
    static void askAll(int family, int localPort, int peerPort, ByteBuffer into) {
        header(into, ALL, family);
        ByteBuffer id = into.duplicate().order(ByteOrder.BIG_ENDIAN);
        id.putShort((short) localPort).putShort((short) peerPort).put(new byte[TcpConnection.Id.BYTES - ID_AT - 8]);
        id.putInt(0).putLong(-1);
        into.position(into.position() + TcpConnection.Id.BYTES);
    }

    private static void header(ByteBuffer into, short flags, int family) {
        into.putInt(REQUEST_BYTES)
                .putShort(BY_FAMILY)
                .putShort((short) (REQUEST | flags))
                .putInt(0)
                .putInt(0);
        into.put((byte) family)
                .put(TCP)
                .put((byte) (1 << TCP_INFO - 1))
                .put((byte) 0)
                .putInt(STATES);
    }

    /**
     * Reads what came at once.
     *
     * @return how many questions have been answered to the end: of all, when the last part has come
     * @throws IOException if the kernel refuses, or what came is not of it
     */
    static int read(ByteBuffer from, Found found) throws IOException {
        int answered = 0;
        while (from.remaining() >= HEADER_BYTES) {
            int begin = from.position();
            int length = from.getInt(begin);
            int type = from.getShort(begin + 4) & SHORT_MASK;
            boolean isPart = (from.getShort(begin + 6) & REQUEST + 1) != 0;
            if (length < HEADER_BYTES || length > from.remaining()) {
                throw new IOException(
                        "expected a response about TCP sockets, got a malformed one of " + length + " bytes");
            }
            if (type == BY_FAMILY) {
                ByteBuffer body =
                        from.slice(begin + HEADER_BYTES, length - HEADER_BYTES).order(from.order());
                connection(body).ifPresent(found::connection);
                answered += isPart ? 0 : 1;
            } else if (type == DONE) {
                answered++;
            } else if (type == ERROR) {
                int error = length < HEADER_BYTES + Integer.BYTES ? 0 : -from.getInt(begin + HEADER_BYTES);
                if (error != NO_SUCH_FILE && error != STALE) {
                    throw new IOException("the kernel does not report TCP sockets: error " + error);
                }
                answered++;
            }
            from.position(Math.min(from.limit(), begin + (length + ALIGNMENT & ~ALIGNMENT)));
        }
        return answered;
    }

    private static Optional<TcpConnection> connection(ByteBuffer body) {
        if (body.remaining() < ANSWER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer id = ByteBuffer.allocate(TcpConnection.Id.BYTES);
        id.put(body.slice(ID_AT, TcpConnection.Id.BYTES)).flip();
        int family = body.get(0) & BYTE_MASK;
        int at = ANSWER_BYTES;
        while (at + ATTRIBUTE_BYTES <= body.limit()) {
            int length = body.getShort(at) & SHORT_MASK;
            int type = body.getShort(at + Short.BYTES) & SHORT_MASK;
            if (length < ATTRIBUTE_BYTES || at + length > body.limit()) {
                return Optional.empty();
            }
            if (type == TCP_INFO) {
                ByteBuffer info = body.slice(at + ATTRIBUTE_BYTES, length - ATTRIBUTE_BYTES)
                        .order(body.order());
                return Optional.of(connection(new TcpConnection.Id(family, id), info));
            }
            at += length + ALIGNMENT & ~ALIGNMENT;
        }
        return Optional.empty();
    }

    private static TcpConnection connection(TcpConnection.Id id, ByteBuffer info) {
        return new TcpConnection(
                id,
                number(info, WINDOW),
                number(info, THRESHOLD),
                number(info, RTT),
                number(info, SEGMENT_BYTES),
                number(info, UNACKED) - number(info, SACKED) - number(info, LOST) + number(info, RETRANS),
                number(info, TOTAL_RETRANS),
                large(info, ACKED_BYTES),
                large(info, RECEIVED_BYTES),
                large(info, PACING_RATE),
                large(info, DELIVERY_RATE));
    }

    /** An older kernel says less. */
    private static long number(ByteBuffer info, int at) {
        return at + Integer.BYTES <= info.limit() ? Integer.toUnsignedLong(info.getInt(at)) : 0;
    }

    private static long large(ByteBuffer info, int at) {
        return at + Long.BYTES <= info.limit() ? info.getLong(at) : 0;
    }
}
