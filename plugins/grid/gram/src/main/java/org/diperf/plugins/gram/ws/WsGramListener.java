package org.diperf.plugins.gram.ws;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/** Where a service tells the states of jobs: an HTTP server. Confined to its event loop, but for {@link #close}. */
final class WsGramListener {

    private static final int MAX_BODY_BYTES = 64 << 10;
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final EventLoop loop;
    private final InetAddress address;
    private final XMLInputFactory xml = Xml.readers();
    private final Map<String, Consumer<String>> jobs = new HashMap<>();
    private final List<Consumer<@Nullable Failure>> waiting = new ArrayList<>();
    private volatile @Nullable Channel channel;
    private boolean bound;

    /**
     * @param address of this machine as the service sees it
     */
    WsGramListener(EventLoop loop, InetAddress address) {
        this.loop = loop;
        this.address = address;
    }

    /** Calls back when it listens, perhaps at once, or with why it cannot. */
    void whenReady(Consumer<@Nullable Failure> then) {
        if (bound) {
            then.accept(null);
            return;
        }
        waiting.add(then);
        if (waiting.size() > 1) {
            return;
        }
        ChannelFuture binding = new ServerBootstrap()
                .group(loop)
                .channel(SessionLoops.serverType(loop))
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        made.pipeline()
                                .addLast(
                                        new HttpRequestDecoder(),
                                        new HttpObjectAggregator(MAX_BODY_BYTES),
                                        new Reader());
                    }
                })
                .bind(new InetSocketAddress(address, 0));
        channel = binding.channel();
        Sockets.then(binding, loop, () -> ended(binding.cause()));
    }

    private void ended(@Nullable Throwable cause) {
        bound = cause == null;
        List<Consumer<@Nullable Failure>> ready = List.copyOf(waiting);
        waiting.clear();
        Failure why = cause == null ? null : Failures.of(cause).in("notification port");
        ready.forEach(each -> each.accept(why));
    }

    /** Returns the URL of a job here; to be called when it listens. */
    String url(String id) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("The listener is not listening");
        }
        InetSocketAddress at = (InetSocketAddress) open.localAddress();
        return "http://" + new TargetAddress(address.getHostAddress(), at.getPort()) + "/" + id;
    }

    /** Expects the states of a job. */
    void expect(String id, Consumer<String> states) {
        jobs.put(id, states);
    }

    /** Expects no more of them; what still comes is taken and dropped. */
    void forget(String id) {
        jobs.remove(id);
    }

    void close() {
        Sockets.close(channel);
    }

    private final class Reader extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            context.writeAndFlush(Unpooled.copiedBuffer(ANSWER, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            Consumer<String> job =
                    jobs.get(request.uri().substring(Math.min(1, request.uri().length())));
            try {
                WsGramResponse told = WsGramResponse.read(new ByteBufInputStream(request.content()), xml);
                if (job != null && told.name().equals("Notify") && !told.state().isEmpty()) {
                    job.accept(told.state());
                }
            } catch (MalformedXmlException e) {
                // Of a stranger, or of a service that will be missed by the call's timeout.
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // Of a stranger, or of a service that will be missed by the call's timeout.
            context.close();
        }
    }
}
