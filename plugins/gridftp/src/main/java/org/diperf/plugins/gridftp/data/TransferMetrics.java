package org.diperf.plugins.gridftp.data;

import java.util.List;
import org.diperf.core.spi.Metric;

/** What is observed of transfers, of data channels, and of what servers say about either. */
public final class TransferMetrics {

    public static final Metric CONNECT =
            new Metric("connect", "ms", "making the control connection, where the call made it");
    public static final Metric LOGIN =
            new Metric("login", "ms", "authentication and set-up, from the connection to the session's being ready");
    public static final Metric FIRST_BYTE =
            new Metric("first-byte", "ms", "from the command that begins the transfer to the first byte of data");
    public static final Metric TRANSFER = new Metric("transfer", "ms", "from the first byte of data to the last reply");

    public static final Metric THROUGHPUT =
            new Metric("data.throughput", "MB/s", "data moved in the last second by the clients of one loop");
    public static final Metric WINDOW =
            new Metric("tcp.cwnd", "segments", "congestion window of a data channel, each second");
    public static final Metric STREAM_RTT =
            new Metric("tcp.rtt", "ms", "smoothed round trip of a data channel, each second");
    public static final Metric RETRANSMITS =
            new Metric("tcp.retransmits", "segments", "sent again so far by this side of a data channel, each second");
    public static final Metric MARKER =
            new Metric("marker.bytes", "bytes", "what a performance marker (112) says has been moved, of all stripes");
    public static final Metric STORED =
            new Metric("marker.stored", "bytes", "what a restart marker (111) says is stored");
    public static final Metric RTT = new Metric(
            "network.rtt", "ms", "round trip of the TCP handshake, of one new connection a second and loop at most");

    /** All of which the unit is declared: those of calls first, then those observed once a second or when a server tells. */
    public static final List<Metric> ALL =
            List.of(CONNECT, LOGIN, FIRST_BYTE, TRANSFER, THROUGHPUT, WINDOW, STREAM_RTT, RETRANSMITS, MARKER, STORED);

    private TransferMetrics() {}
}
