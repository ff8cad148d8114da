package org.diperf.plugins.gram;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.jspecify.annotations.Nullable;

/**
 * A gatekeeper with its job manager on the loopback, whose jobs are nothing but their states: they run and end at once, or are
 * there until they are cancelled when their executable is {@code sleep}. It has the client's own credential, so its target names
 * that as its subject. Thread-safe; everything happens on a thread of its own.
 */
final class GramStandIn implements StandIn {

    private static final int MAX_BYTES = 1 << 20;
    private static final int KEY_BITS = 256;
    private static final long CLOSE_MILLIS = 1_000;
    private static final byte[] PROXY_REQUEST = proxyRequest();
    private static final Pattern OUTPUT = Pattern.compile("\\(stdout=\"(https://[^\"]*)\"\\)");

    /** What it says; as it stands here, what a gatekeeper and a job manager say. Called on the stand-in's thread. */
    static class Behaviour {

        /**
         * Returns what is sent to ask for a proxy.
         *
         * @param usual PKCS #10
         * @return {@code null} for silence, nothing to close the connection
         */
        byte @Nullable [] asksForProxy(byte[] usual) {
            return usual;
        }

        /**
         * Returns a reply in HTTP.
         *
         * @param path of the request
         * @param message its body
         * @return {@code null} for silence, nothing to close the connection
         */
        @Nullable
        String replies(String path, String message, String usual) {
            return usual;
        }

        /** Returns what is told of a job that was just accepted, in order. */
        List<String> tells(List<String> usual) {
            return usual;
        }

        /** Returns what a job writes to its output. */
        String writes(String usual) {
            return usual;
        }

        /** Returns whether a job ends when it is cancelled. */
        boolean cancels() {
            return true;
        }

        /** Returns whether what comes of a request is told before it is answered. */
        boolean tellsFirst() {
            return false;
        }

        /** Returns whether jobs wait for the client's word before they run. */
        boolean waitsForCommits() {
            return false;
        }
    }

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final GsiCredentials credentials;
    private final Behaviour conduct;
    private final Channel server;
    private final Map<String, Deque<JobState>> ahead = new HashMap<>();
    private final Map<String, String> callbacks = new HashMap<>();
    private final Map<String, Supplier<CompletableFuture<Void>>> uncommitted = new HashMap<>();
    private int jobs;

