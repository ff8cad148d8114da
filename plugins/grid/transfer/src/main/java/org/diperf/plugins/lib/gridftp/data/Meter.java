package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Observes, once a second, what the data channels of one event loop do: bytes moved, and of each channel, where the kernel
 * tells, congestion window, round trip and segments sent again. Confined to its event loop.
 */
final class Meter {

    private static final long EVERY_NANOS = 1_000_000_000L;
    /** Bounds what a second's samples cost; beyond that the channels opened first stand for the others. */
    private static final int MAX_CHANNELS = 64;

    private final EventLoop loop;
    private final Recorder recorder;
    private final NanoClock clock;
    private final Set<Channel> channels = new LinkedHashSet<>();
    private @Nullable EpollTcpInfo info;
    private long bytes;
    private long lastNanos;
    private long lastRttNanos;
    private boolean rttSampled;
    private boolean ticking;
    private volatile boolean closed;

    Meter(EventLoop loop, Recorder recorder, NanoClock clock) {
        this.loop = loop;
        this.recorder = recorder;
        this.clock = clock;
    }

    void moved(long count) {
        bytes += count;
        if (!ticking && !closed) {
            ticking = true;
            lastNanos = clock.nanoTime();
            loop.schedule(this::tick, EVERY_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Watches a data channel until it is closed. */
    void watch(Channel channel) {
        if (channel instanceof EpollSocketChannel && channels.size() < MAX_CHANNELS) {
            channels.add(channel);
            channel.closeFuture().addListener(gone -> channels.remove(channel));
        }
    }

    /** Samples the round trip of a connection that has just been made, at most once a second. */
    void connected(Channel channel) {
        long nowNanos = clock.nanoTime();
        if ((rttSampled && nowNanos - lastRttNanos < EVERY_NANOS) || !(channel instanceof EpollSocketChannel socket)) {
            return;
        }
        EpollTcpInfo of = read(socket);
        if (of != null && of.rtt() > 0) {
            rttSampled = true;
            lastRttNanos = nowNanos;
            recorder.observe(TransferMetrics.RTT, nowNanos, of.rtt() / 1e3);
        }
    }

    /**
     * Returns the round trip of the handshake of a connection that has just been made, as the kernel measured it, in nanoseconds; 0 where
     * it does not tell.
     */
    long handshakeNanos(Channel channel) {
        EpollTcpInfo of = channel instanceof EpollSocketChannel socket ? read(socket) : null;
        return of == null ? 0 : TimeUnit.MICROSECONDS.toNanos(of.rtt());
    }

    private void tick() {
        if (closed) {
            return;
        }
        long nowNanos = clock.nanoTime();
        recorder.observe(TransferMetrics.THROUGHPUT, nowNanos, bytes / 1e6 / ((nowNanos - lastNanos) / 1e9));
        lastNanos = nowNanos;
        for (Channel channel : channels) {
            EpollTcpInfo of = read((EpollSocketChannel) channel);
            if (of != null) {
                recorder.observe(TransferMetrics.WINDOW, nowNanos, of.sndCwnd());
                recorder.observe(TransferMetrics.STREAM_RTT, nowNanos, of.rtt() / 1e3);
                recorder.observe(TransferMetrics.RETRANSMITS, nowNanos, of.totalRetrans());
            }
        }
        if (bytes == 0) {
            ticking = false; // until bytes move again
        } else {
            bytes = 0;
            loop.schedule(this::tick, EVERY_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private @Nullable EpollTcpInfo read(EpollSocketChannel socket) {
        EpollTcpInfo into = info == null ? new EpollTcpInfo() : info;
        info = into;
        try {
            socket.tcpInfo(into);
            return into;
        } catch (ChannelException closedMeanwhile) {
            return null;
        }
    }

    /** Says what a marker of a server told. */
    void marker(Metric metric, double value) {
        recorder.observe(metric, clock.nanoTime(), value);
    }

    /** Observes nothing any more; from any thread. */
    void close() {
        closed = true;
    }
}
