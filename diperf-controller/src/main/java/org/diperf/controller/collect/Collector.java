package org.diperf.controller.collect;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.tester.link.SpoolException;
import org.diperf.tester.link.SpoolFile;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Sockets;
import org.diperf.tester.transport.TlsListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what the testers of one run measure: lets in who holds a ticket, appends their blocks to the sample files as
 * they came, and acknowledges them when they are durable. All methods may be called from any thread but the collector's
 * own; the {@link TesterEvents} is called on the collector's own.
 */
public final class Collector implements Testers {

    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
    private static final long TICK_MILLIS = 50;
    private static final int KEY_BYTES = 32;
    /** For so long blocks in memory wait for a disk that does not take them: as long as testers wait for a controller. */
    private static final long DISK_PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final long DISK_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final CollectorConfig config;
    private final NanoClock clock;
    private final ControlFolder control;
    private final RunCredentials credentials;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final SampleStore store;
    private final Sessions sessions;
    private final TlsListener server;
    private final Tickets tickets;
    private final OutboundRelays dialled;
    private final @Nullable TimeServer time;
    private final boolean planGrew;
    private final @Nullable Datagrams datagrams;
    private boolean closed;
    private boolean crowdedTold;

    /** Bounds that only tests change. */
    record Limits(long maxQueueBytes, long maxFileBytes) {
        /** What waits for the disk is a quarter of a small heap at most. */
        static final Limits DEFAULT =
                new Limits(Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 4), 256 << 20);
    }

    /**
     * Makes the run's keys, opens the files and listens.
     *
     * @throws SocketException when no port is free
     * @throws IOException when the files cannot be made
     */
    public Collector(CollectorConfig config, NanoClock clock, TesterEvents listener) throws IOException {
        this(config, clock, listener, Limits.DEFAULT, files(config, Limits.DEFAULT));
    }

    /** @param disk where the blocks go; closed with the collector */
    Collector(CollectorConfig config, NanoClock clock, TesterEvents listener, Limits limits, Disk disk)
            throws IOException {
        this.config = config;
        this.clock = clock;
        RecoveredSamples kept =
                config.files().resumes() ? RecoveredSamples.in(config.files().samples()) : RecoveredSamples.NONE;
        this.control = control(config, clock);
        this.credentials = control.credentials();
        RunCredentials.Identity identity = credentials.issue(Role.CONTROLLER, 0);
        SslContext tls = TlsListener.tls(identity.key(), identity.certificate(), credentials.authority());
        this.group = Sockets.oneLoop("diperf-collector");
        this.loop = group.next();
        try {
            this.store = new SampleStore(
                    disk,
                    config.files().clockCsv(),
                    config.files().resumes(),
                    control.journal(),
                    new SampleStore.Limits(
                            limits.maxQueueBytes(), config.heldBytes(), DISK_PATIENCE_NANOS, DISK_RETRY_NANOS),
                    toLoop());
        } catch (IOException e) {
            control.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        long epoch = ClockEpoch.ofThisBoot();
        this.sessions = new Sessions(loop, clock, control, config, epoch, store, listener);
        try {
            List<Frame> noted = config.files().resumes() ? noted(config) : List.of();
            this.planGrew = noted.stream()
                    .anyMatch(frame -> frame.message() instanceof Message.Assign assign
                            && assign.assignment().plan().grows());
            onLoop(() -> sessions.restore(kept, noted));
            this.server = bind(tls, listener);
            this.tickets = new Tickets(credentials, config, address().getPort());
            this.dialled = new OutboundRelays(loop, clock, sessions, tickets);
            this.datagrams = config.datagrams() ? datagrams() : null;
            if (datagrams != null) {
                Datagrams ways = datagrams;
                onLoop(() -> sessions.datagrams(ways));
            }
            control.write(new ControlFolder.Settings(
                    config.at().host(),
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
            onLoop(() -> sessions.time(new TimeServerSettings(port, config.syncNanos(), key)));
            // Nobody is let in before the time server is there to be told of.
            server.open();
            if (config.files().resumes()) {
                for (Map.Entry<Integer, InetSocketAddress> relay :
                        control.dialled().entrySet()) {
                    InetSocketAddress at = relay.getValue();
                    dialled.dial(relay.getKey(), at.getHostString(), at.getPort());
                }
            }
        } catch (IOException e) {
            store.close();
            control.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        store.start();
        var unused = loop.scheduleAtFixedRate(sessions::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    static Disk files(CollectorConfig config, Limits limits) throws IOException {
        if (config.files().resumes()) {
            RecoveredSamples.mend(config.files().samples());
        }
        return Disk.files(
                config.files().resumes()
                        ? SampleWriter.after(config.files().samples(), limits.maxFileBytes())
                        : new SampleWriter(config.files().samples(), limits.maxFileBytes()));
    }

    private static ControlFolder control(CollectorConfig config, NanoClock clock) throws IOException {
        return config.files().resumes()
                ? ControlFolder.resume(requireNonNull(config.files().control(), "control"), clock)
                : ControlFolder.create(config.files().control(), clock);
    }

    private static List<Frame> noted(CollectorConfig config) throws IOException {
        List<Frame> noted = new ArrayList<>();
        FrameFile.read(ControlFolder.journal(requireNonNull(config.files().control(), "control")), noted::add);
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
            public void waitsForDisk(String reason) {
                onLoop(() -> sessions.waitsForDisk(reason));
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

    private TlsListener bind(SslContext tls, TesterEvents listener) throws IOException {
        TlsListener.Arrivals arrivals = new TlsListener.Arrivals() {
            @Override
            public void came(SocketChannel channel, TlsListener.Handshake handler) {
                accept(channel, handler);
            }

            @Override
            public void notAccepted(Throwable problem) {
                if (!crowdedTold) {
                    crowdedTold = true;
                    String reason = "connections cannot be accepted: " + problem.getMessage()
                            + ". This process may have too few file descriptors: raise the limit with ulimit -n";
                    LOG.warn(reason);
                    listener.crowded(reason);
                }
            }
        };
        int last = config.at().firstPort() == 0 ? 0 : config.at().lastPort();
        for (int port = config.at().firstPort(); port <= last; port++) {
            try {
                return TlsListener.bind(
                        group, tls, new InetSocketAddress(config.at().host(), port), arrivals);
            } catch (BindException e) {
                LOG.debug("port {} is not available: {}", port, e.getMessage());
            } catch (IOException e) {
                throw notListening(
                        "Could not listen on " + config.at().host() + ":" + port + ": " + e.getMessage()
                                + "; see controller.listen",
                        e);
            }
        }
        throw new BindException("Expected a free port on " + config.at().host() + ":"
                + config.at().firstPort() + "-" + config.at().lastPort()
                + ", got none: set different ports in controller.ports, or 0 for any");
    }

    private static SocketException notListening(String message, IOException cause) {
        SocketException failure = new SocketException(message);
        failure.initCause(cause);
        return failure;
    }

    /** Opens the time server at the collector's port number, or another where that is taken; null where none can be. */
    private @Nullable TimeServer timeServer(byte[] key, long epoch) {
        for (int port : new int[] {address().getPort(), 0}) {
            try {
                return new TimeServer(new InetSocketAddress(config.at().host(), port), key, epoch, clock);
            } catch (IOException e) {
                LOG.warn(
                        "no time server on UDP port {} of {}: {}",
                        port,
                        config.at().host(),
                        e.getMessage());
            }
        }
        return null;
    }

    /** Opens a port for sealed datagrams: after the collector's own, which the time server has, or any. */
    private Datagrams datagrams() throws IOException {
        for (int port = address().getPort() + 1;
                config.at().firstPort() > 0 && port <= config.at().lastPort();
                port++) {
            try {
                return new Datagrams(loop, new InetSocketAddress(config.at().host(), port), clock, sessions);
            } catch (IOException e) {
                LOG.debug("port {} is not available for datagrams: {}", port, e.getMessage());
            }
        }
        return new Datagrams(loop, new InetSocketAddress(config.at().host(), 0), clock, sessions);
    }

    private void accept(SocketChannel channel, TlsListener.Handshake handler) {
        FrameDecoder decoder = FrameDecoder.decoding(clock, Frame.MAX_LENGTH_BEFORE_WELCOME);
        TlsPeer peer = new TlsPeer(sessions, channel, handler, decoder, clock.nanoTime());
        if (sessions.opened(peer)) {
            channel.pipeline().addLast(handler, decoder, peer.handler());
        } else {
            channel.close();
        }
    }

    /** Returns the address it listens on. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Returns what makes the tickets by which testers and relays join. */
    public Tickets tickets() {
        return tickets;
    }

    /**
     * Keeps a connection to a relay that does not connect by itself. Any thread.
     *
     * @throws IOException when this JVM cannot use the run's keys
     */
    public void dial(int relay, String host, int port) throws IOException {
        control.dialled(relay, host, port);
        dialled.dial(relay, host, port);
    }

    /** Completes when a relay that leads here is there. Any thread. */
    public CompletableFuture<Void> relay(int number) {
        return sessions.relay(number);
    }

    @Override
    public boolean planGrew() {
        return planGrew;
    }

    /** Completes when a tester has joined for the first time. Any thread; completed on the collector's. */
    public CompletableFuture<Void> joined(int tester) {
        return sessions.joined(tester);
    }

    /** Returns the run's keys, for tests that play another part. */
    RunCredentials credentials() {
        return credentials;
    }

    @Override
    public void assign(int tester, Assignment assignment) {
        onLoop(() -> sessions.orders().assign(tester, assignment));
    }

    @Override
    public void start(long atNanos) {
        onLoop(() -> sessions.orders().start(atNanos));
    }

    @Override
    public void append(Stage stage) {
        onLoop(() -> sessions.orders().append(stage));
    }

    @Override
    public void join(int tester, long joinNanos) {
        onLoop(() -> sessions.orders().join(tester, joinNanos));
    }

    @Override
    public void stop(int tester, long graceNanos) {
        onLoop(() -> sessions.orders().stop(tester, graceNanos));
    }

    @Override
    public void stop(long graceNanos) {
        onLoop(() -> sessions.orders().stop(graceNanos));
    }

    @Override
    public void bye() {
        onLoop(() -> sessions.orders().bye());
    }

    @Override
    public boolean awaitDurable(long timeoutNanos) throws InterruptedException {
        long begin = NanoClock.SYSTEM.nanoTime();
        // What the loop has read but not handed over yet counts as received, the clock's row of this second too.
        if (!loop.submit(sessions::flushClocks).await(timeoutNanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        return store.awaitDurable(timeoutNanos - (NanoClock.SYSTEM.nanoTime() - begin));
    }

    @Override
    public ImportedSpool take(Path spool, int from) throws IOException, InterruptedException {
        SpoolFile.Head head = SpoolFile.check(spool);
        if (!head.run().equals(RunCredentials.runOf(credentials.token()))) {
            throw new SpoolException(spool
                    + ": expected a spool from this run, got one from a different run: use it with the run that "
                    + "started its tester");
        }
        Optional<String> objection = ask(() -> sessions.objection(head, from));
        if (objection.isPresent()) {
            throw new SpoolException(spool + ": " + objection.get());
        }
        long before = ask(() -> sessions.lastBlock(head.tester()));
        SpoolFile.read(spool, frame -> {
            onLoop(() -> sessions.left(frame));
            if (store.waitingBytes() > 8 << 20) {
                try {
                    awaitDurable(TimeUnit.SECONDS.toNanos(10));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("Interrupted while reading a tester's spool", e);
                }
            }
        });
        long fresh = ask(() -> sessions.lastBlock(head.tester())) - before;
        return new ImportedSpool(head.tester(), head.blocks(), Math.min(fresh, head.blocks()));
    }

    /** Has the event loop answer, after what it was told before. */
    private <T> T ask(Callable<T> question) throws IOException, InterruptedException {
        try {
            return loop.submit(question).get();
        } catch (ExecutionException | RejectedExecutionException e) {
            throw new IOException("the collector is closed or has failed: " + e.getMessage(), e);
        }
    }

    @Override
    public long waitingBytes() {
        return store.waitingBytes();
    }

    @Override
    public long silentNanos() {
        return sessions.silentNanos();
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        server.close();
        if (time != null) {
            time.close();
        }
        loop.submit(() -> {
                    dialled.stop();
                    sessions.close();
                })
                .awaitUninterruptibly(1, TimeUnit.SECONDS);
        dialled.close();
        try {
            store.close();
        } finally {
            // After what the store has said last, which the journal notes.
            loop.submit(control::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
        }
    }
}
