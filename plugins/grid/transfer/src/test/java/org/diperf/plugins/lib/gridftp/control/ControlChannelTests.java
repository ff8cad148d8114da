package org.diperf.plugins.lib.gridftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ControlChannelTests {

    private record Told(Failure why, boolean inLoop) {}

    @Test
    void aSocketThatCannotBeMadeIsToldOnTheLoop() throws Exception {
        ChannelFactory<Channel> none = () -> {
            throw new ChannelException(new IOException("Too many open files"));
        };
        CompletableFuture<Told> told = new CompletableFuture<>();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            EventLoop loop = group.next();
            loop.submit(() -> new ControlChannel(
                            loop,
                            (server, handler) -> new Bootstrap()
                                    .group(loop)
                                    .channelFactory(none)
                                    .handler(handler)
                                    .connect(server),
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                            new Dialogue(null, () -> 0, 0, 1),
                            () -> {},
                            greeting -> {},
                            why -> told.complete(new Told(why, loop.inEventLoop()))))
                    .get();
            assertThat(told.get(10, TimeUnit.SECONDS))
                    .isEqualTo(new Told(Failure.ofGenerator("connect: too many open files"), true));
        } finally {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        }
    }
}