    private GramStandIn(GsiCredentials credentials, Behaviour conduct) throws IOException {
        this.credentials = credentials;
        this.conduct = conduct;
        server = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) throws IOException {
                        made.pipeline().addLast(new SslHandler(credentials.server()), new GatekeeperHandler());
                    }
                })
                .bind(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0)
                .syncUninterruptibly()
                .channel();
    }

    /**
     * Makes a key and a request for its certificate; one does for all, because nothing is signed with it. Of an elliptic curve, because a
     * key of RSA takes up to seconds.
     */
    private static byte[] proxyRequest() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(KEY_BITS);
            KeyPair keys = generator.generateKeyPair();
            return new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=proxy"), keys.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                    .getEncoded();
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("Cannot generate a key: " + e.getMessage(), e);
        }
    }

    static GramStandIn start(GsiCredentials credentials) throws IOException {
        return start(credentials, new Behaviour());
    }

    static GramStandIn start(GsiCredentials credentials, Behaviour conduct) throws IOException {
        return new GramStandIn(credentials, conduct);
    }

    @Override
    public Url target() {
        return target(credentials.subject());
    }

    /** Returns its target where it is somebody. */
    Url target(String subject) {
        return Url.of("gram://127.0.0.1:" + port() + "/jobmanager-stand-in:" + subject);
    }

    private int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public void close() {
        server.close();
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
        credentials.close();
    }

    private static void send(Channel to, byte @Nullable [] bytes) {
        if (bytes == null) {
            return;
        }
        if (bytes.length == 0) {
            to.close();
        } else {
            to.writeAndFlush(Unpooled.wrappedBuffer(bytes));
        }
    }

    static String reply(String message) {
        byte[] body = (message + "\0").getBytes(StandardCharsets.UTF_8);
        return "HTTP/1.1 200 OK\r\nContent-Type: " + GramMessage.CONTENT_TYPE + "\r\nContent-Length: " + body.length
                + "\r\n\r\n" + message + "\0";
    }

    static String stateMessage(String contact, int state, int failureCode) {
        return "protocol-version: 2\r\njob-manager-url: " + contact + "\r\nstatus: " + state + "\r\nfailure-code: "
                + failureCode + "\r\n";
    }

    /** Does what comes before a request: a gatekeeper is told about delegation, a job manager is not. */
    private final class GatekeeperHandler extends ChannelInboundHandlerAdapter {

        private boolean wantsProxy;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (wantsProxy) {
                // Certificate and request are records of their own, so one does not begin within the other.
                bytes.release();
                answerRequests(context);
                context.pipeline().remove(this);
                return;
            }
            char first = (char) bytes.getByte(bytes.readerIndex());
            if (first == 'D') {
                wantsProxy = true;
                bytes.release();
                send(context.channel(), conduct.asksForProxy(PROXY_REQUEST));
                return;
            }
            answerRequests(context);
            if (first == '0') {
                bytes.skipBytes(1);
            }
            context.fireChannelRead(bytes);
            context.pipeline().remove(this);
        }

        private void answerRequests(ChannelHandlerContext context) {
            context.pipeline()
                    .addLast(new HttpRequestDecoder(), new HttpObjectAggregator(MAX_BYTES), new RequestHandler());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private final class RequestHandler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            try {
                FullHttpRequest request = (FullHttpRequest) message;
                String body = request.content().toString(StandardCharsets.UTF_8);
                String path = request.uri();
                List<Supplier<CompletableFuture<Void>>> then = new ArrayList<>();
                String usual = path.startsWith("ping/")
                        ? "HTTP/1.1 200 OK\r\nContent-Type: " + GramMessage.CONTENT_TYPE
                                + "\r\nContent-Length: 0\r\n\r\n"
                        : path.startsWith("/jobmanager") ? accept(body, then) : answer(path, body, then);
                String reply = conduct.replies(path, body, usual);
                if (reply == null) {
                    return;
                }
                if (conduct.tellsFirst()) {
                    CompletableFuture.allOf(then.stream().map(Supplier::get).toArray(CompletableFuture<?>[]::new))
                            .thenRun(() -> write(context, reply));
                } else {
                    write(context, reply);
                    then.forEach(each -> {
                        var unused = each.get();
                    });
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private static void write(ChannelHandlerContext context, String reply) {
            context.writeAndFlush(Unpooled.copiedBuffer(reply, StandardCharsets.UTF_8))
                    .addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private String accept(String message, List<Supplier<CompletableFuture<Void>>> then) throws Exception {
        Map<String, String> request = GramMessage.read(message);
        String path = "/" + ++jobs + "/";
        String contact = "https://127.0.0.1:" + port() + path;
        String rsl = request.getOrDefault("rsl", "");
        String callback = request.getOrDefault("callback-url", "");
        boolean stays = rsl.contains("sleep");
        ahead.put(path, new ArrayDeque<>(stays ? List.of(JobState.ACTIVE) : List.of(JobState.ACTIVE, JobState.DONE)));
        callbacks.put(path, callback);
        Matcher output = OUTPUT.matcher(rsl);
        List<String> posts = new ArrayList<>();
        boolean writes = output.find();
        String written = conduct.writes("hello\n");
        if (writes && !written.isEmpty()) {
            posts.add(put(output.group(1), written));
        }
        if (!callback.isEmpty()) {
            List<String> states = new ArrayList<>(List.of(stateMessage(contact, JobState.ACTIVE.code(), 0)));
            if (!stays) {
                states.add(stateMessage(contact, JobState.DONE.code(), 0));
            }
            for (String told : conduct.tells(states)) {
                posts.add(posted(callback, told));
            }
        }
        String listens = callback.isEmpty() && !posts.isEmpty() ? output.group(1) : callback;
        boolean waits = conduct.waitsForCommits();
        if (!posts.isEmpty()) {
            Supplier<CompletableFuture<Void>> run = () -> post(URI.create(listens), new ArrayDeque<>(posts));
            if (waits) {
                uncommitted.put(path, run);
            } else {
                then.add(run);
            }
        }
        return reply("protocol-version: 2\r\nstatus: " + (waits ? GramError.WAITING_FOR_COMMIT : 0)
                + "\r\njob-manager-url: " + contact + "\r\n");
    }

    private String answer(String path, String message, List<Supplier<CompletableFuture<Void>>> then) {
        Deque<JobState> states = ahead.get(path);
        if (states == null) {
            return reply("protocol-version: 2\r\nstatus: 0\r\nfailure-code: " + GramError.JOB_CONTACT_NOT_FOUND
                    + "\r\njob-failure-code: 0\r\n");
        }
        int failureCode = 0;
        JobState state = states.peek();
        if (message.contains("cancel") && conduct.cancels()) {
            ahead.remove(path);
            state = JobState.FAILED;
            failureCode = GramError.USER_CANCELLED;
            String callback = callbacks.getOrDefault(path, "");
            if (!callback.isEmpty()) {
                String told = stateMessage("https://127.0.0.1:" + port() + path, state.code(), failureCode);
                then.add(() -> post(URI.create(callback), new ArrayDeque<>(List.of(posted(callback, told)))));
            }
        } else if (message.contains("status") && states.size() > 1) {
            states.remove();
        } else if (message.contains("signal " + GramMessage.SIGNAL_COMMIT_REQUEST + " ")) {
            Supplier<CompletableFuture<Void>> run = uncommitted.remove(path);
            if (run != null) {
                then.add(run);
            }
        }
        return reply("protocol-version: 2\r\nstatus: " + (state == null ? 0 : state.code())
                + "\r\nfailure-code: 0\r\njob-failure-code: " + failureCode + "\r\n");
    }

    private static String put(String url, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return "PUT " + URI.create(url).getPath() + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + Integer.toHexString(bytes.length) + "\r\n" + text + "\r\n0\r\n\r\n";
    }

    /**
     * Tells of a job, as its job manager.
     *
     * @param callback URL at which it is told
     * @return completes when it was taken
     */
    CompletableFuture<Void> tell(String callback, String message) {
        return post(URI.create(callback), new ArrayDeque<>(List.of(posted(callback, message))));
    }

    /** Sends output of a job to a URL, as its job manager; completes when it was taken. */
    CompletableFuture<Void> send(String url, String text) {
        return post(URI.create(url), new ArrayDeque<>(List.of(put(url, text))));
    }

    private static String posted(String url, String message) {
        return new String(
                GramMessage.post(URI.create(url).getPath(), "127.0.0.1", message + "\0"), StandardCharsets.UTF_8);
    }

    /** Sends these to a client's listener, each on a connection of its own, as job managers do. */
    private CompletableFuture<Void> post(URI url, Deque<String> posts) {
        CompletableFuture<Void> taken = new CompletableFuture<>();
        post(url, posts, taken);
        return taken;
    }

    private void post(URI url, Deque<String> posts, CompletableFuture<Void> taken) {
        String next = posts.poll();
        if (next == null) {
            taken.complete(null);
            return;
        }
        new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        made.pipeline()
                                .addLast(
                                        new SslHandler(credentials.client()),
                                        new CallbackHandler(url, posts, next, taken));
                    }
                })
                .connect(url.getHost(), url.getPort());
    }

    private final class CallbackHandler extends ChannelInboundHandlerAdapter {

        private final URI url;
        private final Deque<String> posts;
        private final String request;
        private final CompletableFuture<Void> taken;

        CallbackHandler(URI url, Deque<String> posts, String request, CompletableFuture<Void> taken) {
            this.url = url;
            this.posts = posts;
            this.request = request;
            this.taken = taken;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.UTF_8));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            post(url, posts, taken);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            posts.clear();
            context.close();
        }
    }
}
