package org.diperf.tester.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Ticket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to where a ticket leads: makes it, with TLS under the run's certificates, and makes it again when
 * it is gone, a little later each time. All methods and events are on the event loop, but where they say otherwise.
 */
public final class Dialer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Dialer.class);
    private static final long MIN_BACKOFF_MILLIS = 100;
    private static final long MAX_BACKOFF_MILLIS = 2_000;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int HANDSHAKE_SECONDS = 10;

    private final Ticket ticket;
    private final String who;
    private final EventLoop loop;
    private final SslContext tls;
    private final Supplier<ChannelHandler> decoders;
    private final Events events;
    private final ExecutorService resolver;
    private int attempts;
    private long backoffMillis = MIN_BACKOFF_MILLIS;
    private String lastTrouble = "";
    private boolean over;

    /** Hears of the connection. */
    public interface Events {

        /** It is there: the other end has the certificate of a controller or of a relay of this run. */
        void connected(Channel channel);

        /** Something has come, as the decoder gave it. */
        void came(Channel channel, Object message);

        /** It takes more, or no more for now. */
        void writable(Channel channel);

        /** It has ended; says whether another one is to be made. */
        boolean gone(Channel channel);
    }

    /**
     * @param who for the log
     * @param decoders make the handler that cuts the stream into messages, one for each connection
     * @throws SSLException when this JVM cannot use the ticket's keys
     */
    public Dialer(Ticket ticket, String who, EventLoop loop, Supplier<ChannelHandler> decoders, Events events)
            throws SSLException {
        this.ticket = ticket;
        this.who = who;
        this.loop = loop;
        this.decoders = decoders;
        this.events = events;
        this.tls = SslContextBuilder.forClient()
                .sslProvider(Sockets.tls())
                .protocols("TLSv1.3")
                .keyManager(new SingleKeyManagerFactory(ticket.key(), ticket.certificate()))
                .trustManager(ticket.authority())
                // The role in the certificate says whom we talk to; its name or address does not matter.
                .endpointIdentificationAlgorithm(null)
                .build();
        this.resolver = Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "diperf-resolver-" + ticket.tester());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins to connect. */
    public void connect() {
        assert loop.inEventLoop();
        if (over) {
            return;
        }
        String host = ticket.hosts().get(attempts++ % ticket.hosts().size());
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            connect(new InetSocketAddress(host, ticket.port()));
            return;
        }
        try {
            // Name resolution blocks: not on the event loop.
            resolver.execute(() -> {
                InetSocketAddress address = new InetSocketAddress(host, ticket.port());
                loop.execute(() -> connect(address));
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the link is closed", e);
        }
    }

    private void connect(InetSocketAddress address) {
        if (address.isUnresolved()) {
            trouble("no address for the host " + address.getHostString());
            connectLater();
            return;
        }
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channel(Sockets.connecting())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(256 << 10, 1 << 20))
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel fresh) {
                        SslHandler handler = tls.newHandler(fresh.alloc());
                        handler.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
                        fresh.pipeline().addLast(handler, decoders.get(), new Handler(handler));
                    }
                })
                .connect(address);
        connecting.addListener(future -> {
            if (!future.isSuccess()) {
                trouble("cannot connect to " + address + ": " + future.cause().getMessage());
                connectLater();
            }
        });
    }

    /** Connects again, a little later each time. */
    public void connectLater() {
        if (!over) {
            var unused = loop.schedule(() -> connect(), backoffMillis, TimeUnit.MILLISECONDS);
            backoffMillis = Math.min(MAX_BACKOFF_MILLIS, backoffMillis * 2);
        }
    }

    /** Called when the other end has let us in: the next connection is tried at once. */
    public void welcomed() {
        backoffMillis = MIN_BACKOFF_MILLIS;
        lastTrouble = "";
    }

    /** Logs once what is wrong, however often it is tried again; at the end nothing is. */
    public void trouble(String what) {
        if (!over && !what.equals(lastTrouble)) {
            lastTrouble = what;
            LOG.warn("{}: {}; trying again", who, what);
        }
    }

    /** Makes no more connections. */
    public void stop() {
        over = true;
    }

    /** Releases what it has; idempotent. Any thread. */
    @Override
    public void close() {
        resolver.shutdownNow();
    }

    /** Turns a channel's events into ours. */
    private final class Handler extends ChannelInboundHandlerAdapter {

        private final SslHandler handler;
        private @Nullable Throwable cause;

        Handler(SslHandler handler) {
            this.handler = handler;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent completion && completion.isSuccess()) {
                boolean controller = Peers.holder(handler)
                        .filter(holder -> holder.role() != Role.TESTER)
                        .isPresent();
                if (controller) {
                    events.connected(context.channel());
                } else {
                    cause = new SSLException("Expected a controller, got a certificate with another role");
                    context.close();
                }
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof FrameDecoder.MalformedFrame nonsense) {
                cause = new IOException(nonsense.reason());
                context.close();
            } else {
                events.came(context.channel(), message);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            events.writable(context.channel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
            if (cause == null) {
                cause = problem;
            }
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            boolean again = events.gone(context.channel());
            if (again) {
                trouble("connection to " + context.channel().remoteAddress() + " ended"
                        + (cause == null ? "" : ": " + cause.getMessage()));
                connectLater();
            }
        }
    }
}
