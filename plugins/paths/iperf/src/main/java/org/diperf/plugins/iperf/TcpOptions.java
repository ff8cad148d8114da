package org.diperf.plugins.iperf;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** Sets what a test asks of the sockets of its streams. */
final class TcpOptions {

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_MAXSEG = 2;
    private static final int TCP_CONGESTION = 13;

    private static final IntegerUnixChannelOption SEGMENT =
            new IntegerUnixChannelOption("TCP_MAXSEG", IPPROTO_TCP, TCP_MAXSEG);

    private TcpOptions() {}

    /**
     * Sets them.
     *
     * @param error the number by which a server says so, of the option that cannot be set
     * @param failure what a client says
     */
    record Unset(int error, Failure failure) {}

    /** Sets what a stream of TCP needs, before it is connected where possible. */
    static @Nullable Unset set(Channel channel, Request request) {
        channel.config().setOption(ChannelOption.TCP_NODELAY, request.noDelay());
        if (request.mss() > 0 && !set(channel, SEGMENT, request.mss())) {
            return new Unset(ServerErrors.SET_SEGMENT_SIZE, Failure.ofGenerator("mss: cannot be set on this tester"));
        }
        String congestion = request.congestion();
        if (congestion != null) {
            byte[] name = congestion.getBytes(StandardCharsets.UTF_8);
            RawUnixChannelOption option =
                    new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, name.length);
            if (!set(channel, option, ByteBuffer.wrap(name))) {
                return new Unset(
                        ServerErrors.SET_CONGESTION,
                        Failure.ofGenerator("congestion: " + congestion + " is not available on this tester"));
            }
        }
        return setWindow(channel, request);
    }

    private static <T> boolean set(Channel channel, ChannelOption<T> option, T value) {
        try {
            return !(channel instanceof NioSocketChannel) && channel.config().setOption(option, value);
        } catch (ChannelException e) {
            return false;
        }
    }

    /** Sets the buffers of any socket; the kernel cuts them to its limit and says nothing. */
    static @Nullable Unset setWindow(Channel channel, Request request) {
        int window = request.window();
        if (window == 0) {
            return null;
        }
        channel.config().setOption(ChannelOption.SO_SNDBUF, window);
        channel.config().setOption(ChannelOption.SO_RCVBUF, window);
        Integer sends = channel.config().getOption(ChannelOption.SO_SNDBUF);
        Integer receives = channel.config().getOption(ChannelOption.SO_RCVBUF);
        boolean set = sends != null && receives != null && sends >= window && receives >= window;
        return set
                ? null
                : new Unset(
                        ServerErrors.SET_BUFFER,
                        Failure.ofGenerator(
                                "window: above this tester's limit; raise net.core.rmem_max and net.core.wmem_max"));
    }
}
