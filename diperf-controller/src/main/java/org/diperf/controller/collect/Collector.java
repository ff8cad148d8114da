package org.diperf.controller.collect;

import static java.util.Objects.requireNonNull;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.time.ClockEpoch;
import org.diperf.controller.time.TimeServer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.TimeService;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.OneKey;
import org.diperf.tester.transport.Sockets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what the testers of one run measure: lets in who holds a ticket, appends their blocks to the sample files as
 * they came, and acknowledges them when they are durable. All methods may be called from any thread but the collector's
 * own; the {@link Listener} is called on the collector's own.
 */
public final class Collector implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
    private static final long TICK_MILLIS = 50;
    private static final int HANDSHAKE_SECONDS = 10;
    private static final int KEY_BYTES = 32;

    private final Config config;
    private final NanoClock clock;
    private final Control control;
    private final RunCredentials credentials;
    private final SslContext tls;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final SampleStore store;
    private final Sessions sessions;
    private final Channel server;
    private final @Nullable TimeServer time;
    private final boolean planGrew;
    private final @Nullable Datagrams datagrams;
    private boolean closed;
    private boolean crowdedTold;

    /**
     * Where and for whom to collect.
     *
     * @param listen address to listen on
     * @param advertise names or addresses by which testers reach it, separated by commas
     * @param firstPort lowest port to try; 0: any free one
     * @param lastPort highest port to try
     * @param testers most that may join, at least 1
     * @param leaseNanos silence after which a tester is lost, and after which a tester stops its load
     * @param syncNanos from one comparison of a tester's clock to the next; 0: as often as it needs
     * @param samplesFolder made where needed; must hold no sample files
     * @param clockCsv file of the clock exchanges; overwritten
     * @param control folder where to leave what another collector needs to go on when this process is killed; {@code null}:
     *     nothing is left
     * @param datagrams whether testers may enrol for sealed datagrams, and their tickets say so
     * @param goesOn whether to go on with what a collector has left in {@code control}, at the port that it had
     * @param memoryBytes of blocks that are held in memory and acknowledged when they come, until
     *     {@link Collector#awaitDurable} or {@link Collector#close} or their bound; 0: none are
     */
    public record Config(
            String listen,
            String advertise,
            int firstPort,
            int lastPort,
            int testers,
            long leaseNanos,
            long syncNanos,
            Path samplesFolder,
            Path clockCsv,
            long memoryBytes,
            @Nullable Path control,
            boolean goesOn,
            boolean datagrams) {

        public Config {
            if (firstPort < 0 || lastPort > 65_535 || firstPort > 0 && lastPort < firstPort) {
                throw new IllegalArgumentException("A collector wants ports from 1 to 65535, the first not above the"
                        + " last, or 0 for any; found " + firstPort + "-" + lastPort);
            }
            if (testers < 1 || leaseNanos <= 0) {
                throw new IllegalArgumentException("A collector wants testers >= 1 and lease > 0; found testers="
                        + testers + ", lease=" + leaseNanos + " ns");
            }
        }

        List<String> hosts() {
            List<String> hosts = Arrays.stream(advertise.split(","))
                    .map(String::strip)
                    .filter(host -> !host.isEmpty())
                    .toList();
            return hosts.isEmpty() ? List.of(listen) : hosts;
        }
    }

    /** Bounds that only tests change. */
    record Limits(long maxQueueBytes, long maxFileBytes) {
        /** What waits for the disk is a quarter of a small heap at most. */
        static final Limits DEFAULT =
                new Limits(Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 4), 256 << 20);
    }

    /** Hears what testers do. All methods are called on the collector's own thread and must not block long. */
    public interface Listener {

        /** A tester has joined, for the first time. */
        void joined(int tester, TesterFacts facts);

        /**
         * A tester is prepared and its clock offset is known: {@link Collector#start} reaches it.
         *
         * @param testerNanos what the tester's clock shows now, as far as is known
         */
        void ready(int tester, long testerNanos);

        /** A tester cannot carry out its assignment. */
        void refused(int tester, String reason);

        /** A tester was told when to start, on its own clock. */
        void started(int tester, long localStartNanos);

        /** A tester told how far it is. */
        void status(int tester, TesterStatus status);

        /** A tester's plan is over; all its blocks have been received, and {@link Collector#awaitDurable} keeps them. */
        void finished(int tester, TesterTotals totals);

        /**
         * A tester is silent for the lease, or was dropped because it broke the protocol.
         *
         * @param heardNanos when it was heard last, on the controller's clock
         */
        void lost(int tester, String reason, long heardNanos);

        /** A tester that was silent is heard again. */
        void back(int tester);

        /** Says why nobody new can be let in; told once. */
        void crowded(String reason);

        /** A line of a tester for the run's log. */
        void log(int tester, String line);

        /**
         * A block came, the first time.
         *
         * @param block valid during the call
         */
        void block(int tester, ByteBuffer block);

        /** Blocks that were to be held in memory go to the disk from now on. */
        void overflowed(String reason);

        /** Nothing more can be kept: the run must stop. What was acknowledged is safe. */
        void failed(String reason);
    }

    /**
     * Makes the run's keys, opens the files and listens.
     *
     * @throws IOException when no port is free, or the files cannot be made
     */
    public Collector(Config config, NanoClock clock, Listener listener) throws IOException {
        this(config, clock, listener, Limits.DEFAULT, files(config, Limits.DEFAULT));
    }

    /** @param disk where the blocks go; closed with the collector */
    Collector(Config config, NanoClock clock, Listener listener, Limits limits, Disk disk) throws IOException {
        this.config = config;
        this.clock = clock;
        KeptSamples kept = config.goesOn() ? KeptSamples.in(config.samplesFolder()) : KeptSamples.NONE;
        this.control = control(config, clock);
        this.credentials = control.credentials();
        RunCredentials.Identity identity = credentials.issue(Role.CONTROLLER, 0);
        this.tls = SslContextBuilder.forServer(new OneKey(identity.key(), identity.certificate()))
                .sslProvider(Sockets.tls())
                .protocols("TLSv1.3")
                .trustManager(credentials.authority())
                .clientAuth(ClientAuth.REQUIRE)
                .build();
        this.group = Sockets.oneLoop("diperf-collector");
        this.loop = group.next();
        try {
            this.store = new SampleStore(
                    disk,
                    config.clockCsv(),
                    config.goesOn(),
                    new SampleStore.Limits(limits.maxQueueBytes(), config.memoryBytes()),
                    toLoop());
        } catch (IOException e) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        long epoch = ClockEpoch.ofThisBoot();
        this.sessions = new Sessions(loop, clock, control, config, epoch, store, listener);
        try {
            List<Frame> noted = config.goesOn() ? noted(config) : List.of();
            this.planGrew = noted.stream()
                    .anyMatch(frame -> frame.message() instanceof Message.Assign assign
                            && assign.assignment().plan().grows());
            onLoop(() -> sessions.restore(kept, noted));
            this.server = bind(listener);
            this.datagrams = config.datagrams() ? datagrams() : null;
            if (datagrams != null) {
                Datagrams ways = datagrams;
                onLoop(() -> sessions.datagrams(ways));
            }
            control.place(new Control.Place(
                    config.listen(),
                    address().getPort(),
                    epoch,
                    config.leaseNanos(),
                    config.syncNanos(),
                    config.memoryBytes() > 0,
                    config.datagrams()));
            byte[] key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            this.time = timeServer(key, epoch);
            int port = time == null ? 0 : time.address().getPort();
            onLoop(() -> sessions.time(new TimeService(port, config.syncNanos(), key)));
            server.config().setAutoRead(true);
        } catch (IOException e) {
            store.close();
            control.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        var unused = loop.scheduleAtFixedRate(sessions::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    static Disk files(Config config, Limits limits) throws IOException {
        if (config.goesOn()) {
            KeptSamples.mend(config.samplesFolder());
        }
        return Disk.files(
                config.goesOn()
                        ? SampleWriter.after(config.samplesFolder(), limits.maxFileBytes())
                        : new SampleWriter(config.samplesFolder(), limits.maxFileBytes()));
    }

    private static Control control(Config config, NanoClock clock) throws IOException {
        return config.goesOn()
                ? Control.goOn(requireNonNull(config.control(), "control"), clock)
                : Control.create(config.control(), clock);
    }

    private static List<Frame> noted(Config config) throws IOException {
        List<Frame> noted = new ArrayList<>();
        FrameFile.read(Control.journal(requireNonNull(config.control(), "control")), noted::add);
        return noted;
    }

    private SampleStore.Events toLoop() {
        return new SampleStore.Events() {
            @Override
            public void durable(Map<Integer, Long> highest) {
                onLoop(() -> sessions.durable(highest));
            }

            @Override
            public void drained() {
                onLoop(() -> sessions.pause(false));
            }

            @Override
            public void overflowed(String reason) {
                onLoop(() -> sessions.overflowed(reason));
            }

            @Override
            public void failed(String reason) {
                onLoop(() -> sessions.failed(reason));
            }
        };
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // Closed: what is durable stays so, and nobody is left to be told.
            assert group.isShuttingDown();
        }
    }

    private Channel bind(Listener listener) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(Sockets.listening())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                // Nobody is let in before the time server is there to be told of.
                .option(ChannelOption.AUTO_READ, false)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
                        if (!crowdedTold) {
                            crowdedTold = true;
                            String reason = "no connection can be accepted: " + problem.getMessage() + ". This process"
                                    + " may have too few descriptors: raise them with ulimit -n";
                            LOG.warn(reason);
                            listener.crowded(reason);
                        }
                        context.fireExceptionCaught(problem);
                    }
                })
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(256 << 10, 1 << 20))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                });
        int last = config.firstPort() == 0 ? 0 : config.lastPort();
        for (int port = config.firstPort(); port <= last; port++) {
            ChannelFuture bound = bootstrap.bind(config.listen(), port).awaitUninterruptibly();
            if (bound.isSuccess()) {
                return bound.channel();
            }
            Throwable cause = bound.cause();
            boolean taken = cause instanceof BindException
                    || String.valueOf(cause.getMessage()).contains("Address already in use");
            if (!taken) {
                throw new IOException(
                        "Wanted to listen on " + config.listen() + ":" + port + ", found: " + cause.getMessage()
                                + "; see controller.listen",
                        cause);
            }
        }
        throw new IOException("Wanted a free port of " + config.listen() + ":" + config.firstPort() + "-"
                + config.lastPort() + ", found all in use or not ours: give others in controller.ports, or 0 for any");
    }

    /** Opens the time server at the collector's port number, or another where that is taken; null where none can be. */
    private @Nullable TimeServer timeServer(byte[] key, long epoch) {
        for (int port : new int[] {address().getPort(), 0}) {
            try {
                return new TimeServer(new InetSocketAddress(config.listen(), port), key, epoch, clock);
            } catch (IOException e) {
                LOG.warn("no time server at UDP port {} of {}: {}", port, config.listen(), e.getMessage());
            }
        }
        return null;
    }

    /** Opens a port for sealed datagrams: after the collector's own, which the time server has, or any. */
    private Datagrams datagrams() throws IOException {
        for (int port = address().getPort() + 1; config.firstPort() > 0 && port <= config.lastPort(); port++) {
            try {
                return new Datagrams(loop, new InetSocketAddress(config.listen(), port), clock, sessions);
            } catch (IOException e) {
                LOG.debug("port {} cannot be had for datagrams: {}", port, e.getMessage());
            }
        }
        return new Datagrams(loop, new InetSocketAddress(config.listen(), 0), clock, sessions);
    }

    private void accept(SocketChannel channel) {
        SslHandler handler = tls.newHandler(channel.alloc());
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
        FrameDecoder decoder = new FrameDecoder(clock, Frame.MAX_LENGTH_BEFORE_WELCOME);
        TlsPeer peer = new TlsPeer(sessions, channel, handler, decoder, clock.nanoTime());
        if (sessions.opened(peer)) {
            channel.pipeline().addLast(handler, decoder, peer.handler());
        } else {
            channel.close();
        }
    }

    /** Gives the address it listens on. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /**
     * Makes the ticket by which a tester joins: a secret.
     *
     * @param tester from 1 to the number of testers
     */
    public String ticket(int tester) {
        return ticket(tester, config.hosts(), address().getPort());
    }

    /** Makes a ticket that leads to other addresses, from which somebody forwards what comes to {@link #address}. */
    public String ticket(int tester, List<String> hosts, int port) {
        if (tester < 1 || tester > config.testers()) {
            throw new IllegalArgumentException("Wanted a tester from 1 to " + config.testers() + ", found " + tester);
        }
        RunCredentials.Identity identity = credentials.issue(Role.TESTER, tester);
        return new Ticket(
                        tester,
                        hosts,
                        port,
                        credentials.authority(),
                        identity.certificate(),
                        identity.key(),
                        credentials.token(),
                        0,
                        // Elsewhere is a relay or a tunnel, which pass on connections alone.
                        config.datagrams() && port == address().getPort())
                .write();
    }

    /**
     * Makes the ticket of a relay: a secret.
     *
     * @param hosts of what it leads to: this collector or another relay
     * @param listenPort where it is to listen
     */
    public String relayTicket(int number, List<String> hosts, int port, int listenPort) {
        RunCredentials.Identity identity = credentials.issue(Role.RELAY, number);
        return new Ticket(
                        number,
                        hosts,
                        port,
                        credentials.authority(),
                        identity.certificate(),
                        identity.key(),
                        credentials.token(),
                        listenPort,
                        false)
                .write();
    }

    /** Makes the ticket of a relay that leads here. */
    public String relayTicket(int number, int listenPort) {
        return relayTicket(number, config.hosts(), address().getPort(), listenPort);
    }

    /** Completes when a relay that leads here is there. Any thread. */
    public CompletableFuture<Void> relay(int number) {
        return sessions.relay(number);
    }

    /** Says whether it goes on with a run whose plan the controller before it was to let grow. */
    public boolean planGrew() {
        return planGrew;
    }

    /** Completes when a tester has joined for the first time. Any thread; completed on the collector's. */
    public CompletableFuture<Void> joined(int tester) {
        return sessions.joined(tester);
    }

    /** Gives the run's keys, for tests that play another part. */
    RunCredentials credentials() {
        return credentials;
    }

    /** Gives a tester its assignment, now or when it joins; the first one counts. */
    public void assign(int tester, Assignment assignment) {
        onLoop(() -> sessions.orders().assign(tester, assignment));
    }

    /**
     * Starts the run: tells every ready tester when to start, on its own clock.
     *
     * @param atNanos on the controller's clock; late enough for the message to arrive
     */
    public void start(long atNanos) {
        onLoop(() -> sessions.orders().start(atNanos));
    }

    /**
     * Appends a stage to a plan that grows. A tester that is away is told when it comes back.
     *
     * @param stage begins late enough for the message to arrive
     */
    public void append(Stage stage) {
        onLoop(() -> sessions.orders().append(stage));
    }

    /**
     * Lets a tester that became ready after the start take part from an instant on.
     *
     * @param joinNanos after the start of the run; late enough for the message to arrive
     */
    public void join(int tester, long joinNanos) {
        onLoop(() -> sessions.orders().join(tester, joinNanos));
    }

    /** Ends the load of one tester, now or when it comes back; what is in flight has so long to end. */
    public void stop(int tester, long graceNanos) {
        onLoop(() -> sessions.orders().stop(tester, graceNanos));
    }

    /** Ends the load; what is in flight has so long to end. */
    public void stop(long graceNanos) {
        onLoop(() -> sessions.orders().stop(graceNanos));
    }

    /** Tells all testers to exit, those too that come back later. */
    public void bye() {
        onLoop(() -> sessions.orders().bye());
    }

    /**
     * Waits until everything received so far is on disk.
     *
     * @return false when the time is over or writing has failed
     */
    public boolean awaitDurable(long timeoutNanos) throws InterruptedException {
        long begin = NanoClock.SYSTEM.nanoTime();
        // What the loop has read but not handed over yet counts as received.
        if (!loop.submit(() -> {}).await(timeoutNanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        return store.awaitDurable(timeoutNanos - (NanoClock.SYSTEM.nanoTime() - begin));
    }

    /**
     * Takes what a tester that has given up has left: the blocks that have not come yet, and what it said at its end.
     *
     * @param spool a file of its frames
     * @return whose they are; 0: the file is empty
     */
    public int take(Path spool) throws IOException, InterruptedException {
        int[] tester = {0};
        FrameFile.read(spool, frame -> {
            tester[0] = frame.tester();
            onLoop(() -> sessions.left(frame));
            if (store.waitingBytes() > 8 << 20) {
                try {
                    awaitDurable(TimeUnit.SECONDS.toNanos(10));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("Interrupted while a tester's spool was read", e);
                }
            }
        });
        return tester[0];
    }

    /** Gives the bytes of samples that are not durable yet. */
    public long waitingBytes() {
        return store.waitingBytes();
    }

    /**
     * Gives how long nothing was heard of the tester that was heard longest ago, ns, among those whose load is under way
     * and whose lease has not run out.
     */
    public long silentNanos() {
        return sessions.silentNanos();
    }

    /** Writes what has been received, ends all connections and stops listening; idempotent. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        server.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        if (time != null) {
            time.close();
        }
        loop.submit(sessions::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
        try {
            store.close();
        } finally {
            group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
        }
    }
}
