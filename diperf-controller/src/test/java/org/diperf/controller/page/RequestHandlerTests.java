package org.diperf.controller.page;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One connection, whose idleness the test decides. */
@Timeout(30)
class RequestHandlerTests {

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final BlockingQueue<FullHttpResponse> answers = new LinkedBlockingQueue<>();

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Takes as long for an answer as the test wants. */
    private static class Slow implements PageHandler {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch made = new CountDownLatch(1);

        @Override
        public PageResponse get(String path, Map<String, String> parameters, String accept) {
            asked.countDown();
            try {
                made.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return PageResponse.plain(200, "made");
        }
    }

    private Channel connect(PageServer server) throws InterruptedException {
        LocalAddress address = new LocalAddress(RequestHandlerTests.class);
        new ServerBootstrap()
                .group(loop)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInitializer<LocalChannel>() {
                    @Override
                    protected void initChannel(LocalChannel connection) {
                        connection.pipeline().addLast(new RequestHandler(server));
                        accepted.complete(connection);
                    }
                })
                .bind(address)
                .sync();
        return new Bootstrap()
                .group(loop)
                .channel(LocalChannel.class)
                .handler(new SimpleChannelInboundHandler<FullHttpResponse>(false) {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
                        answers.add(answer);
                    }
                })
                .connect(address)
                .sync()
                .channel();
    }

    private static void fallIdle(Channel connection) throws InterruptedException {
        connection.pipeline().fireUserEventTriggered(IdleStateEvent.ALL_IDLE_STATE_EVENT);
        connection.eventLoop().submit(() -> {}).sync();
    }

    @Test
    void aConnectionThatWaitsForItsAnswerIsNotIdle() throws Exception {
        Slow site = new Slow();
        try (PageServer server = new PageServer(site, "127.0.0.1", 0, NanoClock.SYSTEM)) {
            Channel client = connect(server);
            FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            request.headers().set(HttpHeaderNames.HOST, "127.0.0.1:" + server.port());
            client.writeAndFlush(request).sync();
            site.asked.await();
            Channel connection = accepted.get();

            fallIdle(connection);
            assertThat(connection.isOpen()).isTrue();

            site.made.countDown();
            FullHttpResponse answer = answers.take();
            assertThat(answer.status().code()).isEqualTo(200);
            answer.release();
            fallIdle(connection);
            assertThat(connection.isOpen()).isFalse();
        }
    }

    @Test
    void aRequestThatIsSentBeforeTheAnswerToTheLastOneWaitsForIt() throws Exception {
        CountDownLatch made = new CountDownLatch(1);
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        PageHandler site = new Slow() {
            @Override
            public PageResponse get(String path, Map<String, String> parameters, String accept) {
                asked.add(path);
                if (path.equals("/slow")) {
                    try {
                        made.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                return PageResponse.plain(200, path);
            }
        };
        try (PageServer server = new PageServer(site, "127.0.0.1", 0, NanoClock.SYSTEM);
                Socket both = new Socket(server.address(), server.port());
                Socket other = new Socket(server.address(), server.port())) {
            ask(both, server, "/slow", "/next");
            assertThat(asked.take()).isEqualTo("/slow");
            ask(other, server, "/other");
            assertThat(asked.take())
                    .as("which would have come after what was decoded before")
                    .isEqualTo("/other");
            made.countDown();
            List<String> bodies = new BufferedReader(new InputStreamReader(both.getInputStream(), US_ASCII))
                    .lines()
                    .filter(line -> line.startsWith("/"))
                    .limit(2)
                    .toList();
            assertThat(bodies).containsExactly("/slow", "/next");
        }
    }

    private static void ask(Socket socket, PageServer server, String... paths) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (String path : paths) {
            requests.append("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n\r\n");
        }
        socket.getOutputStream().write(requests.toString().getBytes(US_ASCII));
    }
}
