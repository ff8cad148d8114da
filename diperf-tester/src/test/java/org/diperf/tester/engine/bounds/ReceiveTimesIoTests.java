package org.diperf.tester.engine.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.ports.FreePorts;
import org.diperf.tester.machine.ReceiveTimestamps;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real connections at whose arrivals the loop looks before their channels do. */
@Timeout(30)
class ReceiveTimesIoTests {

    private final CompletableFuture<Throwable> seen = new CompletableFuture<>();
    private final CompletableFuture<Void> heard = new CompletableFuture<>();
    private MultiThreadIoEventLoopGroup group;

    @BeforeEach
    void loop() {
        assumeTrue(
                Epoll.isAvailable() && ReceiveTimestamps.ofThisSystem() != null,
                "no epoll, or no stamps of what comes");
        // Each first look asks the kernel.
        group = new MultiThreadIoEventLoopGroup(
                1, ReceiveTimesIo.factory(new ReceiveTimes(NanoClock.SYSTEM, WallClock.SYSTEM)));
    }

    @AfterEach
    void end() {
        if (group != null) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private ChannelFuture connect(int port) {
        return new Bootstrap()
                .group(group)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object bytes) {
                        ReferenceCountUtil.release(bytes);
                        heard.complete(null);
                    }

                    @Override
                    public void channelInactive(ChannelHandlerContext context) {
                        seen.complete(new IOException("it ended"));
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                        seen.complete(cause);
                    }
                })
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .awaitUninterruptibly();
    }

    @Test
    void aRefusalIsSeen() {
        assertThat(connect(FreePorts.take()).cause())
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("refused");
    }

    @Test
    void aResetIsSeen() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ChannelFuture connected = connect(server.getLocalPort());
            try (Socket accepted = server.accept()) {
                // The loop is through with what came before the reset.
                accepted.getOutputStream().write('x');
                heard.get(10, TimeUnit.SECONDS);
                accepted.setSoLinger(true, 0);
            }
            assertThat(seen.get(10, TimeUnit.SECONDS)).hasMessageContaining("reset");
            connected.channel().close();
        }
    }
}
