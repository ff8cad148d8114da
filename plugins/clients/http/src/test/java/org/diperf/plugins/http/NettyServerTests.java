package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server of HTTP/2 that others wrote: Netty's, with its own frames, tables and windows. */
@Timeout(60)
class NettyServerTests {

    private static final int STREAMS = 3;

    @TempDir
    Path folder;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong received = new AtomicLong();

    @AfterEach
    void close() {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Answers a request that has come whole with as many bytes as it had. */
    private final class Answering extends SimpleChannelInboundHandler<Http2StreamFrame> {

        private int bytes;

        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2DataFrame data) {
                bytes += data.content().readableBytes();
                context.write(
                        new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes()).stream(data.stream()));
                if (data.isEndStream()) {
                    answer(context, frame);
                }
            } else if (frame instanceof Http2HeadersFrame head && head.isEndStream()) {
                answer(context, frame);
            }
        }

        private void answer(ChannelHandlerContext context, Http2StreamFrame frame) {
            requests.incrementAndGet();
            received.addAndGet(bytes);
            context.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers()
                            .status("200")
                            .set("content-length", String.valueOf(bytes))
                            .set("x-request", String.valueOf(requests.get())))
                    .stream(frame.stream()));
            context.writeAndFlush(
                    new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[bytes]), true, 7).stream(frame.stream()));
        }
    }

    private Url server() {
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        connections.incrementAndGet();
                        made.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forServer()
                                                .initialSettings(Http2Settings.defaultSettings()
                                                        .maxConcurrentStreams(STREAMS)
                                                        .headerTableSize(200)
                                                        .initialWindowSize(20_000))
                                                .build(),
                                        new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
                                            @Override
                                            protected void initChannel(Channel stream) {
                                                stream.pipeline().addLast((ChannelHandler) new Answering());
                                            }
                                        }));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        return Url.of("http://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + "/");
    }

    @Test
    void bodiesBothWaysThroughItsWindowsAndAsManyStreamsAsItAllows() throws Exception {
        String body = "x".repeat(100_000);
        int rounds = 40;
        try (PluginHarness harness = new PluginHarness(
                new HttpPlugin(),
                List.of(server()),
                Map.of("version", 2, "streams", 8, "method", "POST", "body", body, "path", "/${client}/${call}"),
                Duration.ofSeconds(20),
                folder,
                new NettyLoop())) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(harness.client(i));
            }
            int waited = 0;
            for (int round = 0; round < rounds; round++) {
                List<CallProbe> calls = new ArrayList<>();
                for (PluginHarness.Owned client : clients) {
                    calls.add(client.begin(0));
                }
                for (CallProbe call : calls) {
                    assertThat(call.awaitEnd(20_000)).isTrue();
                    assertThat(call.failure()).isNull();
                    assertThat(call.bytes()).isEqualTo(2L * body.length());
                    waited += call.metrics().containsKey("stream-wait") ? 1 : 0;
                }
            }
            assertThat(waited).as("calls that waited for one of three streams").isGreaterThan(rounds * 4);
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
        }
        assertThat(connections).hasValue(1);
        assertThat(requests).hasValue(8 * rounds);
        assertThat(received).hasValue(8L * rounds * body.length());
    }
}
