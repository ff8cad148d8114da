package org.diperf.plugins.gram;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.stream.ChunkedNioFile;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where job managers tell the states of jobs, send their output and fetch their files: an HTTPS server that talks to whoever acts for the same
 * user. Confined to its event loop, but for {@link #close}.
 */
final class Listener {

    private static final int MAX_HEAD_BYTES = 8 << 10;
    private static final int MAX_STATE_BYTES = 16 << 10;
    private static final int MAX_CHUNK_BYTES = 64 << 10;
    /** Of a range whose ports others hold; a call that failed at once would be followed by the next one at once. */
    private static final long PORT_AGAIN_MILLIS = 50;

    private static final int MAX_TRIES_FOR_PORT = 20;
    private static final long PATIENCE_SECONDS = 30;
    /** For a file over a slow line. */
    private static final long FILE_PATIENCE_SECONDS = 15 * 60;

    /** Whose messages and files come by it. Called on its event loop. */
    interface Subscriber {

        /** Takes what a job manager tells of a job. */
        void told(String message);

        /**
         * Takes a piece of a job's output.
         *
         * @param name the last part of its URL
         */
        void output(String name, ByteBuf bytes);

        /** Returns the file that a job manager wants to stage in; {@code null}: there is none of this name. */
        default @Nullable Path file(String name) {
            return null;
        }

        /** Takes messages about jobs that nobody expects any more, and drops them. */
        static Subscriber dropping() {
            return new Subscriber() {
                @Override
                public void told(String message) {
                    // Nobody waits for it.
                }

                @Override
                public void output(String name, ByteBuf bytes) {
                    // Nobody waits for it.
                }
            };
        }
    }

    /**
     * Where job managers reach it.
     *
     * @param host what they are told as this machine's host, {@code null} for the address from which it reaches the gatekeeper
     * @param firstPort to listen on, 0 for any
     */
    record Place(@Nullable String host, int firstPort, int lastPort) {}

    private final GsiCredentials credentials;
    private final Place place;
    private final EventLoop loop;
    private final InetAddress address;
    private final Map<Long, Subscriber> jobs = new HashMap<>();
    private final List<Consumer<@Nullable Failure>> waiting = new ArrayList<>();
    private volatile @Nullable Channel channel;
    private final Subscriber late;
    private boolean bound;
    private int triesForPort;
    private volatile boolean closed;

    /**
     * @param late gets messages about jobs that were expected once
     */
    Listener(GsiCredentials credentials, Place place, EventLoop loop, InetAddress address, Subscriber late) {
        this.late = late;
        this.credentials = credentials;
        this.place = place;
        this.loop = loop;
        this.address = address;
    }

    /** Calls back when it listens, perhaps at once, or with why it cannot, which takes a second where no port of the range is free. */
    void whenReady(Consumer<@Nullable Failure> then) {
        if (bound) {
            then.accept(null);
            return;
        }
        waiting.add(then);
        if (waiting.size() == 1) {
            triesForPort = 0;
            bind(place.firstPort());
        }
    }

    private void bind(int port) {
        // A host that is given is another's view of this machine.
        boolean any = place.host() != null;
        ChannelFuture binding = new ServerBootstrap()
                .group(loop)
                .channel(SessionLoops.serverType(loop))
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) throws IOException {
                        accept(made);
                    }
                })
                .bind(any ? new InetSocketAddress(port) : new InetSocketAddress(address, port));
        channel = binding.channel();
        Sockets.then(binding, loop, () -> ended(binding.cause(), port));
    }

    private void ended(@Nullable Throwable cause, int port) {
        if (cause != null && port != 0 && port < place.lastPort()) {
            bind(port + 1);
            return;
        }
        triesForPort++;
        if (cause != null && isTaken(cause, port) && triesForPort < MAX_TRIES_FOR_PORT && !closed) {
            loop.schedule(() -> bind(place.firstPort()), PORT_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        if (closed) {
            Sockets.close(channel);
        }
        bound = cause == null;
        List<Consumer<@Nullable Failure>> ready = new ArrayList<>(waiting);
        waiting.clear();
        Failure why = cause == null ? null : noPort(cause, port);
        ready.forEach(each -> each.accept(why));
    }

    /** Returns whether a port of the range is another's, who may leave it. */
    private static boolean isTaken(Throwable cause, int port) {
        return port != 0 && Failures.of(cause).kind().equals("no free local port or address");
    }

    private Failure noPort(Throwable cause, int port) {
        Failure why = Failures.of(cause);
        return isTaken(cause, port)
                ? new Failure(
                        why.fault(),
                        "callback-ports: none of " + place.firstPort() + "-" + place.lastPort()
                                + " is free; a tester needs one per event loop")
                : why.in("callback port");
    }

    /** Returns the URL of a job here; to be called when it listens. */
    String url(long number) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("The listener is not listening");
        }
        InetSocketAddress at = (InetSocketAddress) open.localAddress();
        String told = place.host();
        String host = told == null ? address.getHostAddress() : told;
        return "https://" + new TargetAddress(host, at.getPort()) + "/" + number;
    }

    /** Expects messages about a job. */
    void expect(long number, Subscriber job) {
        jobs.put(number, job);
    }

    /** Expects no more of them; what still comes is for the late. */
    void forget(long number) {
        jobs.remove(number);
    }

    void close() {
        closed = true;
        Sockets.close(channel);
    }

    private void accept(Channel made) throws IOException {
        SSLEngine engine = credentials.server();
        SslHandler tls = new SslHandler(engine);
        tls.setHandshakeTimeoutMillis(0);
        tls.setCloseNotifyFlushTimeoutMillis(0);
        // Nobody else closes what a job manager opened and then left alone.
        ScheduledFuture<?> patience = loop.schedule(() -> made.close(), PATIENCE_SECONDS, TimeUnit.SECONDS);
        made.pipeline()
                .addLast(
                        tls,
                        new HttpRequestDecoder(MAX_HEAD_BYTES, MAX_HEAD_BYTES, MAX_CHUNK_BYTES),
                        new Reader(engine, patience));
    }

    private final class Reader extends ChannelInboundHandlerAdapter {

        private final SSLEngine engine;
        private final ScheduledFuture<?> patience;
        private final StringBuilder state = new StringBuilder();
        private @Nullable Subscriber job;
        private String name = "";
        private boolean wanted;

        Reader(SSLEngine engine, ScheduledFuture<?> patience) {
            this.engine = engine;
            this.patience = patience;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            try {
                if (message instanceof HttpRequest request) {
                    begin(context, request);
                }
                if (message instanceof HttpContent content) {
                    take(content.content());
                    if (message instanceof LastHttpContent) {
                        end(context);
                    }
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void begin(ChannelHandlerContext context, HttpRequest request) throws Exception {
            X509Certificate[] peer = Arrays.stream(engine.getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            if (!request.decoderResult().isSuccess() || !credentials.isSelf(peer)) {
                context.close();
                return;
            }
            String[] path = request.uri().split("[/?]", -1);
            try {
                job = path.length > 1 ? jobs.getOrDefault(Long.parseLong(path[1]), late) : null;
            } catch (NumberFormatException unknown) {
                job = null;
            }
            state.setLength(0);
            name = path.length > 2 ? path[2] : "";
            wanted = request.method().equals(HttpMethod.GET);
            if (HttpUtil.is100ContinueExpected(request)) {
                write(context, "HTTP/1.1 100 Continue\r\n\r\n");
            }
        }

        private void take(ByteBuf bytes) {
            Subscriber of = job;
            if (of == null || wanted) {
                return;
            }
            if (!name.isEmpty()) {
                of.output(name, bytes);
            } else if (state.length() + bytes.readableBytes() <= MAX_STATE_BYTES) {
                state.append(bytes.toString(StandardCharsets.UTF_8));
            }
        }

        private void end(ChannelHandlerContext context) throws IOException {
            if (wanted) {
                serve(context);
                return;
            }
            if (!name.isEmpty()) {
                write(context, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                return;
            }
            Subscriber of = job;
            if (of != null) {
                of.told(state.toString());
            }
            write(context, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").addListener(ChannelFutureListener.CLOSE);
        }

        private void serve(ChannelHandlerContext context) throws IOException {
            Path file = job == null ? null : job.file(name);
            if (file == null) {
                write(context, "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                        .addListener(ChannelFutureListener.CLOSE);
                return;
            }
            patience.cancel(false);
            loop.schedule(() -> context.close(), FILE_PATIENCE_SECONDS, TimeUnit.SECONDS);
            FileChannel from = FileChannel.open(file);
            context.pipeline().addBefore(context.name(), null, new ChunkedWriteHandler());
            write(context, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + from.size() + "\r\n\r\n");
            context.writeAndFlush(new ChunkedNioFile(from, 0, from.size(), MAX_CHUNK_BYTES))
                    .addListener(ChannelFutureListener.CLOSE);
        }

        private static ChannelFuture write(ChannelHandlerContext context, String answer) {
            return context.writeAndFlush(Unpooled.copiedBuffer(answer, StandardCharsets.US_ASCII));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // Of a stranger, or of a job manager that will be missed by the call's timeout.
            context.close();
        }
    }
}
