package org.diperf.plugins.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import org.diperf.core.spi.Recorder;

/** Observes the network's round-trip time as the kernel knows it, once a second. Confined to its event loop. */
final class RttSampler {

    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final double MICROS_PER_MILLI = 1e3;

    private final Recorder recorder;
    private long lastNanos;
    private boolean sampled;
    private @org.jspecify.annotations.Nullable EpollTcpInfo info;

    RttSampler(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Samples a connection that has just carried a response, when the last sample is old enough.
     *
     * @param channel still open; one without TCP_INFO (NIO) is passed over
     */
    void offer(Channel channel, long nowNanos) {
        if ((sampled && nowNanos - lastNanos < EVERY_NANOS) || !(channel instanceof EpollSocketChannel socket)) {
            return;
        }
        if (info == null) {
            info = new EpollTcpInfo();
        }
        try {
            socket.tcpInfo(info);
        } catch (ChannelException closedMeanwhile) {
            return;
        }
        sampled = true;
        lastNanos = nowNanos;
        recorder.observe(HttpPlugin.RTT, nowNanos, info.rtt() / MICROS_PER_MILLI);
    }
}
