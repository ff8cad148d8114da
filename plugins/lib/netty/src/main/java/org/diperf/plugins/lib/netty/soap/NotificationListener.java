package org.diperf.plugins.lib.netty.soap;

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
import java.io.IOException;
import java.net.DatagramSocket;
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
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/**
 * Where services send notifications: an HTTP server, with one path for each that is expected. What strangers send is bounded in size, in depth and
 * in connections, and dropped. Confined to its event loop, but for {@link #close}.
 */
public final class NotificationListener {

    /** A larger notification is refused, with its connection. */
    public static final int MAX_BODY_BYTES = 64 << 10;

    /** Further connections are closed at once. */
    public static final int MAX_CONNECTIONS = 1_024;

    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final EventLoop loop;
    private final InetAddress address;
    private final XMLInputFactory xml = Xml.readers();
    private final Map<String, Consumer<SoapMessage>> expected = new HashMap<>();
    private final List<Consumer<@Nullable Failure>> waiting = new ArrayList<>();
    private volatile @Nullable Channel channel;
    private boolean bound;
    private int connections;

    /**
     * @param address of this machine as the service sees it
     */
    public NotificationListener(EventLoop loop, InetAddress address) {
        this.loop = loop;
        this.address = address;
    }

    /**
     * Returns the address of this machine from which another is reached: the system chooses it, and nothing is sent.
     *
     * @throws IOException when no way leads there
     */
    public static InetAddress addressTowards(InetSocketAddress other) throws IOException {
        try (DatagramSocket way = new DatagramSocket()) {
            way.connect(other);
            return way.getLocalAddress();
        }
    }

    /** Calls back when it listens, perhaps at once, or with why it cannot. */
    public void whenReady(Consumer<@Nullable Failure> then) {
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
                        if (connections >= MAX_CONNECTIONS) {
                            made.close();
                            return;
                        }
                        connections++;
                        Sockets.then(made.closeFuture(), loop, () -> connections--);
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

    /** Returns the URL to which a notification goes; to be called when it listens. */
    public String url(String id) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("The listener is not listening");
        }
        InetSocketAddress at = (InetSocketAddress) open.localAddress();
        return "http://" + new TargetAddress(address.getHostAddress(), at.getPort()) + "/" + id;
    }

    /** Expects notifications at the URL of this name, and has them taken on the event loop. */
    public void expect(String id, Consumer<SoapMessage> taking) {
        expected.put(id, taking);
    }

    /** Expects no more of them; what still comes is answered and dropped. */
    public void forget(String id) {
        expected.remove(id);
    }

    public void close() {
        Sockets.close(channel);
    }

    private final class Reader extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            context.writeAndFlush(Unpooled.copiedBuffer(ANSWER, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            Consumer<SoapMessage> taking = expected.get(
                    request.uri().substring(Math.min(1, request.uri().length())));
            if (taking == null) {
                return;
            }
            try {
                SoapMessage told = SoapMessage.read(new ByteBufInputStream(request.content()), xml);
                if (told.is("Notify")) {
                    taking.accept(told);
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
