package org.diperf.plugins.lib.gridftp.data;

import java.util.List;
import org.diperf.core.spi.Metric;

/** What is observed of transfers, of data channels, and of what servers say about either. */
public final class TransferMetrics {

    public static final Metric CONNECT =
            new Metric("connect", "ms", "time to set up the control connection, if the call opened it");
    public static final Metric LOGIN = new Metric(
            "login", "ms", "time for authentication and set-up, from the connection until the session is ready");
    public static final Metric FIRST_BYTE =
            new Metric("first-byte", "ms", "time from the command that starts the transfer to the first byte of data");
    public static final Metric TRANSFER =
            new Metric("transfer", "ms", "time from the first byte of data to the last reply");
    public static final Metric SKEW = new Metric(
            "skew",
            "ms",
            "time from the end of the first stream to the end of the last, for a download over several streams");

    public static final Metric THROUGHPUT = new Metric(
            "data.throughput", "MB/s", "data transferred in the last second by the clients of one event loop");
    public static final Metric WINDOW =
            new Metric("tcp.cwnd", "segments", "congestion window of a data channel, each second");
    public static final Metric STREAM_RTT =
            new Metric("tcp.rtt", "ms", "smoothed round-trip time of a data channel, each second");
    public static final Metric RETRANSMITS = new Metric(
            "tcp.retransmits",
            "segments",
            "segments retransmitted so far by the tester's side of a data channel, " + "each second");
    public static final Metric MARKER = new Metric(
            "marker.bytes", "bytes", "bytes transferred on all stripes, according to performance markers (112)");
    public static final Metric STORED =
            new Metric("marker.stored", "bytes", "bytes stored, according to restart markers (111)");
    public static final Metric RTT = new Metric(
            "network.rtt",
            "ms",
            "round-trip time of the TCP handshake, for at most one new connection per second per event loop");

    /** All of which the unit is declared: those of calls first, then those observed once a second or when a server tells. */
    public static final List<Metric> ALL = List.of(
            CONNECT, LOGIN, FIRST_BYTE, TRANSFER, SKEW, THROUGHPUT, WINDOW, STREAM_RTT, RETRANSMITS, MARKER, STORED);

    private TransferMetrics() {}
}
