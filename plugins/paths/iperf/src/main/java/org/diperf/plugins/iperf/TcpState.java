package org.diperf.plugins.iperf;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel knows of a TCP connection ({@code struct tcp_info} of linux/tcp.h).
 *
 * @param rttMicros smoothed round trip
 * @param windowSegments congestion window
 * @param retransmits segments sent again so far
 * @param ackedBytes acknowledged by the other end; -1 for kernels before 4.1, which do not tell
 */
record TcpState(long rttMicros, long windowSegments, long retransmits, long ackedBytes) {

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int RTT_AT = 68;
    private static final int WINDOW_AT = 80;
    private static final int RETRANSMITS_AT = 100;
    private static final int ACKED_AT = 120;
    private static final int BYTES = 128;

    private static final RawUnixChannelOption INFO = new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES);

    /** Reads it, {@code null} where the channel cannot tell or is closed. */
    static @Nullable TcpState of(Channel channel) {
        if (!(channel instanceof EpollSocketChannel)) {
            return null;
        }
        try {
            ByteBuffer info = channel.config().getOption(INFO);
            if (info == null) {
                return null;
            }
            info.order(ByteOrder.nativeOrder());
            return new TcpState(
                    Integer.toUnsignedLong(info.getInt(RTT_AT)),
                    Integer.toUnsignedLong(info.getInt(WINDOW_AT)),
                    Integer.toUnsignedLong(info.getInt(RETRANSMITS_AT)),
                    info.limit() < BYTES ? -1 : info.getLong(ACKED_AT));
        } catch (ChannelException closedMeanwhile) {
            return null;
        }
    }
}
