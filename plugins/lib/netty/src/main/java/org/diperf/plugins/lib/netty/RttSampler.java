package org.diperf.plugins.lib.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Observes the network's round-trip time by the handshakes of new connections, at most once a second. The kernel's
 * smoothed time of a connection in use would not do: acknowledgements that wait for the response put the time of the
 * service into it. Confined to its event loop.
 */
public final class RttSampler {

    /** What it observes; it is of the tester, so plugins need not declare it. */
    public static final Metric RTT = new Metric(
            "network.rtt",
            "ms",
            "round-trip time of the TCP handshake, for at most one new connection per second per event loop");

    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Recorder recorder;
    private long lastNanos;
    private boolean sampled;
    private @Nullable EpollTcpInfo info;

    /** Makes one for an event loop. */
    public RttSampler(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Samples a connection that has just been made and carried nothing yet, when the last sample is old enough.
     *
     * @param channel an epoll one is asked for the kernel's own measure of the handshake
     * @param nowNanos on the tester's clock
     * @param connectNanos what connecting took, this loop's own delay included; the sample of every other channel
     */
    public void offer(Channel channel, long nowNanos, long connectNanos) {
        if (sampled && nowNanos - lastNanos < EVERY_NANOS) {
            return;
        }
        double nanos = channel instanceof EpollSocketChannel socket ? kernelNanos(socket) : connectNanos;
        // The kernel has none where the SYN had to be sent again.
        if (nanos > 0) {
            sampled = true;
            lastNanos = nowNanos;
            recorder.observe(RTT, nowNanos, nanos / NANOS_PER_MILLI);
        }
    }

    private double kernelNanos(EpollSocketChannel socket) {
        if (info == null) {
            info = new EpollTcpInfo();
        }
        try {
            socket.tcpInfo(info);
            return info.rtt() * NANOS_PER_MICRO;
        } catch (ChannelException closedMeanwhile) {
            return 0;
        }
    }
}
